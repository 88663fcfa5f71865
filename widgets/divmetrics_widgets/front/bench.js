// @ts-check
// What widgets with lists to be reordered share: the hands on one side, the kernel's numbers on the other.
// A widget of this kind has draw() for the page, drawScores() for the numbers, and fitted() for its layout.

import { focusOn, guarded, h, keepingFocus, same, setPending, statusLine, sum, when } from "./common.js";
import { intentIds } from "./edits.js";
import { Grid } from "./grid.js";
import { History } from "./history.js";

// Whatever the kernel has worked out, and so may be that of another page.
const NUMBERS = ".dm-label, .dm-sum, .dm-sums > *, .dm-scores td:not(:last-child), .dm-earnings td, [data-score], .dm-words-box p, .dm-verdict-box, .dm-best-box p, .dm-problem";

export class Bench {
  constructor(model, root, sides) {
    this.model = model;
    this.root = root;
    this.history = new History(model);
    this.marks = model.get("_marks");
    this.undoes = true;
    this.words = { kept: "your lists are kept", follow: "the numbers follow", back: "your lists" };
    this.active = Object.fromEntries(sides.map((side) => [side, null]));
    this.results = { rows: [] };
    this.measured = {};
    this.measuredPage = this.history.page;
    this.pressed = false;
    this.waiting = []; // drawings, until the button is released
    this.sides = sides.map((side) => ({ side, grid: new Grid(this, side) }));
  }

  /** Below all that was placed, the line that says what happened; and the hands are heard. */
  attend() {
    this.status = statusLine();
    this.root.append(this.status);
    this.root.addEventListener("keydown", (event) => this.keys(event));
    this.root.addEventListener("pointerdown", () => this.hold(), true);
  }

  place(...names) {
    for (const name of names) this.root.append((this[`${name}Box`] = h("div", { class: `dm-${name}-box` })));
  }

  start() {
    const { history, model } = this;
    history.told = (said) => {
      if (!this.adopt()) this.foresee();
      setPending(this.root, this.pending);
      this.soon(() => this.changed(said));
    };
    const listeners = {
      "change:_shown change:_edit": () => history.listen(),
      "change:_results change:_problem": () => this.soon(() => this.arrived()),
    };
    for (const [names, f] of Object.entries(listeners)) model.on(names, f);
    const watcher = new ResizeObserver(() => this.soon(() => this.resized()));
    watcher.observe(this.root);
    this.adopt();
    this.draw();
    this.tellProblem();
    return () => {
      watcher.disconnect();
      for (const [names, f] of Object.entries(listeners)) model.off(names, f);
    };
  }

  say(text) {
    this.status.textContent = text;
  }

  /** f: from a page to the page after it; said: what happened, in words, or a function of the new page. */
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

  soon(f) {
    const drawn = () => guarded(this.root, f);
    if (this.pressed || this.waiting.length) this.waiting.push(drawn);
    else drawn();
  }

  /** An edit: the lists change at once, the numbers follow. */
  changed(said) {
    const hadFocus = this.root.contains(document.activeElement);
    const { topic } = this.measuredPage;
    // Until the new numbers are there the old ones stay in their places, unless these are gone.
    if (this.pending && !same(intentIds(topic), intentIds(this.history.page.topic))) this.measured = {};
    this.withoutKernel();
    this.draw();
    if (hadFocus && this.focusNext) focusOn(this.root, this.focusNext);
    this.focusNext = null;
    if (said) this.say(said);
  }

  resized() {
    const width = this.root.clientWidth - 22;
    const before = JSON.stringify(this.layout);
    this.width = width;
    this.layout = this.fitted();
    if (JSON.stringify(this.layout) !== before) this.draw();
  }

  /** Are the numbers shown those of another page? */
  get pending() {
    return this.results.of !== this.history.name;
  }

  /** Say so at each number, when all is drawn. */
  markPending() {
    const { pending } = this;
    setPending(this.root, pending);
    if (!pending && !this.marked) return;
    this.marked = pending;
    for (const number of this.root.querySelectorAll(NUMBERS)) number.toggleAttribute("data-pending", pending);
  }

  stopped() {
    this.say("");
    this.withoutKernel();
    this.draw();
  }

  /** Numbers of another page than this, where no others come, are taken away. */
  withoutKernel() {
    if (this.kernel.state === "here") return;
    this.keep();
    if (!this.pending) return;
    this.results = { ...this.results, rows: [], earned: null, best: null, words: null };
    this.measured = {};
  }

  get kept() {
    return this.history.page;
  }

  takeBack(page) {
    this.history.edit(page, "your lists are back; undo leads to what the cell says");
  }

  /** The document with the focus: the kernel measures in advance where a move by one rank would bring it. */
  inHand(side, doc) {
    const hand = this.model.get("_hand");
    if (hand.side === side && hand.doc === doc) return;
    this.model.set("_hand", { side, doc });
    this.model.save_changes();
  }

  /** The numbers of a page that the kernel has measured before it was made. */
  foresee() {
    if (this.kernel.state !== "here") return;
    const { model, results, history: { page, name, before } } = this;
    const { of, pages = [] } = model.get("_ahead");
    if (of !== before || of !== results.of || ["topic", "docs", "metrics"].some((part) => page[part] !== this.measuredPage[part])) return;
    const found = pages.find(({ lists }) => Object.keys(lists).every((side) => same(lists[side], page.lists[side])));
    if (found) this.take({ ...results, ...found.results, of: name });
  }

  /** The kernel has said something. */
  arrived() {
    const { chosen, cutoff } = this;
    if (this.adopt()) {
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
    this.markPending();
  }

  /** The kernel's numbers are taken if they are new, and of this page. */
  adopt() {
    const results = this.model.get("_results");
    if (results === this.results || results.of !== this.history.name) return false;
    this.take(results);
    return true;
  }

  take(results) {
    this.results = results;
    this.chosen = results.chosen ?? "";
    this.cutoff = Number(/@(\d+)$/.exec(this.chosen)?.[1] ?? 0);
    this.measuredPage = this.history.page;
    this.measured = {};
    this.top = results.most;
    for (const [side, { cells, score }] of Object.entries(results.earned ?? {})) {
      const docs = this.history.page.lists[side];
      const at = (k) => cells.map((row) => row[k] ?? 0);
      this.measured[side] = {
        score,
        intents: cells.map(sum),
        after: cells.map((row) => sum(row.slice(docs.length))),
        docs: Object.fromEntries(docs.map((id, k) => [id, { cells: at(k), sum: sum(at(k)) }])),
      };
    }
  }

  keys(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("input:not([type=checkbox])")) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "y" || event.shiftKey) this.history.redo();
    else this.history.undo();
  }
}
