// @ts-check
// A field for the name of a metric, and below it all metrics by family: a combobox, as the practices of ARIA describe
// it. Any text may be typed; what is typed is searched for among names, lines and sources.
// The list stands in the page, not over it: a notebook cuts off what hangs over the end of an output.

import { all, attribute, h, put, same } from "./common.js";
/** @import { Family, Listed } from "./types.js" */

const PAGE = 5; // options that PageDown goes over

/** @typedef {object} Choices what the list shows and proposes
 * @property {() => Family[]} families
 * @property {() => string[]} shown the names of the metrics that are on the page
 * @property {() => number} cutoff the one to propose
 * @property {(name: string) => void} picked hears which was put into the field */

export class Picker {
  constructor(/** @type {HTMLInputElement} */ input, /** @type {Choices} */ choices) {
    const id = `dm-picker-${Math.random().toString(36).slice(2)}`;
    this.input = input;
    this.choices = choices;
    this.at = -1; // the option that Enter takes
    this.drawn = /** @type {unknown[]} */ ([]);
    this.list = h("div", { id, class: "dm-picker", role: "listbox", "aria-label": "metrics by family", hidden: true });
    this.count = h("span", { class: "dm-quiet", role: "status" });
    this.opener = h("button", { type: "button", class: "dm-opener", "data-key": "metric-list", tabindex: "-1", "aria-label": "all metrics by family", "aria-controls": id, "aria-expanded": "false", onclick: () => this.toggle() }, "▾");
    for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": id, "aria-expanded": "false", autocomplete: "off" })) input.setAttribute(name, value);
    this.field = h("span", { class: "dm-combo" }, input, this.opener);
    input.addEventListener("input", () => this.open());
    input.addEventListener("click", () => this.open());
    input.addEventListener("keydown", (event) => this.keys(event));
    this.list.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays in the field
    this.list.addEventListener("click", ({ target }) => {
      const option = target instanceof Element ? target.closest("[role=option]") : null;
      if (option) this.pick(this.options.indexOf(/** @type {HTMLElement} */ (option)));
    });
  }

  get options() {
    return all(this.list, "[role=option]");
  }

  get isOpen() {
    return !this.list.hidden;
  }

  toggle() {
    if (this.isOpen) return this.close();
    this.input.focus();
    this.open();
  }

  open() {
    this.list.hidden = false;
    this.drawn = [];
    this.draw();
    this.tellOpen();
  }

  close() {
    if (!this.isOpen) return;
    this.list.hidden = true;
    this.list.replaceChildren();
    put(this.count, "");
    this.mark(-1);
    this.tellOpen();
  }

