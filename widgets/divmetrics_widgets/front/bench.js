// @ts-check
// What widgets with lists to be reordered share: the hands on one side, the kernel's numbers on the other.
// A widget of this kind has draw() for the page, drawScores() for the numbers, and fitted() for its layout.

import { focusOn, guarded, h, keepingFocus, same, setPending, sum, when } from "./common.js";
import { intentIds } from "./edits.js";
import { Flowing } from "./flowing.js";
import { GradesAhead } from "./grades_ahead.js";
import { columnsOf, Grid } from "./grid.js";
import { History } from "./history.js";
import { marksAt, placesOf } from "./marks.js";
import { View } from "./view.js";
/** @import { Hear } from "./requests.js" */
/** @import { Given } from "./view.js" */
/** @import { Answers, BenchTraits, Doc, Mark, Measured, Model, Page, Results, Side, Topic } from "./types.js" */

/** @typedef {ReturnType<typeof columnsOf> & { stacked?: boolean, wide?: boolean }} Layout */

/** @template {BenchTraits} T @extends {View<T>} */
export class Bench extends View {
  constructor(/** @type {Given<T>} */ given, /** @type {Side[]} */ sides) {
    super(given);
    this.root.classList.add("dm-bench");
    this.history = new History(/** @type {Model<any>} */ (this.model));
    this.undoes = true;
    this.words = { kept: "your lists are kept", follow: "the numbers follow", back: "your lists" };
    this.active = /** @type {Partial<Record<Side, string>>} */ ({}); // the data-key that had the focus last
    this.focusNext = /** @type {string | null} */ (null);
    this.ordered = /** @type {{ intents: Topic["intents"], marks: Mark[] } | null} */ (null); // marks as intents have them
    this.levels = false; // are second-level subtopics shown?
    this.sameDocs = false; // do documents only move?
    this.alone = Boolean(this.model.alone); // what needs a kernel is not drawn where there will never be one
    this.width = 700; // until it is known
    this.layout = this.fitted();
    this.results = /** @type {Results} */ ({ rows: [] });
    this.chosen = ""; // the metric whose numbers are shown
    this.cutoff = 0;
    this.top = 0; // the most that a label earns
    this.scale = 1; // of what is drawn behind the lists: the same for all
    this.measured = /** @type {Partial<Record<Side, Measured>>} */ ({});
    this.measuredPage = this.history.page;
    this.pressed = false;
    this.waiting = /** @type {(() => void)[]} */ ([]); // drawings, until the button is released
    this.asked = /** @type {Map<string, () => void>} */ (new Map()); // by kind, what ends the waiting for the last request
    this.unsent = /** @type {Map<string, () => void>} */ (new Map()); // by kind, the request that waits for the scores of its page
    this.ends.push(() => { for (const end of this.asked.values()) end(); });
    this.problemBox = h("div", { class: "dm-problem-box" });
    this.sides = sides.map((side) => ({ side, grid: new Grid(this, side) }));
    this.flowing = new Flowing(this);
    this.gradesAhead = new GradesAhead(this);
  }

  /** The marks of the page's intents, in their order. */
  get marks() {
    const { intents } = this.history.page.topic;
    if (this.ordered?.intents !== intents) this.ordered = { intents, marks: marksAt(this.drawn, placesOf(intents)) };
    return this.ordered.marks;
  }

  /** How a list fits into the width. @returns {Layout} */
  fitted() {
    return columnsOf(this.width, this.history.page.topic, this.levels);
  }

  /** Draw the page, */
  draw() {}

  /** and the numbers on it: of each bench its own. */
  drawScores() {}

  /** Below all that was placed, the line that says what happened; and the hands are heard. */
  attend() {
    this.root.append(this.status);
    this.root.addEventListener("keydown", (event) => this.keys(event));
    this.root.addEventListener("pointerdown", ({ target }) => {
      if (!(target instanceof Element && target.closest("[role=slider]"))) this.hold(); // one is followed while it moves
    }, true);
  }

  place(/** @type {string} */ name) {
    const box = h("div", { class: `dm-${name}-box` });
    this.root.append(box);
    return box;
  }

