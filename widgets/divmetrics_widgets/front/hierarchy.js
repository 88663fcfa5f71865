// @ts-check
// The tree of a topic, one list, and what a metric and its intent-square form make of it.

import { Bench } from "./bench.js";
import { field, fixed, h, keepingFocus, mark, off, setPending, short, sum, tint, when } from "./common.js";
import { byId, gradeAt, gradeOf } from "./edits.js";
import { fullScreenButton } from "./full_screen.js";
import { columnsOf, crowdedColumns } from "./grid.js";
import { widget } from "./kernel.js";
/** @import { Given } from "./view.js" */
/** @import { Attributes, Child, Doc, Field, HierarchyTraits, Intent, Side, Subtopic } from "./types.js" */

const SIDE = /** @type {Side} */ ("A");
const LEAST = 560; // pixels that a list or a table needs beside another one
const DEEPEST = 20;

/** @extends {Bench<HierarchyTraits>} */
class Hierarchy extends Bench {
  constructor(/** @type {Given<HierarchyTraits>} */ given) {
    super(given, [SIDE]);
    this.sameDocs = true;
    this.needs = "[data-key=metric], [data-key=cutoff]";
    this.beyond = this.needs;
    this.words = { ...this.words, kept: "your list is kept", back: "your list" };
    this.barBox = this.place("bar");
    this.root.append(this.problemBox);
    this.scoresBox = this.place("scores");
    this.upperBox = this.place("upper");
    this.wordsBox = this.place("words");
    this.formsBox = this.place("forms");
    this.treeBox = h("div", { class: "dm-tree-box" });
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
    const { wide, width, history: { page: { topic, docs } } } = this;
    const room = wide ? (width - 20) * 0.56 : width;
    const titled = docs.some((doc) => doc.about);
    const plain = columnsOf(room, topic, false, titled);
    // Labels below their documents, rather than titles away.
    const below = plain.column < 24 || (plain.narrow && titled);
    return { wide, ...(below ? crowdedColumns(room, topic, false, []) : plain) };
  }

  draw() {
    const { past, future, page } = this.history;
    this.layout = this.fitted();
    this.root.classList.toggle("dm-beside", this.wide);
    this.root.classList.toggle("dm-narrow", this.layout.narrow);
    this.root.classList.toggle("dm-apart", this.layout.lines === 2);
    keepingFocus(this.root, () => {
      when(this.barBox, [page.topic, page.metrics, this.model.get("_squared"), past.length > 0, future.length > 0], () => [hierarchyBar(this)]);
      this.sides[0].grid.draw();
      this.drawScores();
    });
    setPending(this.root, this.pending);
  }

  drawScores() {
    const { results, layout } = this;
    const { topic, docs, lists } = this.history.page;
    when(this.scoresBox, [results, topic, docs, lists], () => bothScores(this));
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
    button("redo", "redo", "Ctrl+Shift+Z", () => history.redo(), history.future.length),
    fullScreenButton(lab.root));
}

/** Who serves an intent or a second-level subtopic, by a document's grade for it.
 * @typedef {{ rank: number, id: string, grade: number, beyond: boolean }} Server
 * @param {Hierarchy} lab @param {(doc: Doc) => number} gradeFor @returns {Server[]} */
function servers(lab, gradeFor) {
  const { docs, lists } = lab.history.page;
  const all = lists[SIDE].map((id, k) => ({ rank: k + 1, id, grade: gradeFor(byId(docs, id)), beyond: lab.cutoff > 0 && k >= lab.cutoff }));
  return all.filter(({ grade }) => grade);
}

/** @param {Hierarchy} lab @param {Intent} intent @param {Subtopic} child */
function serversBelow(lab, intent, child) {
  return servers(lab, ({ grades }) => gradeAt(grades, `${intent.id}/${child.id}`));
}

/** Those that a metric sees, above its cutoff. @param {Server[]} found */
function seen(found) {
  return found.filter(({ beyond }) => !beyond);
}

/** Both scores, each with what it looks at: so many intents, so many second-level subtopics, and which are served.
 * @param {Hierarchy} lab */
function bothScores(lab) {
  const { chosen = "", square = "", earned, below } = lab.results;
  const { intents } = lab.history.page.topic;
  const flat = intents.map((intent, place) => ({ place, served: [seen(servers(lab, (doc) => gradeOf(doc, intent))).length > 0] }));
  const under = intents.map((intent, place) => ({ place, served: intent.children.map((child) => seen(serversBelow(lab, intent, child)).length > 0) }));
  return [
    scoreCard(lab, chosen, earned?.[SIDE]?.score, "intents", flat),
    scoreCard(lab, square, earned && below?.score, "second-level subtopics", under),
  ];
}

/** @param {Hierarchy} lab @param {string} name @param {string | null | undefined} score @param {string} what
 * @param {{ place: number, served: boolean[] }[]} groups */
