// @ts-check
// The tree of a topic, one list, and what a metric and its intent-square form make of it.

import { Bench } from "./bench.js";
import { field, fixed, h, keepingFocus, mark, off, short, sum, tint, when } from "./common.js";
import { byId, gradeAt } from "./edits.js";
import { columnsOf } from "./grid.js";
import { widget } from "./kernel.js";
/** @import { Given } from "./view.js" */
/** @import { Field, Attributes, HierarchyTraits, Side, Subtopic } from "./types.js" */

const SIDE = /** @type {Side} */ ("A");
const LEAST = 560; // pixels that a list or a table needs beside another one
const DEEPEST = 20;

/** @extends {Bench<HierarchyTraits>} */
class Hierarchy extends Bench {
  constructor(/** @type {Given<HierarchyTraits>} */ given) {
    super(given, [SIDE]);
    this.sameDocs = true;
    this.needs = "[data-key=metric], [data-key=cutoff]";
    this.words = { ...this.words, kept: "your list is kept", back: "your list" };
    this.barBox = this.place("bar");
    this.root.append(this.problemBox);
    this.upperBox = this.place("upper");
    this.wordsBox = this.place("words");
    this.formsBox = this.place("forms");
    this.treeBox = h("div", {});
    this.upperBox.append(this.treeBox, h("section", { class: "dm-list", "aria-label": "the list" }, this.sides[0].grid.table));
    this.attend();
  }

  start() {
    super.start();
    this.follow("change:_squared", () => this.soon(() => this.draw()));
  }

  get wide() {
    return this.width >= 2 * LEAST;
  }

  fitted() {
    const { width } = this;
    return { wide: this.wide, ...columnsOf(this.wide ? (width - 20) * 0.56 : width, this.history.page.topic, false) };
  }

  draw() {
    const { past, future, page } = this.history;
    this.layout = this.fitted();
    this.root.classList.toggle("dm-beside", this.wide);
    this.root.classList.toggle("dm-narrow", this.layout.narrow);
    keepingFocus(this.root, () => {
      when(this.barBox, [page.topic, page.metrics, this.model.get("_squared"), past.length > 0, future.length > 0], () => [hierarchyBar(this)]);
      this.sides[0].grid.draw();
      this.drawScores();
    });
    this.markPending();
  }

  drawScores() {
    const { results, layout } = this;
    const { topic, docs, lists } = this.history.page;
    when(this.treeBox, [topic, docs, lists, this.cutoff], () => tree(this));
    when(this.wordsBox, [results.words], () => (results.words ?? []).map((text) => h("p", {}, text)));
    when(this.formsBox, [results, layout.wide, this.width], () => forms(this));
  }

  choose(/** @type {string} */ name) {
    const { history } = this;
    history.edit({ ...history.page, metrics: [name] }, `measured by ${name}`);
  }
}

function hierarchyBar(/** @type {Hierarchy} */ lab) {
  const { history, model } = lab;
  const { topic, metrics } = history.page;
  const [name, cutoff] = metrics[0].split(/@(?=\d+$)/);
  const names = model.get("_squared");
  /** @param {string} key @param {string} text @param {string} title @param {() => void} onclick @param {number} now */
  const button = (key, text, title, onclick, now) => h("button", { "data-key": key, title, onclick, ...off(!now) }, text);
  const withCutoff = (/** @type {string} */ text, /** @type {Field} */ input) => {
    const wanted = Number(text);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= DEEPEST) return lab.choose(`${name}@${wanted}`);
    input.value = input.defaultValue = cutoff ?? "";
    lab.say(`the cutoff is a whole number from 1 to ${DEEPEST}`);
  };
  return h("div", { class: "dm-row" },
    h("span", { class: "dm-title" }, topic.title || topic.id),
    h("label", {}, "metric ", h("select", { "data-key": "metric", onchange: (event) => lab.choose(`${event.target.value}@${cutoff ?? DEEPEST}`) },
      (names.includes(name) ? names : [name, ...names]).map((other) => h("option", { value: other, selected: other === name }, other)))),
    h("label", {}, "at ", field("cutoff", cutoff ?? "", "cutoff", withCutoff, { type: "number", min: 1, max: DEEPEST, step: 1 })),
    button("undo", "undo", "Ctrl+Z", () => history.undo(), history.past.length),
    button("redo", "redo", "Ctrl+Shift+Z", () => history.redo(), history.future.length));
}

