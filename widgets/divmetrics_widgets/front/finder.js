// @ts-check
// Two metrics, a pool and a length: the lists on which the two metrics disagree.

import { guarded, h, keepingFocus, mark, onEnter, problemLine, put, setPending, suggestions } from "./common.js";
import { widget } from "./kernel.js";
import { View } from "./view.js";
/** @import { Given } from "./view.js" */
/** @import { Disagreement, FinderTraits, Question } from "./types.js" */

const WANTED = { margin: "disagree the most", edits: "disagree with the fewest edits" };
const LONGEST = 10;
const MODEL = "IPY_MODEL_"; // before the id of a widget that a trait holds

/** @extends {View<FinderTraits>} */
class Finder extends View {
  constructor(/** @type {Given<FinderTraits>} */ given) {
    super(given);
    this.labBox = h("div", { class: "dm-finder-lab" });
    this.root.after(this.labBox);
    this.needs = ".dm-finder-form :is(input, select, button), [data-key=open-lab]";
    this.words = { kept: "your question is kept", follow: "the answer follows", back: "your question" };
    this.form = finderForm(this);
    this.foundBox = h("div", { class: "dm-answer" });
    this.waiting = 0; // the token of what the kernel was asked
    this.opening = false; // was that for the lab?
    this.showing = false;
    this.closed = false;
    this.root.append(this.form, problemLine(this), this.foundBox, this.status);
  }

  start() {
    this.follow("change:_found", () => this.draw());
    this.follow("change:_choice", () => this.choose());
    this.follow("change:_asked", () => this.answered());
    this.follow("change:_opened change:_lab", () => guarded(this.root, () => this.showLab()));
    this.ends.push(() => {
      this.closed = true;
      this.lab?.remove();
    });
    this.choose();
    this.draw();
    this.showLab();
  }

  /** The form as the kernel has last understood it. */
  choose() {
    this.fill(this.model.get("_choice"));
  }

  fill(/** @type {Question} */ choice) {
    for (const [name, value] of Object.entries(choice)) this.field(name).value = String(value);
  }

  /** @param {string} name @returns {HTMLInputElement} */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name)); // .length would be their number
  }

  ask(/** @type {object} */ content, /** @type {string} */ said) {
    if (this.waiting) return;
    this.waiting = 1 + Math.floor(Math.random() * 2 ** 31); // no other view of this widget has the same
    setPending(this.root, true);
    put(this.status, said);
    this.model.send({ ...content, token: this.waiting });
  }

  find() {
    this.ask({ find: this.kept }, "searching …");
  }

  /** The question as it stands in the form. */
  get kept() {
    const [m1, m2, pool, find] = ["m1", "m2", "pool", "find"].map((name) => this.field(name).value.trim());
    return { m1, m2, pool, find, length: this.field("length").valueAsNumber };
  }

  takeBack(/** @type {Question} */ choice) {
    this.fill(choice);
    this.find();
  }

  stopped() {
    if (!this.waiting) return;
    this.waiting = 0;
    setPending(this.root, false);
    put(this.status, this.opening ? "the lab was not opened" : "the search has ended without an answer");
    this.opening = false;
  }

  answered() {
    if (this.model.get("_asked") !== this.waiting) return;
    this.waiting = 0;
    setPending(this.root, false);
    const { title } = this.model.get("_found");
    put(this.status, this.model.get("_problem") ? "not found: see above" : this.opening ? "the lab is open below" : title);
    this.opening = false;
  }

  draw() {
    const found = this.model.get("_found");
    keepingFocus(this.root, () => this.foundBox.replaceChildren(...foundParts(this, found)));
  }

  openLab() {
    this.opening = true;
    this.ask({ open: true }, "opening the lab …");
  }

  /** A view of the lab's own widget, below; made once. */
  async showLab() {
    const id = this.model.get("_lab");
    if (!this.model.get("_opened") || !id || this.showing) return;
    this.showing = true;
    try {
      const manager = this.model.widget_manager;
      if (!manager) throw new Error("this front end shows no widget inside another");
      const view = await manager.create_view(await manager.get_model(id.slice(MODEL.length)));
      if (this.closed) return view.remove();
      this.lab = view;
      this.labBox.replaceChildren(view.el);
    } catch (error) {
      guarded(this.root, () => { throw error; }); // what is awaited fails outside of the caller's guard
    }
  }
}