function scoreCard(lab, name, score, what, groups) {
  const every = groups.flatMap(({ served }) => served);
  const count = `${every.filter(Boolean).length} of ${every.length} ${what} served`;
  return h("div", { class: "dm-score-card", "data-card": what },
    h("p", {}, `${name} `, score ? h("b", { "data-score": "", "data-metric": name }, score) : h("span", { class: "dm-quiet" }, "not measured")),
    h("p", {}, h("span", { "data-count": "" }, count), lab.cutoff ? h("span", { class: "dm-quiet" }, ` down to rank ${lab.cutoff}`) : null),
    h("div", { class: "dm-pips", "aria-hidden": "true" }, groups.map(({ place, served }) =>
      h("span", {}, mark(lab.marks, place), served.map((is) => h("i", { class: is ? "dm-on" : null }))))));
}

/** Intents and, below each, its second-level subtopics: how many documents serve them, and at which ranks.
 * @param {Hierarchy} lab */
function tree(lab) {
  const { intents } = lab.history.page.topic;
  const below = lab.cutoff ? `, dashed: below the cutoff ${lab.cutoff}` : "";
  /** @param {string} text @param {string} [title] */
  const head = (text, title) => h("th", { scope: "col", title: title ?? null }, text);
  return [h("table", { class: "dm-tree" },
    h("caption", { class: "dm-quiet" }, `who serves what; each chip is a rank and its grade${below}`),
    h("thead", {}, h("tr", {}, head("subtopic"), head("p", "p(t|q) of an intent, p(e|t,q) of a second-level subtopic"), head("documents", "how many serve it, down to the cutoff"), head("first", "the rank of the first of them, or of the first below the cutoff"), head("at rank: grade"))),
    intents.map((intent, place) => h("tbody", { "data-intent": intent.id },
      servedRow(lab, intent, servers(lab, (doc) => gradeOf(doc, intent)), { scope: "rowgroup", class: "dm-branch" }, [mark(lab.marks, place), h("b", {}, intent.id)], null),
      intent.children.map((child) => {
        const found = serversBelow(lab, intent, child);
        const grades = found.map(({ rank, id, grade, beyond }) =>
          h("span", { class: `dm-served${beyond ? " dm-beyond" : ""}`, title: `${id} at rank ${rank} has grade ${grade}` }, mark(lab.marks, place), `rank ${rank}: ${grade}`));
        return servedRow(lab, child, found, { scope: "row" }, [child.id], grades, `${intent.id}/${child.id}`);
      }))))];
}

/** @param {Hierarchy} lab @param {Subtopic} of @param {Server[]} found @param {Attributes<"th">} attributes
 * @param {Child[]} head @param {Child[] | null} chips @param {string | null} [key] */
function servedRow(lab, of, found, attributes, head, chips, key = null) {
  const counted = seen(found).length;
  const later = found.length - counted;
  const served = counted > 0;
  const numbered = /^\d+$/.test(of.id) && of.label; // a number alone says nothing
  return h("tr", { "data-subtopic": key, "data-served": String(served) },
    h("th", { ...attributes, title: of.label || null }, head, numbered ? h("span", { class: "dm-quiet" }, ` ${of.label}`) : null),
    h("td", { class: "dm-number dm-quiet" }, of.probability.toFixed(3).replace(/^0\./, ".")),
    h("td", { class: "dm-number", "data-documents": counted }, counted || "none", later ? h("span", { class: "dm-quiet", title: `${later} more below the cutoff ${lab.cutoff}` }, ` +${later}`) : null),
    h("td", { class: `dm-number${served ? "" : " dm-quiet"}`, "data-first": found[0]?.rank ?? "" }, found.length ? found[0].rank : "–"),
    h("td", {}, chips?.length ? h("span", { class: "dm-chips" }, chips) : null));
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
  const added = (/** @type {number[]} */ values) => h("td", { class: "dm-total", title: fixed(sum(values), 4) }, decimals ? short(sum(values), decimals) : "");
  const by = square ? " by second-level subtopic" : " by intent";
  return h("section", { class: "dm-form", "data-form": square ? "square" : "flat", "aria-label": `${name}${by}` },
    h("h4", { role: "presentation" }, name, " = ", h("b", {}, score), h("span", { class: "dm-quiet" }, by)),
    h("table", { class: "dm-earnings" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "dm-owner" }, "rank"), ranks.map((k) => h("th", { scope: "col" }, k + 1)), h("th", { scope: "col", class: "dm-last" }, "sum"))),
      h("tbody", {}, rows.map(({ intent, place, owner }, r) => [
        square && owner === intent.children[0] ? h("tr", { class: "dm-group" }, h("th", { colspan: ranks.length + 2, scope: "rowgroup" }, mark(lab.marks, place), " ", intent.id)) : null,
        h("tr", { "data-row": square ? `${intent.id}/${owner.id}` : intent.id },
          h("th", { scope: "row", title: owner.label || null }, square ? "\u2003" : [mark(lab.marks, place), " "], owner.id), cells[r].map(cell), h("td", { class: "dm-total", "data-sum": "" }, short(sum(cells[r]), 4)))])),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "all"), ranks.map((k) => added(cells.map((row) => row[k]))), h("td", { class: "dm-total dm-score" }, score)))));
}

export default widget("hierarchy-lab", Hierarchy);
