// @ts-check
// Two metrics, a pool and a length: the lists on which the two metrics disagree.

import { LabBelow } from "./below.js";
import { h, mark, named, onEnter, problemLine, put, setPending, suggestions, when } from "./common.js";
import { widget } from "./kernel.js";
import { View } from "./view.js";
/** @import { Given } from "./view.js" */
/** @import { Child, Disagreement, FinderTraits, Question } from "./types.js" */

const WANTED = { margin: "disagree the most", edits: "disagree with the fewest edits" };
const LONGEST = 10;
const MOST = 2_000_000; // lists, as in finder.py
const NUMBERS = /** @type {const} */ (["length", "budget", "seed"]);

/** @extends {View<FinderTraits>} */
class Finder extends View {
  constructor(/** @type {Given<FinderTraits>} */ given) {
    super(given);
    this.below = new LabBelow(this);
    this.needs = ".dm-finder-form :is(input, select, button), [data-key=open-lab]";
    this.alone = Boolean(given.model.alone); // what needs a kernel is not drawn where there will never be one
    this.beyond = "[data-key=open-lab]";
    this.words = { kept: "your question is kept", follow: "the answer follows", back: "your question" };
    this.form = finderForm(this);
    const { length, pool } = given.model.get("_choice");
    this.within = `every two of these metrics on lists of ${length} documents of ${pool}`;
    this.without = "another metric, topic or length";
    this.foundBox = h("div", { class: "dm-answer" });
    this.searching = searching(this);
    this.waiting = 0; // the token of what the kernel was asked
    this.opening = false; // was that for the lab?
    this.root.append(this.form, problemLine(this), this.searching.box, this.foundBox, this.status);
  }

  start() {
    this.follow("change:_found", () => this.draw());
    this.follow("change:_choice", () => this.choose());
    this.follow("change:_progress", () => this.progressed());
    this.form.addEventListener("input", () => (this.alone ? this.lookUp() : this.draw()));
    this.follow("change:_asked", () => this.answered());
    this.below.start();
    this.choose();
  }

  /** The form as the kernel has last understood it. */
  choose() {
    this.fill(this.model.get("_choice"));
    this.draw();
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
    this.draw();
    this.model.send({ ...content, token: this.waiting });
  }

  find() {
    this.searching.box.hidden = true; // until the kernel has begun
    this.ask({ find: this.kept }, "searching …");
  }

  /** On a page without a kernel answers are there before the question. */
  lookUp() {
    this.write("_choice", this.kept);
    put(this.status, this.model.get("_found").title);
  }

  /** How far the kernel is with what was asked here. */
  progressed() {
    if (!this.waiting || this.opening) return;
    const [scored, of] = this.model.get("_progress");
    const { box, bar, words } = this.searching;
    box.hidden = false;
    bar.max = of;
    bar.value = scored;
    put(words, `${scored.toLocaleString("en")} of ${of.toLocaleString("en")} lists scored`);
  }

  /** The kernel is at this search, and hears nothing else but this. */
  async stop() {
    put(this.status, "stopping …");
    await this.model.widget_manager?.kernel?.interrupt?.();
  }

  /** The question as it stands in the form. */
  get kept() {
    const [m1, m2, pool, find] = ["m1", "m2", "pool", "find"].map((name) => this.field(name).value.trim());
    const [length, budget, seed] = NUMBERS.map((name) => this.field(name).valueAsNumber);
    return { m1, m2, pool, find, length, budget, seed };
  }

  /** Is the answer one to what stands in the form, and no other one on its way? */
  get current() {
    const { kept } = this;
    const choice = this.model.get("_choice");
    const asked = /** @type {(keyof Question)[]} */ (Object.keys(kept)).every((name) => kept[name] === choice[name]);
    return asked && (!this.waiting || this.opening);
  }

  takeBack(/** @type {Question} */ choice) {
    this.fill(choice);
    this.find();
  }

  stopped() {
    if (!this.waiting) return;
    this.ended();
    put(this.status, this.opening ? "the lab was not opened" : "the search has ended without an answer");
    this.opening = false;
    this.draw();
  }

  ended() {
    this.waiting = 0;
    this.searching.box.hidden = true;
    setPending(this.root, false);
  }

  answered() {
    if (this.model.get("_asked") !== this.waiting) return;
    this.ended();
    const { title } = this.model.get("_found");
    const problem = this.model.get("_problem");
    put(this.status, problem ? "not found: see above" : this.opening ? "the lab is open below" : title);
    if (this.opening && !problem) this.below.enter();
    this.opening = false;
    this.draw();
  }

  draw() {
    const found = this.model.get("_found");
    // The button that opens the lab stays under the hand while the kernel is at work on it.
    when(this.foundBox, [found, this.current, !this.current && this.waiting], () => (this.current ? foundParts(this, found) : unanswered(this)));
  }

