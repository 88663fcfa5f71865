// @ts-check
// Where a topic has dozens of intents: those that no list serves are folded away, and the others can be looked for.

import { all, h, mark, put, sum } from "./common.js";
import { leaves, served } from "./edits.js";
/** @import { Lab } from "./lab.js" */

export class Search {
  constructor(/** @type {Lab} */ view, /** @type {HTMLElement} */ box) {
    this.view = view;
    this.box = box;
    this.open = false; // are those shown that no list serves?
    this.topic = ""; // whose intents were shown
    this.shown = /** @type {Set<string>} */ (new Set()); // once shown, an intent stays: it may just have lost its last label
    this.here = /** @type {Set<string>} */ (new Set()); // served by a document of a list
    this.found = /** @type {Set<string>} */ (new Set()); // what is being looked for
    this.marked = false;
    // Made once: a redraw must not take a half-written word away.
    this.input = h("input", { type: "search", size: 22, "data-key": "find", placeholder: "a word, or a name", "aria-label": "find intents by name or text", autocomplete: "off", oninput: () => this.look(), onkeydown: (event) => this.keys(event) });
    this.count = h("span", { class: "dm-quiet" });
    this.list = h("ul", { class: "dm-matches", "aria-label": "intents found" });
    this.fold = h("button", { class: "dm-bare", "data-key": "fold", onclick: () => this.toggle() });
    this.hint = h("span", { class: "dm-quiet" });
  }

  /** The keys of what no document of the lists serves, and has no column. */
  folded() {
    const { page } = this.view.history;
    this.here = served(page);
    if (this.topic !== page.topic.id) this.shown.clear();
    this.topic = page.topic.id;
    if (this.open) return [];
    const away = leaves(page.topic).map(({ key }) => key).filter((key) => !this.here.has(key) && !this.shown.has(key));
    if (away.length < 2) return [];
    for (const key of this.here) this.shown.add(key);
    return away;
  }

  /** What the panel of intents is drawn from, besides the topic. */
  signature() {
    return [this.open, [...this.view.opened].join("\n"), this.folded().join("\n"), [...this.here].join("\n"), [...this.found].join("\n")];
  }

  /** The line for what is folded, or could be; nothing where all is served. */
  words() {
    const { topic } = this.view.history.page;
    const away = new Set(this.open ? leaves(topic).map(({ key }) => key).filter((key) => !this.here.has(key)) : this.folded());
    if (away.size < 2) return "";
    const probability = sum(leaves(topic).filter(({ key }) => away.has(key)).map((leaf) => leaf.probability));
    return `${away.size} ${this.noun} that no list here serves, probability ${probability.toFixed(4)} together`;
  }

  /** How many there are, in the place of a legend that nobody could read. */
  told() {
    const { topic } = this.view.history.page;
    const every = leaves(topic);
    const groups = this.noun === "subtopics" ? `${topic.intents.length} intents with ` : "";
    return `${groups}${every.length} ${this.noun}, ${every.filter(({ key }) => this.here.has(key)).length} of them served by A or B`;
  }

  get noun() {
    return this.view.history.page.topic.intents.some((t) => t.children.length) ? "subtopics" : "intents";
  }

  draw(/** @type {boolean} */ dozens) {
    if (!dozens) {
      this.found.clear();
      this.input.value = "";
      this.box.replaceChildren();
      return;
    }
    if (!this.box.firstChild) {
      this.box.append(h("div", { class: "dm-row" }, h("label", {}, "find intents ", this.input), this.count), this.list, h("div", { class: "dm-row" }, this.fold, this.hint));
    }
    const words = this.words();
    this.fold.hidden = !words;
    put(this.fold, `${this.open ? "▾" : "▸"} ${words}`);
    this.fold.setAttribute("aria-expanded", String(this.open));
    put(this.hint, this.view.layout.scrolls ? "the labels of a list scroll sideways" : "");
    this.tell();
  }

  toggle() {
    this.open = !this.open;
    this.shown.clear();
    this.view.draw();
    this.view.say(this.open ? `shown: ${this.words()}` : `folded: ${this.words()}`);
  }

  /** Of each intent: its mark, its name, what it means, and whether it is served. */
  tell() {
    const { intents } = this.view.history.page.topic;
    const every = leaves(this.view.history.page.topic);
    const found = every.filter(({ key }) => this.found.has(key));
    put(this.count, this.input.value.trim() ? `${found.length} of ${every.length} match` : "");
    this.list.hidden = !found.length;
    this.list.replaceChildren(...found.map(({ key, intent, label }) => h("li", {},
      mark(this.view.marks, intents.indexOf(intent)), " ", h("b", {}, key), ` ${label}`,
      this.here.has(key) ? null : h("span", { class: "dm-quiet" }, " (not served here)"))));
  }

  /** Another word was written. */
  look() {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const every = leaves(this.view.history.page.topic);
    this.found = new Set(words.length ? every.filter(({ key, intent, label }) => matches(words, `${key} ${intent.id} ${intent.label} ${label}`)).map(({ key }) => key) : []);
    this.view.draw();
    const names = [...this.found];
    this.view.say(words.length ? `${names.length} of ${every.length} ${this.noun} match${names.length ? `: ${names.slice(0, 12).join(", ")}${names.length > 12 ? " and more" : ""}` : ""}` : "");
  }

  keys(/** @type {KeyboardEvent} */ event) {
    if (event.key !== "Escape" || !this.input.value) return;
    event.preventDefault();
    this.input.value = "";
    this.look();
  }

  /** Show in the lists, their sums and the panel what is being looked for. */
  mark() {
    const { root } = this.view;
    if (this.marked) for (const element of all(root, ".dm-match")) element.classList.remove("dm-match");
    this.marked = this.found.size > 0;
    if (!this.marked) return;
    const above = new Set([...this.found].map((key) => key.split("/")[0]));
    for (const element of all(root, "[data-of], .dm-grid button[data-intent]")) {
      const { of = "", intent, child } = element.dataset;
      const key = child ? `${intent}/${child}` : intent ?? of;
      element.classList.toggle("dm-match", this.found.has(key) || (!key.includes("/") && above.has(key) && !element.matches("tr")));
    }
  }
}

/** Is each word in the text? A number is only found where it stands by itself. @param {string[]} words @param {string} text */
function matches(words, text) {
  const low = text.toLowerCase();
  const numbers = new Set(low.match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu));
  return words.every((word) => (/^\d+$/.test(word) ? numbers.has(word) : low.includes(word)));
}