/** Intents and, below each, its second-level subtopics with the ranks that serve them. @param {Hierarchy} lab */
function tree(lab) {
  const { page } = lab.history;
  const key = h("p", { class: "dm-quiet" }, "intent p(t|q); below it subtopic p(e|t,q), and each rank of the list that serves it with the grade", lab.cutoff ? "; dashed: below the cutoff" : "");
  return [key, h("ul", { class: "dm-tree", "aria-label": "intents with p(t|q), second-level subtopics with p(e|t,q), and the ranks that serve them" }, page.topic.intents.map((intent, place) =>
    h("li", { "data-intent": intent.id },
      h("div", { class: "dm-branch", title: intent.label || null }, mark(lab.marks, place), h("b", {}, intent.id), probability(intent, "p(t|q)")),
      h("ul", {}, intent.children.map((child) => h("li", { "data-subtopic": `${intent.id}/${child.id}`, title: child.label || null },
        h("span", {}, child.id, " ", probability(child, "p(e|t,q)")), chips(lab, `${intent.id}/${child.id}`, place)))))))];
}

/** @param {Subtopic} of @param {string} title */
function probability({ probability: p }, title) {
  return h("span", { class: "dm-quiet", title }, p.toFixed(3).replace(/^0\./, "."));
}

function chips(/** @type {Hierarchy} */ lab, /** @type {string} */ key, /** @type {number} */ place) {
  const { docs, lists } = lab.history.page;
  const found = lists[SIDE].map((id, k) => ({ rank: k + 1, id, grade: gradeAt(byId(docs, id).grades, key) })).filter(({ grade }) => grade);
  if (!found.length) return h("span", { class: "dm-quiet" }, "not served");
  return h("span", { class: "dm-chips" }, found.map(({ rank, id, grade }) =>
    h("span", { class: `dm-served${lab.cutoff && rank > lab.cutoff ? " dm-beyond" : ""}`, title: `${id} at rank ${rank} has grade ${grade}` },
      mark(lab.marks, place), `rank ${rank}: ${grade}`)));
}

/** The metric and its intent-square form. @param {Hierarchy} lab */
function forms(lab) {
  const { chosen = "", earned, square = "", below } = lab.results;
  const flat = earned?.[SIDE];
  if (!flat || !below) return [];
  return [form(lab, chosen, flat.cells, flat.score, false), form(lab, square, below.leaves, below.score, true)];
}

/** One of the two forms: its score, and where it comes from, by intent or by second-level subtopic.
 * @param {Hierarchy} lab @param {string} name @param {number[][]} cells @param {string} score
 * @param {boolean} square */
function form(lab, name, cells, score, square) {
  const { topic } = lab.measuredPage;
  const rows = topic.intents.flatMap((intent, place) => (square ? intent.children : [intent]).map((owner) => ({ intent, place, owner })));
  const ranks = cells[0].map((_, k) => k);
  const table = lab.width / (lab.wide ? 2 : 1) - 190;
  const decimals = table / ranks.length >= 40 ? 4 : table / ranks.length >= 27 ? 2 : 0;
  const top = Math.max(...cells.flat().map(Math.abs), 1e-12);
  /** @param {number} value @param {number} k */
  const cell = (value, k) => h("td", { "data-rank": k + 1, title: fixed(value, 4), style: tint(value, top) }, decimals ? short(value, decimals) : "");
  /** @param {number[]} values @param {Attributes<"td">} [more] */
  const total = (values, more = {}) => h("td", { class: "dm-total", ...more }, short(sum(values), 4));
  return h("section", { class: "dm-form", "data-form": square ? "square" : "flat", "aria-label": name },
    h("h4", {}, name, " = ", h("span", { "data-score": "", "data-metric": name }, score), h("span", { class: "dm-quiet" }, square ? " by second-level subtopic" : " by intent")),
    h("table", { class: "dm-earnings" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "dm-owner" }, "rank"), ranks.map((k) => h("th", { scope: "col" }, k + 1)), h("th", { scope: "col", class: "dm-last" }, "sum"))),
      h("tbody", {}, rows.map(({ intent, place, owner }, r) => [
        square && owner === intent.children[0] ? h("tr", { class: "dm-group" }, h("th", { colspan: ranks.length + 2, scope: "rowgroup" }, mark(lab.marks, place), " ", intent.id)) : null,
        h("tr", { "data-row": square ? `${intent.id}/${owner.id}` : intent.id },
          h("th", { scope: "row", title: owner.label || null }, square ? "\u2003" : [mark(lab.marks, place), " "], owner.id), cells[r].map(cell), total(cells[r], { "data-sum": "" }))])),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "all"), ranks.map((k) => total(cells.map((row) => row[k]))), h("td", { class: "dm-total dm-score" }, score)))));
}

export default widget("hierarchy-lab", Hierarchy);