  openLab() {
    this.opening = true;
    this.ask({ open: true }, "opening the lab …");
  }
}

function finderForm(/** @type {Finder} */ finder) {
  const names = `dm-names-${Math.random().toString(36).slice(2)}`;
  const known = suggestions(finder, names, 5);
  const find = (/** @type {Event} */ event) => {
    event.preventDefault();
    finder.find();
  };
  const { alone, model } = finder;
  /** @param {string} text @param {HTMLElement} field @param {boolean} [hidden] */
  const labelled = (text, field, hidden = false) => h("label", { class: "dm-field", hidden }, h("span", { class: "dm-quiet" }, text), field);
  const metric = (/** @type {string} */ name) => alone
    ? h("select", { name, "data-key": name }, options(model.get("_names").map((one) => [one, one])))
    : h("input", { name, size: 16, "data-key": name, list: names, autocomplete: "off", spellcheck: "false" });
  const options = (/** @type {[value: string, text: string][]} */ pairs) => pairs.map(([value, text]) => h("option", { value }, text));
  return h("form", { class: "dm-row dm-finder-form", novalidate: true, onsubmit: find, onkeydown: onEnter(find) },
    labelled("metric 1", metric("m1")),
    labelled("metric 2", metric("m2")),
    alone ? null : known,
    labelled("judged documents of", h("select", { name: "pool", "data-key": "pool" }, options(model.get("_pools").map((name) => [name, name]))), alone),
    labelled("two lists that", h("select", { name: "find", "data-key": "find" }, options(Object.entries(WANTED)))),
    labelled("length", h("input", { name: "length", type: "number", min: 1, max: LONGEST, step: 1, "data-key": "length" }), alone),
    labelled("budget, in lists", h("input", { name: "budget", type: "number", min: 1, max: MOST, step: 1, "data-key": "budget", title: "at most this many lists are scored; if there are no more, the answer is exact" }), alone),
    labelled("seed", h("input", { name: "seed", type: "number", min: 0, step: 1, "data-key": "seed", title: "for the random lists of a search; the same seed gives the same answer" }), alone),
    alone ? null : h("button", { "data-key": "find-lists" }, "find"));
}

/** A bar, its number in words, and a button, while a search takes long. @param {Finder} finder */
function searching(finder) {
  const bar = h("progress", { "aria-label": "lists scored" });
  const words = h("span", { class: "dm-quiet" });
  const stop = finder.model.widget_manager?.kernel?.interrupt ? h("button", { type: "button", "data-key": "stop", title: "interrupts the kernel", onclick: () => finder.stop() }, "stop") : null;
  return { bar, words, box: h("div", { class: "dm-row dm-searching", hidden: true }, bar, words, stop) };
}

/** In the place of an answer to another question. @param {Finder} finder */
function unanswered(finder) {
  return finder.waiting ? [] : [h("p", { class: "dm-quiet" }, "Press find for the answer to this question.")];
}

function foundParts(/** @type {Finder} */ finder, /** @type {FinderTraits["_found"]} */ found) {
  const title = h("p", { class: "dm-answer-title" }, found.title);
  if (!found.rows) return [title];
  const { A, B } = found.lists;
  const ranks = A.map((doc, k) => h("tr", { class: doc === B[k] ? null : "dm-differs" },
    h("th", { scope: "row", class: "dm-number" }, k + 1, doc === B[k] ? null : h("span", { title: "the lists differ here" }, " ≠")),
    h("td", { "data-side": "A", "data-doc": doc }, documentParts(finder, found, doc)),
    h("td", { "data-side": "B", "data-doc": B[k] }, documentParts(finder, found, B[k]))));
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
    finder.alone ? "" : h("button", { type: "button", "data-key": "open-lab", onclick: () => finder.openLab() }, "open in the lab"),
  ];
}

/** @param {...string} names */
function heads(...names) {
  return h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name))));
}

/** The name of an intent, and of its subtopic, which begins a line where both have no room on one.
 * @param {string} key @returns {Child[]} */
function broken(key) {
  const [intent, ...rest] = key.split("/");
  return rest.length ? [`${intent}/`, h("wbr"), rest.join("/")] : [intent];
}

/** A document: what it is about, its id, and its labels with their intents' marks.
 * @param {Finder} finder @param {Disagreement} found @param {string} id */
function documentParts(finder, found, id) {
  const { about, grades } = found.docs[id];
  const labels = Object.entries(grades).map(([key, grade]) =>
    h("span", { class: "dm-labelled" }, mark(finder.drawn, found.marks[key]), h("span", {}, broken(key), `\u00a0${grade}`)));
  return [named(id, about), " ", labels.length ? labels : h("span", { class: "dm-quiet" }, "not relevant")];
}

export default widget("disagreement-finder", Finder);