  start() {
    const { history } = this;
    history.onChange = (said) => {
      this.flowing.depart();
      if (!this.adopt()) this.foresee();
      setPending(this.root, this.pending);
      this.soon(() => this.changed(said));
    };
    this.follow("change:_shown change:_edit", () => history.listen());
    this.follow("change:_results", () => this.sendUnsent());
    this.follow("change:_results change:_problem", () => this.soon(() => this.arrived()));
    this.followSize(() => this.soon(() => this.resized()));
    this.measureWidth();
    this.layout = this.fitted();
    this.adopt();
    this.draw();
    this.tellProblem();
  }

  /** f: from a page to the page after it; said: what happened, in words, or a function of the new page.
   * @param {(page: Page) => Page} f @param {string | ((page: Page) => string)} said */
  edit(f, said) {
    const page = f(this.history.page);
    this.history.edit(page, typeof said === "function" ? said(page) : said);
  }

  /** While a button is being pressed nothing is drawn anew: what is under the finger would be gone. */
  hold() {
    this.pressed = true;
    const done = new AbortController();
    const release = () => {
      done.abort();
      this.pressed = false;
      setTimeout(() => { // what waits is drawn when the click, which comes after the release, has been heard
        if (!this.pressed) for (const f of this.waiting.splice(0)) f();
      });
    };
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, release, { capture: true, signal: done.signal });
  }

  soon(/** @type {() => void} */ f) {
    const drawn = () => guarded(this.root, f);
    if (this.pressed || this.waiting.length) this.waiting.push(drawn);
    else drawn();
  }

  /** An edit: the lists change at once, the numbers follow. @param {string} said */
  changed(said) {
    const hadFocus = this.root.contains(document.activeElement);
    const { topic } = this.measuredPage;
    // Until the new numbers are there the old ones stay in their places, unless these are gone.
    if (this.pending && !same(intentIds(topic), intentIds(this.history.page.topic))) this.measured = {};
    this.withoutKernel();
    this.flowing.depart();
    this.draw();
    if (hadFocus && this.focusNext) focusOn(this.root, this.focusNext);
    this.focusNext = null;
    if (said) this.say(said);
  }

  /** Ask the kernel; its answers are heard until something else of this kind is asked.
   * @template {keyof Answers} Kind @param {Kind} kind @param {object} args @param {Hear<Answers[Kind]>} hear */
  request(kind, args, hear) {
    this.asked.get(kind)?.();
    this.asked.set(kind, this.kernel.requests.send(kind, args, hear));
  }

  /** Ask about the page in hand once the kernel has scored it, since a request can overtake an edit that still waits to
   * be sent; an answer that comes when the page is past is dropped.
   * @template {keyof Answers} Kind @param {Kind} kind @param {object} args @param {Hear<Answers[Kind]>} hear */
  askAbout(kind, args, hear) {
    const of = this.history.name;
    const isCurrent = () => of === this.history.name;
    const send = () => this.request(kind, { of, ...args }, (answer) => this.soon(() => { if (isCurrent()) hear(answer); }));
    if (this.model.get("_results").of === of) send();
    else this.unsent.set(kind, () => { if (isCurrent()) send(); });
  }

  sendUnsent() {
    const unsent = [...this.unsent.values()];
    this.unsent.clear();
    for (const send of unsent) send();
  }

  resized() {
    const before = JSON.stringify(this.layout);
    this.measureWidth();
    this.layout = this.fitted();
    if (JSON.stringify(this.layout) !== before) this.draw();
  }

  /** Be laid out for no less than so many pixels. @param {number} least */
  widen(least) {
    this.width = Math.max(this.width, least);
  }

  measureWidth() {
    if (!this.root.clientWidth) return; // not on the screen yet
    const { paddingLeft, paddingRight } = getComputedStyle(this.root);
    this.width = this.root.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  }

  /** Are the numbers shown those of another page? */
  get pending() {
    return this.results.of !== this.history.name;
  }

  stopped() {
    this.say("");
    this.withoutKernel();
    this.draw();
  }

  /** Numbers of another page than this, where no others come, are taken away. */
  withoutKernel() {
    if (this.kernel.answers) return;
    this.keep();
    if (!this.pending) return;
    this.results = { ...this.results, rows: [], earned: null, best: null, parts: "", words: null, walk: null, goal: undefined };
    this.measured = {};
  }

  get kept() {
    return this.history.page;
  }

  takeBack(/** @type {Page} */ page) {
    this.history.edit(page, "your lists are back; undo leads to what the cell says");
  }

  /** The document with the focus: the kernel measures in advance where a move by one rank would bring it.
   * @param {Side} side @param {string} doc */
  inHand(side, doc) {
    const hand = this.model.get("_hand");
    if (hand.side === side && hand.doc === doc) return;
    this.write("_hand", { side, doc });
  }

  /** The document that is dragged would land at this rank of its own list; 0 for nowhere. @param {number} _rank */
  aimed(_rank) {}

  /** The numbers of a page that the kernel has measured before it was made; false where it has not. */
  foresee() {
    if (this.kernel.state !== "here") return false;
    const { model, results, history: { page, name, before } } = this;
    const { of, pages = [] } = model.get("_ahead");
    const measured = this.measuredPage;
    if (before !== results.of || page.topic !== measured.topic || page.metrics !== measured.metrics) return false;
    const standing = (/** @type {{ lists: Page["lists"] }} */ { lists }) => this.sides.every(({ side }) => same(lists[side], page.lists[side]));
    const moved = page.docs === measured.docs && of === before ? pages.find(standing) : undefined;
    const found = moved ?? (standing(measured) ? this.gradesAhead.find(measured) : undefined);
    if (found) this.take({ ...found.results, of: name });
    return Boolean(found);
  }

  /** The kernel has said something. */
  arrived() {
    const { chosen, cutoff } = this;
    if (this.adopt() || (this.pending && this.foresee())) {
      keepingFocus(this.root, () => {
        if (this.chosen === chosen && this.cutoff === cutoff) for (const { grid } of this.sides) grid.measure();
        else this.draw();
        this.drawScores();
      });
    }
    this.tellProblem();
  }

  tellProblem() {
    const problem = this.model.get("_problem");
    when(this.problemBox, [problem], () => (problem ? [h("p", { class: "dm-problem", role: "alert" }, problem)] : []));
    setPending(this.root, this.pending);
  }

  /** The kernel's numbers are taken if they are new, and of this page. */
  adopt() {
    const results = this.model.get("_results");
    if (results === this.results || results.of !== this.history.name) return false;
    this.take(results);
    return true;
  }

  take(/** @type {Results} */ results) {
    if (results.of === this.results.of) this.gradesAhead.forget(results.of);
    this.results = results;
    this.chosen = results.chosen ?? "";
    this.cutoff = Number(/@(\d+)$/.exec(this.chosen)?.[1] ?? 0);
    this.measuredPage = this.history.page;
    this.gradesAhead.rest();
    this.measured = {};
    this.top = results.most ?? 0;
    let most = 0;
    for (const { side } of this.sides) {
      const earned = results.earned?.[side];
      if (!earned) continue;
      const { cells, score } = earned;
      const docs = this.history.page.lists[side];
      const labels = docs.map((_, k) => {
        const own = cells.map((row) => row[k] ?? 0);
        return { cells: own, sum: sum(own) };
      });
      let sofar = 0;
      for (const label of labels) {
        sofar += label.sum;
        most = Math.max(most, sofar);
      }
      this.measured[side] = {
        score,
        intents: cells.map(sum),
        after: cells.map((row) => sum(row.slice(docs.length))),
        docs: new Map(docs.map((id, k) => [id, labels[k]])),
      };
    }
    this.scale = nextTenth(most);
  }

  keys(/** @type {KeyboardEvent} */ event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (event.target instanceof Element && event.target.matches("input:not([type=checkbox]), textarea:not([readonly])"))) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "y" || event.shiftKey) this.history.redo();
    else this.history.undo();
  }
}

/** The end of a scale that starts at 0: a little more than the largest value on it. @param {number} value */
function nextTenth(value) {
  const step = 10 ** Math.floor(Math.log10(value || 1));
  return step * (Math.ceil(value / step) || 1);
}