  /** The focus has left something in the picker's form: if it is elsewhere now, the list closes. @param {FocusEvent & { currentTarget: HTMLElement }} event */
  left({ currentTarget, relatedTarget }) {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) this.close();
  }

  tellOpen() {
    for (const control of [this.input, this.opener]) attribute(control, "aria-expanded", this.isOpen);
  }

  /** The list anew, where it is open and what it shows has changed. */
  draw() {
    if (!this.isOpen) return;
    const now = [this.choices.families(), this.choices.shown().join("\n"), this.input.value];
    if (same(this.drawn, now)) return;
    this.drawn = now;
    const there = new Set(this.choices.shown().map(bare));
    const families = this.choices.families();
    const found = matching(families, this.input.value);
    const opens = !this.list.hasChildNodes();
    const count = found.reduce((sum, { metrics }) => sum + metrics.length, 0);
    this.list.replaceChildren(...found.map((family, place) => group(family, `${this.list.id}-${place}`, there)));
    this.list.scrollTop = 0;
    if (opens) this.list.scrollIntoView({ block: "nearest" });
    this.mark(-1);
    put(this.count, count ? `${count} metric${count === 1 ? "" : "s"}` : families.length ? "none in the list; Enter adds what you typed" : "");
  }

  /** The option at this place is the one that Enter takes; -1: none is. @param {number} at */
  mark(at) {
    const { options } = this;
    this.at = at;
    for (const option of options) attribute(option, "aria-selected", option === options[at]);
    if (at < 0) return this.input.removeAttribute("aria-activedescendant");
    attribute(this.input, "aria-activedescendant", options[at].id);
    if (at === 0) this.list.scrollTop = 0; // with the head of its family
    options[at].scrollIntoView({ block: "nearest" });
  }

  keys(/** @type {KeyboardEvent} */ event) {
    const { key } = event;
    if (key === "Escape" && this.isOpen) this.close();
    else if (key === "Enter" && this.at >= 0) this.pick(this.at);
    else if (!this.move(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // a form adds what is in its field with Enter
  }

  /** To another option, if the key says so. @param {KeyboardEvent} event */
  move({ key, altKey, ctrlKey, metaKey }) {
    if (ctrlKey || metaKey || !["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"].includes(key)) return false;
    if (!this.isOpen) {
      if (!key.startsWith("Arrow")) return false;
      this.open();
      if (altKey) return true;
    }
    const last = this.options.length - 1;
    const { at } = this;
    if (at < 0 && !key.startsWith("Arrow")) return false; // the caret's own keys
    const wanted = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at > 0 ? at - 1 : last, PageDown: Math.min(at + PAGE, last), PageUp: Math.max(at - PAGE, 0), Home: 0, End: last }[key];
    if (last >= 0) this.mark(wanted ?? 0);
    return true;
  }

  /** Put an option into the field, with a cutoff that can be written over at once. @param {number} at */
  pick(at) {
    const { input } = this;
    const name = this.options[at].dataset.metric ?? "";
    const typed = /@\s*([1-9][0-9]*)\s*$/.exec(input.value);
    input.value = `${name}@${typed ? typed[1] : this.choices.cutoff()}`;
    this.close();
    input.focus();
    input.setSelectionRange(name.length + 1, input.value.length);
    this.choices.picked(input.value);
  }
}

/** Without its cutoff, its parameters and its convention. @param {string} name */
const bare = (name) => name.replace(/^[a-z]+:/, "").split(/[@(]/)[0];

/** Letters of the same sound, as names are typed. @param {string} text */
const key = (text) => text.toLowerCase().replace(/[\s_-]+/g, "");

/** Families with those metrics alone that a text leads to, the nearest first.
 * @param {Family[]} families @param {string} text */
export function matching(families, text) {
  const typed = text.split(/[@(]/)[0].trim().toLowerCase();
  if (!typed) return families;
  const found = families.map((family) => {
    const metrics = family.metrics.map((metric) => ({ metric, far: distance(metric, family.title, typed) })).filter(({ far }) => far < Infinity);
    metrics.sort((a, b) => a.far - b.far);
    return { far: Math.min(...metrics.map(({ far }) => far)), family: { ...family, metrics: metrics.map(({ metric }) => metric) } };
  });
  return found.filter(({ family }) => family.metrics.length).sort((a, b) => a.far - b.far).map(({ family }) => family);
}

/** How far a metric is from what was typed: by its name, or by the words that are said of it.
 * @param {Listed} metric @param {string} title @param {string} typed */
function distance({ name, line, source, others, words }, title, typed) {
  const wanted = key(typed);
  if ([name, ...others].some((known) => key(known) === wanted)) return 0;
  if (key(name).startsWith(wanted)) return 1;
  if (key(name).includes(wanted)) return 2;
  const said = [name, ...others, title, line, source, words].join(" ").toLowerCase();
  return typed.split(/\s+/).every((word) => said.includes(word)) ? 3 : Infinity;
}

/** A family under its head. @param {Family} family @param {string} id @param {Set<string>} there */
function group({ title, about, metrics }, id, there) {
  return h("div", { role: "group", "aria-labelledby": id },
    h("div", { id, class: "dm-family", role: "presentation" }, h("b", {}, title), " ", h("span", { class: "dm-quiet" }, about)),
    metrics.map(({ name, line, source }, place) => h("div", { id: `${id}-${place}`, role: "option", class: "dm-option", "aria-selected": "false", "data-metric": name },
      h("span", { class: "dm-option-name" }, h("b", {}, name), " ", there.has(name) ? h("span", { class: "dm-there" }, "✓ in the lab") : null),
      h("span", { class: "dm-option-line" }, line, " ", h("span", { class: "dm-quiet" }, source)))));
}