function finderForm(/** @type {Finder} */ finder) {
  const names = `dm-names-${Math.random().toString(36).slice(2)}`;
  const known = suggestions(finder, names, 5);
  const find = (/** @type {Event} */ event) => {
    event.preventDefault();
    finder.find();
  };
  /** @param {string} text @param {HTMLElement} field */
  const labelled = (text, field) => h("label", { class: "dm-field" }, h("span", { class: "dm-quiet" }, text), field);
  const metric = (/** @type {string} */ name) => h("input", { name, size: 16, "data-key": name, list: names, autocomplete: "off", spellcheck: "false" });
  const options = (/** @type {[value: string, text: string][]} */ pairs) => pairs.map(([value, text]) => h("option", { value }, text));
  return h("form", { class: "dm-row dm-finder-form", novalidate: true, onsubmit: find, onkeydown: onEnter(find) },
    labelled("metric 1", metric("m1")),
    labelled("metric 2", metric("m2")),
    known,
    labelled("judged documents of", h("select", { name: "pool", "data-key": "pool" }, options(finder.model.get("_pools").map((name) => [name, name])))),
    labelled("length", h("input", { name: "length", type: "number", min: 1, max: LONGEST, step: 1, "data-key": "length" })),
    labelled("two lists that", h("select", { name: "find", "data-key": "find" }, options(Object.entries(WANTED)))),
    h("button", { "data-key": "find-lists" }, "find"));
}

function foundParts(/** @type {Finder} */ finder, /** @type {FinderTraits["_found"]} */ found) {
  const title = h("p", { class: "dm-answer-title" }, found.title);
  if (!found.rows) return [title];
  const { A, B } = found.lists;
  const ranks = A.map((doc, k) => h("tr", { class: doc === B[k] ? null : "dm-differs" },
    h("th", { scope: "row", class: "dm-number" }, k + 1, doc === B[k] ? null : h("span", { title: "the lists differ here" }, " ≠")),
    h("td", { "data-side": "A" }, documentParts(finder, found, doc)),
    h("td", { "data-side": "B" }, documentParts(finder, found, B[k]))));
  const scores = found.rows.map((row) => h("tr", {},
    h("th", { scope: "row" }, row.metric),
    row.scores.map((score, i) => h("td", { class: "dm-number", "data-score": "", "data-metric": row.metric, "data-list": "AB"[i] }, score)),
    h("td", { class: "dm-number" }, row.difference.replace("-", "−")),
    h("td", {}, row.prefers === "A" ? "◀ A" : "▶ B")));
  return [
    title,
    h("table", { class: "dm-answer-lists" }, heads("rank", "list A", "list B"), h("tbody", {}, ranks)),
    h("p", { class: "dm-quiet" }, found.what),
    h("table", { class: "dm-answer-scores" }, heads("metric", "A", "B", "A − B", "prefers"), h("tbody", {}, scores)),
    h("ul", { class: "dm-reasons" }, found.reasons.map((text) => h("li", {}, text))),
    h("button", { type: "button", "data-key": "open-lab", onclick: () => finder.openLab() }, "open in the lab"),
  ];
}

/** @param {...string} names */
function heads(...names) {
  return h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name))));
}

/** A document: its name, its labels with their intents' marks, and what it is about.
 * @param {Finder} finder @param {Disagreement} found @param {string} id */
function documentParts(finder, found, id) {
  const { about, grades } = found.docs[id];
  const labels = Object.entries(grades).map(([key, grade]) =>
    h("span", { class: "dm-labelled" }, mark(finder.marks, found.places[key]), ` ${key} ${grade}`));
  return [h("b", {}, id), " ", labels.length ? labels : h("span", { class: "dm-quiet" }, "not relevant"), about ? h("span", { class: "dm-answer-about" }, about) : null];
}

export default widget("disagreement-finder", Finder);
