// @ts-check
// The lab: two lists, what the metrics make of them, and where the scores come from.

import { Bench } from "./bench.js";
import { attribute, guarded, h, keepingFocus, off, onEnter, put, same, setPending, when } from "./common.js";
import { Flipping } from "./flipping.js";
import { fullScreenButton } from "./full_screen.js";
import { crowded, gradeOf, has, inserted, invented, mixable, withList } from "./edits.js";
import { Search } from "./search.js";
import { shareLab } from "./share.js";
import { columnsOf, crowdedLayout, layoutOf } from "./grid.js";
import { OTHER } from "./hands.js";
import { intentsPanel } from "./intents.js";
import { widget } from "./kernel.js";
import { Lights } from "./lights.js";
import { Mixing } from "./mix.js";
import { menuOfQuestions, questionOf } from "./examples.js";
import { Picker } from "./picker.js";
import { ReaderLine } from "./readers.js";
import { Trail } from "./trail.js";
import { Walking } from "./walking.js";
/** @import { Given } from "./view.js" */
/** @import { History, Removed } from "./history.js" */
/** @import { Attributes, Doc, Family, LabTraits, Results, Scored, Side } from "./types.js" */

const PAPER = 1000; // pixels: as laid out for so many, both lists stand on a page, with the smaller letters of paper

/** @extends {Bench<LabTraits>} */
export class Lab extends Bench {
  constructor(/** @type {Given<LabTraits>} */ given) {
    super(given, ["A", "B"]);
    this.needs = "[data-key=preset], [data-key=best], [data-key$='|walk'], [data-key=walk-close], .dm-add :is(input, button), .dm-scores th button, .dm-best-box button, [data-key^='flip|'], [data-key=flip-keep], [data-key=mix-intent]";
    if (mixable(given.model.get("_shown").topic.intents)) this.within += ", and other mixes of readers";
    this.beyond = ".dm-intents :is(input, select, button)";
    this.without = "another grade, document or metric";
    this.printed = false;
    this.rescale = true;
    this.intentsOpen = false;
    this.opened = /** @type {Set<string>} */ (new Set()); // intents whose subtopics are shown, where there are dozens
    this.added = ""; // the metric that was added last, until the kernel has heard of it
    this.cheered = false; // has it been said that the goal is reached?
    this.goalBox = h("div", { class: "dm-goal-box" });
    this.barBox = h("div", { class: "dm-bar-box" });
    this.place("top").append(this.goalBox, this.barBox);
    this.questionBox = this.place("question");
    this.around = 0; // a frame
    this.heights = /** @type {unknown[]} */ ([]); // what the heights above the lists hang on
    this.ends.push(() => cancelAnimationFrame(this.around));
    this.search = new Search(this, this.place("find"));
    this.intentsBox = this.place("intents");
    this.mixing = new Mixing(this, this.place("mix"));
    this.intentsBox.addEventListener("focusin", ({ target }) => {
      const id = target instanceof Element && target.closest("[data-intent-row]")?.getAttribute("data-intent-row");
      if (id) this.mixing.take(id);
    });
    this.boardBox = this.place("board"); // which stays in sight
    this.scoresBox = h("div", { class: "dm-scores-box", role: "group", "aria-label": "scores of both lists" });
    this.verdictBox = h("p", { class: "dm-verdict-box" });
    this.trail = new Trail(this);
    this.boardBox.append(this.scoresBox, h("div", { class: "dm-verdicts" }, this.trail.words, this.verdictBox));
    this.listsBox = this.place("lists");
    this.lights = new Lights(this, this.place("lights"));
    this.walkBox = this.place("walk");
    this.walking = new Walking(this.drawn, () => {});
    this.ends.push(() => this.walking.pause());
    this.bestBox = this.place("best");
    this.readers = new ReaderLine(this, this.place("reader"), this.scoresBox);
    this.movedLine = h("p", { class: "dm-moved", role: "status" }); // a list's score moved that was not touched
    this.root.append(this.movedLine);
    this.flipping = new Flipping(this, h("div", { class: "dm-flip-box" }));
    if (!this.alone) this.root.append(this.flipping.box);
    this.tools = { A: h("div", { class: "dm-row" }), B: h("div", { class: "dm-row" }) };
    this.listsBox.append(...this.sides.map(({ side, grid }) =>
      h("div", { class: "dm-list", role: "group", "aria-label": `list ${side}` }, h("h4", { role: "presentation" }, side), grid.table, this.tools[side])));
    this.metricBox = h("div", { class: "dm-returned", role: "status" });
    this.picker = pickerOf(this);
    if (!this.alone) this.root.append(metricForm(this), this.metricBox); // made once: a redraw must not take a half-written name away
    this.partsLine = h("p", { class: "dm-parts" }); // why two metrics part
    this.root.append(this.partsLine);
    this.root.append(this.problemBox);
    this.stateBox = this.place("state");
    this.attend();
  }

  fitted() {
    const { topic, docs } = this.history.page;
    const titled = docs.some((doc) => doc.about);
    const plain = layoutOf(this.width, topic, this.levels, titled);
    const dozens = crowded(topic) && (this.levels || topic.intents.length > 24);
    if (dozens) return crowdedLayout(this.width, topic, this.levels, this.search?.folded() ?? []);
    // One list below the other, or labels below their documents, rather than titles away.
    const whole = columnsOf(this.width, topic, this.levels, titled);
    const long = docs.some((doc) => doc.id.length > 9); // would break within the word
    if (plain.narrow && (titled || long) && !whole.narrow && whole.column >= 24) return { stacked: true, ...whole };
    return plain.column < 24 || (plain.narrow && (titled || crowded(topic))) ? crowdedLayout(this.width, topic, this.levels, []) : plain;
  }

  start() {
    const { history } = this;
    const { name: _, ...made } = this.model.get("_shown"); // what the page was made with, whatever its address says
    const opening = this.model.alone ? made : history.first;
    const begin = () => { history.first = this.model.get("_goal").start ?? opening; };
    begin();
    this.follow("change:_goal", () => { begin(); this.soon(() => this.draw()); });
    super.start();
    const onPaper = () => {
      this.printed = true;
      this.widen(PAPER);
      this.draw();
    };
    const onScreen = () => {
      this.printed = false;
      this.resized();
    };
    addEventListener("beforeprint", onPaper);
    addEventListener("afterprint", onScreen);
    this.ends.push(() => { removeEventListener("beforeprint", onPaper); removeEventListener("afterprint", onScreen); });
    this.cheered = Boolean(this.results.goal?.reached);
  }

  changed(/** @type {string} */ said) {
    this.stateBox.replaceChildren();
    super.changed(said);
    this.cheer();
  }

  arrived() {
    super.arrived();
    this.cheer();
  }

  /** The numbers of a page are new: also of the same page again, where a metric has another meaning. */
  take(/** @type {Results} */ results) {
    if (results.of === this.results.of) {
      if (this.flipping.found) this.flipping.forget();
      this.trail.forget(results.of);
      this.mixing.forget(results.of);
    }
    this.lights?.forget();
    super.take(results);
  }

  /** What was done last may have reached the goal. */
  cheer() {
    if (this.pending) return;
    const reached = Boolean(this.results.goal?.reached);
    if (reached && !this.cheered) this.say([this.status.textContent, "the goal is reached"].filter(Boolean).join("; "));
    this.cheered = reached;
  }

  inHand(/** @type {Side} */ side, /** @type {string} */ doc) {
    super.inHand(side, doc);
    this.trail.hold({ side, doc });
  }

  aimed(/** @type {number} */ rank) {
    this.trail.aim(rank);
  }

  keys(/** @type {KeyboardEvent} */ event) {
    this.flipping.keys(event);
    super.keys(event);
  }

  draw() {
    const { history, model } = this;
    const { page } = history;
    const dozens = crowded(page.topic);
    this.layout = this.fitted();
    const { lines, narrow, slim, stacked } = this.layout;
    this.root.classList.toggle("dm-crowded", dozens);
    this.root.classList.toggle("dm-slim", slim || this.width < 540);
    keepingFocus(this.root, () => {
      const { future } = history;
      when(this.barBox, [page.topic, history.past.length > 0, history.away, future.length > 0, this.levels, model.get("_show_best")], () => [bar(this)]);
      when(this.questionBox, [page.example], () => questionOf(this));
      this.search.draw(dozens);
      when(this.intentsBox, [page.topic, this.levels, this.intentsOpen, ...(dozens ? this.search.signature() : [])], () => [intentsPanel(this)]);
      this.mixing.draw();
      this.listsBox.className = `dm-lists${stacked ? " dm-stacked" : ""}${narrow ? " dm-narrow" : ""}${lines === 2 ? " dm-apart" : ""}`;
      for (const { side, grid } of this.sides) {
        grid.draw();
        const back = removedFrom(history, side);
        when(this.tools[side], [page.lists[side].length, back?.id, model.get("_walk")], () => listTools(this, side, back));
      }
      this.drawScores();
      this.flipping.draw();
    });
    this.search.mark();
    this.trail.shade();
    setPending(this.root, this.pending);
  }

  resized() {
    if (this.printed) return;
    super.resized();
    this.mixing.fit();
  }

  /** What stands around the lists and their scores follows when these have been painted; but at once where it takes
   * another height, so that nothing jumps under a hand. */
  drawAround() {
    const heights = [...this.history.page.metrics, this.chosen, this.results.lines];
    cancelAnimationFrame(this.around);
    if (same(this.heights, heights)) {
      const draw = () => { this.around = requestAnimationFrame(() => setTimeout(() => guarded(this.root, () => this.drawSurroundings()))); };
      this.around = requestAnimationFrame(draw); // the first frame shows the lists, the next begins when that is done
    } else {
      this.heights = heights;
      this.drawSurroundings();
    }
  }

  drawSurroundings() {
    const { docs, lists, topic } = this.history.page;
    if (!this.alone) for (const { side } of this.sides) {
      const select = /** @type {HTMLElement} */ (this.tools[side].firstElementChild);
      when(select, [topic, docs, [...lists[side]].sort().join("\n")], () => otherDocs(this, side));
    }
    this.mixing.drawLines();
    this.readers.draw();
    this.picker.draw();
    this.trail.draw(scoreRows(this));
    this.lights.draw();
  }

  drawScores() {
    when(this.bestBox, [this.results.best], () => bestList(this));
    const { walk, unwalked } = this.results;
    when(this.walkBox, [walk?.list, walk?.metric, unwalked], () => walkOf(this));
    if (walk) this.walking.show(walk, this.walking.step);
    else this.walking.pause();
    const { says } = this.model.get("_goal");
    when(this.goalBox, [says, this.results.goal], () => (says ? [goalLine(says, this.results.goal ?? {})] : []));
    const rows = scoreRows(this);
    this.boardBox.style.setProperty("--rows", String(rows.length));
    when(this.scoresBox, [this.chosen, ...rows.flatMap(({ metric, problem }) => [metric, problem])], () => [scoreTable(this, rows)]);
    tellScores(this.scoresBox, rows, this.flipping.rows);
    put(this.movedLine, (!this.pending && this.results.moved) || "");
    put(this.verdictBox, verdict(rows));
    put(this.partsLine, verdict(rows) ? this.results.parts ?? "" : "");
    const added = this.results.rows.find((row) => row.metric === this.added);
    this.drawAround();
    if (added) this.added = "";
    if (added?.correction !== undefined) returned(this, added);
    else if (added?.problem) this.say(added.problem);
  }

  /** Ask something else about the same page.
   * @template {"_chosen" | "_show_best" | "_walk"} Name @param {Name} name @param {LabTraits[Name]} value */
  ask(name, value) {
    this.model.set(name, value);
    this.history.send();
    this.draw();
  }
}

function bar(/** @type {Lab} */ lab) {
  const { history, model } = lab;
  const { topic } = history.page;
  /** @param {string} key @param {string} text @param {string} title @param {() => void} onclick
   * @param {Attributes<"button">} [more] */
  const button = (key, text, title, onclick, more = {}) => h("button", { "data-key": key, title, onclick, ...more }, text);
  const two = topic.intents.some((t) => t.children.length);
  const named = topic.title && topic.title !== topic.id;
  return h("div", { class: "dm-row" },
    h("span", { class: "dm-title" }, named ? topic.title : `topic ${topic.id}`, named ? h("span", { class: "dm-quiet dm-id" }, ` topic ${topic.id}`) : null),
    lab.alone ? null : menuOfQuestions(lab),
    button("undo", "undo", "Ctrl+Z", () => history.undo(), off(!history.past.length)),
    button("redo", "redo", "Ctrl+Shift+Z", () => history.redo(), off(!history.future.length)),
    button("reset", "reset", "back to the beginning", () => history.reset(), off(!history.away)),
    lab.alone ? null : button("levels", "two levels", "show and edit second-level subtopics", () => { lab.levels = !lab.levels; lab.draw(); }, { "aria-pressed": String(lab.levels), class: two ? "dm-toggle" : "dm-toggle dm-quiet" }),
    button("best", "best list", "a list that is good for the chosen metric", () => lab.ask("_show_best", !model.get("_show_best")), { "aria-pressed": String(model.get("_show_best")), class: "dm-toggle" }),
    button("share", "share", "the whole page as text, for a mail or RankedListLab(...), and where it can be, as a link into the book", () => shareLab(lab)),
    fullScreenButton(lab.root));
}

/** The document last removed from a list, if it can be brought back. @param {History} history @param {Side} side */
function removedFrom(history, side) {
  const { docs, lists } = history.page;
  return history.removed[side].filter(({ id }) => !lists[side].includes(id) && has(docs, id)).at(-1);
}

function listTools(/** @type {Lab} */ lab, /** @type {Side} */ side, /** @type {Removed | undefined} */ back) {
  const { lists } = lab.history.page;
  const other = OTHER[side];
  const walks = lab.model.get("_walk") === side;
  const rank = back && Math.min(back.at, lists[side].length) + 1;
  return [
    lab.alone ? null : h("select", { "data-key": `${side}|add`, "aria-label": `add a document to list ${side}`, onchange: (event) => { add(lab, side, event.target.value); event.target.value = ""; } }, otherDocs(lab, side)),
    back ? h("button", { "data-key": `${side}|back`, onclick: () => lab.edit((now) => inserted(now, side, back.id, back.at), `${back.id} is back at rank ${rank} of list ${side}`) }, `bring back ${back.id}`) : null,
    h("button", { "data-key": `${side}|same`, title: `make list ${side} the same as list ${other}`, onclick: () => lab.edit((now) => withList(now, side, [...now.lists[other]]), `list ${side} is a copy of list ${other}`) }, `= ${other}`),
    h("button", { "data-key": `${side}|walk`, class: "dm-toggle", "aria-pressed": String(walks), title: `what the readers of the chosen metric do on list ${side}`, onclick: () => lab.ask("_walk", walks ? "" : side) }, "walk"),
  ].filter((tool) => tool !== null);
}

/** What may be added to a list, each with its labels. @param {Lab} lab @param {Side} side */
function otherDocs(lab, side) {
  const { docs, lists, topic } = lab.history.page;
  /** @param {Doc} doc */
  const labels = (doc) => doc.grades === null ? "never judged" : topic.intents.filter((t) => gradeOf(doc, t)).map((t) => `${t.id} ${gradeOf(doc, t)}`).join(", ") || "not relevant";
  return [h("option", { value: "" }, "+ document"),
    ...docs.filter((doc) => !lists[side].includes(doc.id)).map((doc) => h("option", { value: `doc:${doc.id}` }, `${doc.id} (${labels(doc)})`)),
    h("option", { value: "new:" }, "a new one, without labels")];
}

function add(/** @type {Lab} */ lab, /** @type {Side} */ side, /** @type {string} */ choice) {
  const { page } = lab.history;
  if (!choice) return;
  const end = page.lists[side].length;
  if (choice === "new:") {
    const [next, id] = invented(page, side);
    lab.history.edit(next, `${id}, a new document, is at rank ${end + 1} of list ${side}; click its labels`);
  } else {
    const id = choice.slice(4);
    lab.history.edit(inserted(page, side, id, end), `${id} added at rank ${end + 1} of list ${side}`);
  }
}

/** The chosen metric's readers on a list. @param {Lab} lab */
function walkOf(lab) {
  const { walk, unwalked } = lab.results;
  const close = () => h("button", { "data-key": "walk-close", onclick: () => lab.ask("_walk", "") }, "close");
  if (unwalked) return [h("div", { class: "dm-row" }, h("p", {}, unwalked), close())];
  if (!walk) return [];
  return [h("div", { class: "dm-row" }, h("h4", { class: "dm-title" }, `The readers of ${walk.metric} walk down list ${walk.list}`), close()), lab.walking.box];
}

/** Of the chosen metric, a list that is good for it. @param {Lab} lab */
function bestList(lab) {
  const { best } = lab.results;
  if (!best) return [];
  if (best.problem) return [h("p", {}, best.problem)];
  const make = (/** @type {Side} */ side) => {
    if (lab.pending) return lab.say("wait: this is still the best list of the page before your last edit");
    lab.edit((now) => withList(now, side, [...best.docs]), `list ${side} is now the best list for ${lab.chosen}`);
  };
  const use = (/** @type {Side} */ side) => h("button", { "data-key": `best|${side}`, onclick: () => make(side) }, `make it ${side}`);
  return [h("p", {}, h("b", {}, `Best list for ${lab.chosen}`), ` (${best.score}): `, best.docs.join(", "),
    h("span", { class: "dm-quiet" }, " Built from the top: at each rank, the document that raises the score the most. ")),
  h("div", { class: "dm-row" }, use("A"), use("B"))];
}

/** The metrics: A against B, and which list each prefers; the numbers come later. @param {Lab} lab @param {Scored[]} rows */
function scoreTable(lab, rows) {
  const tug = [h("span", { "aria-hidden": "true" }, "◀ A"), h("span", { "aria-hidden": "true" }, "B ▶"), h("span", { class: "dm-hidden" }, "who pulls harder")];
  const heads = ["metric", "A", "B", "A − B", tug, "prefers"];
  return h("table", { class: `dm-scores${lab.alone ? "" : " dm-flips"}${rows.length > 3 ? " dm-scores-many" : ""}` },
    h("thead", {}, h("tr", {}, heads.map((name, i) => h("th", { scope: "col", class: i > 0 && i < 4 ? "dm-number" : name === tug ? "dm-tug" : null, title: name === tug ? "A − B of every metric, all on one scale" : null }, name)), h("td"), h("td"))),
    h("tbody", {}, rows.map((row) => scoreRow(lab, row))));
}

/** The numbers of a table of scores, put where they have changed.
 * @param {HTMLElement} box @param {Scored[]} rows @param {Scored[]} then as they will be, if an edit is taken */
function tellScores(box, rows, then) {
  const lines = box.querySelectorAll("tbody tr");
  const { A, B } = preferences(rows);
  // Where most prefer one list, the others are marked; where it is even, all are.
  const odd = (/** @type {Scored} */ row) => A && B && row.prefers && (A === B || (row.prefers === "A") === A < B);
  const most = Math.max(...[...rows, ...then].map(ahead).map(Math.abs));
  rows.forEach((row, at) => {
    if (row.problem) return;
    const [, a, b, difference, tug, prefers] = lines[at].children;
    const later = then.find(({ metric }) => metric === row.metric);
    tell(a, row.scores?.[0], later?.scores?.[0]);
    tell(b, row.scores?.[1], later?.scores?.[1]);
    tell(difference, row.difference?.replaceAll("-", "−"), later?.difference?.replaceAll("-", "−"));
    pull(tug, row, later, most);
    attribute(lines[at], "data-wins", row.prefers ?? "");
    attribute(prefers, "data-prefers", row.prefers ?? "");
    put(prefers.children[0], row.waiting ? "" : preferred(row));
    put(prefers.children[1], odd(row) ? "disagrees" : "");
    put(prefers.children[2], later && !later.problem && later.prefers !== row.prefers ? preferred(later) : "");
  });
}

const preferred = (/** @type {Scored} */ { prefers }) => ({ A: "◀ A", B: "▶ B", "": "neither" })[prefers ?? ""];

/** By how much A is ahead of B. @param {Scored} row */
const ahead = ({ difference }) => Number(difference ?? 0);

/** A number, and below it what it will be. @param {Element} cell @param {string | undefined} now @param {string | undefined} later */
function tell(cell, now = "", later = "") {
  put(cell.children[0], now);
  put(cell.children[1], later === now ? "" : later);
}

/** The pennant of a metric on the line between A and B, and the ghost of where it will be.
 * @param {Element} tug @param {Scored} now @param {Scored | undefined} later @param {number} most */
function pull(tug, now, later, most) {
  const [pennant, ghost] = tug.children[0].children;
  const says = { A: `A by ${now.difference?.slice(1)}`, B: `B by ${now.difference?.slice(1)}`, "": now.waiting ? "" : "neither" }[now.prefers ?? ""];
  attribute(tug.children[0], "aria-label", says);
  for (const [flag, row] of /** @type {[HTMLElement, Scored | undefined][]} */ ([[pennant, now], [ghost, later]])) {
    const known = row && !row.waiting && !row.problem && (flag === pennant || row.difference !== now.difference);
    attribute(flag, "data-pulls", known ? row.prefers || "neither" : "");
    attribute(flag, "style", `--far:${known && most ? (Math.abs(ahead(row)) / most).toFixed(4) : 0}`);
  }
}

/** @param {string} says @param {NonNullable<Results["goal"]>} goal */
function goalLine(says, { marks = [], problem, reached }) {
  return h("div", { class: `dm-goal${reached ? " dm-reached" : ""}` }, h("p", {}, "Goal: ", says, reached ? " Reached." : null),
    problem ? h("p", {}, `${problem}.`) : h("ul", {}, marks.map(([done, words]) => h("li", {}, h("span", { "aria-hidden": "true" }, done ? "✓ " : "✗ "), words))));
}

/** @param {Lab} lab @returns {Scored[]} */
function scoreRows(lab) {
  return lab.history.page.metrics.map((name) => lab.results.rows.find((row) => row.metric === name) ?? { metric: name, waiting: true });
}

function preferences(/** @type {Scored[]} */ rows) {
  const count = (/** @type {Side} */ side) => rows.filter((row) => row.prefers === side).length;
  return { A: count("A"), B: count("B") };
}

function verdict(/** @type {Scored[]} */ rows) {
  const { A, B } = preferences(rows);
  const metrics = (/** @type {number} */ n) => `${n} metric${n === 1 ? " prefers" : "s prefer"}`;
  if (A && B) return `${metrics(A)} A, ${metrics(B)} B: they disagree.`;
  if (A || B) return `No disagreement: ${metrics(A || B)} ${A ? "A" : "B"}.`;
  return "";
}

function pickerOf(/** @type {Lab} */ lab) {
  const input = h("input", { name: "name", size: 26, placeholder: "a metric, or a word of it", "data-key": "metric-name", "aria-label": "another metric" });
  let families = /** @type {Family[]} */ ([]); // as they were told last
  const picker = new Picker(input, {
    families: () => families,
    shown: () => lab.history.page.metrics,
    cutoff: () => lab.results.usual ?? 10,
    picked: (name) => lab.say(`${name}: Enter adds it, another cutoff can be typed`),
  });
  // Each time that the field is entered: there may be new ones.
  input.addEventListener("focus", () => lab.request("families", {}, ({ result }) => {
    if (!result || JSON.stringify(result) === JSON.stringify(families)) return;
    families = result;
    lab.soon(() => picker.draw());
  }));
  return picker;
}

function metricForm(/** @type {Lab} */ lab) {
  const { picker } = lab;
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    picker.close();
    addMetric(lab, picker.input);
  };
  return h("form", { class: "dm-row dm-add", onsubmit: add, onkeydown: onEnter(add), onfocusout: (event) => picker.left(event) },
    picker.field, h("button", { "data-key": "metric-add" }, "+ metric"), picker.count, picker.list);
}

/** @param {Lab} lab @param {Scored} row */
function scoreRow(lab, { metric, problem }) {
  const chosen = metric === lab.chosen;
  /** @param {Attributes<"span">} [about] */
  const number = (about) => h("td", { class: "dm-number" }, h("span", about), h("small", { class: "dm-then" }));
  const score = (/** @type {Side} */ side) => h("td", { class: "dm-number dm-score-cell", "data-side": side },
    h("span", { "data-score": "", "data-list": side, "data-metric": metric }), h("small", { class: "dm-then" }),
    h("span", { class: "dm-by", "aria-hidden": "true" }),
    h("span", { class: "dm-bar-track", "aria-hidden": "true" }, h("i", { class: "dm-score-bar" }), h("i", { class: "dm-was" })));
  return h("tr", { class: chosen ? "dm-chosen" : null, "data-metric-row": metric },
    h("th", { scope: "row" }, h("button", { class: "dm-bare", "data-key": `choose|${metric}`, "aria-pressed": String(chosen), title: `show in the lists what each label earns under ${metric}`, onclick: () => lab.ask("_chosen", metric) }, breakable(metric))),
    problem
      ? h("td", { colspan: 6, class: "dm-quiet" }, problem)
      : [score("A"), score("B"), number(), tugCell(), h("td", { "data-prefers": "" }, h("span"), " ", h("span", { class: "dm-disagrees" }), h("small", { class: "dm-then" })), h("td", { class: "dm-rank-line" })],
    h("td", { class: "dm-row-tools" }, problem || lab.alone ? null : h("button", { "data-key": `flip|${metric}`, "aria-label": `flip ${metric}: find the smallest edit that flips it`, title: `F: the smallest edit that flips ${metric}`, onclick: () => lab.flipping.ask(metric) }, "flip it"), h("button", { class: "dm-bare", "data-key": `drop|${metric}`, "aria-label": `take ${metric} away`, title: `take ${metric} away`, onclick: () => lab.edit((now) => ({ ...now, metrics: now.metrics.filter((name) => name !== metric) }), `${metric} taken away`) }, "✕")));
}

/** The name of a metric, which in a narrow column breaks before its parameters. @param {string} metric */
function breakable(metric) {
  const at = metric.indexOf("(");
  return at < 0 ? metric : [metric.slice(0, at), h("wbr"), metric.slice(at)];
}

function tugCell() {
  return h("td", { class: "dm-tug" }, h("span", { class: "dm-rope", role: "img" }, h("i", { class: "dm-pennant" }), h("i", { class: "dm-pennant dm-to-be" })));
}

function addMetric(/** @type {Lab} */ lab, /** @type {HTMLInputElement} */ input) {
  const name = input.value.trim();
  const { page } = lab.history;
  lab.metricBox.replaceChildren();
  if (!name) return lab.say("write the name of a metric, such as ERR-IA@5");
  if (page.metrics.includes(name)) return lab.say(`${name} is there already`);
  lab.history.edit({ ...page, metrics: [...page.metrics, name] }, `${name} added`);
  input.value = "";
  lab.added = name;
}

/** A name that cannot be measured goes back to its field, with the reason and the name that was meant.
 * @param {Lab} lab @param {Scored} row */
function returned(lab, { metric, problem = "", correction }) {
  const { page, past } = lab.history;
  const before = past.at(-1);
  const isLast = before && page.metrics.at(-1) === metric && before.metrics.length === page.metrics.length - 1;
  const { input } = lab.picker;
  if (!isLast || page.lists !== before.lists || page.topic !== before.topic || input.value) return lab.say(problem);
  input.value = metric;
  const take = () => {
    input.value = correction ?? "";
    addMetric(lab, input);
    input.focus();
  };
  lab.metricBox.replaceChildren(
    h("span", { class: "dm-problem" }, `${problem}.`), " ",
    correction && !page.metrics.includes(correction) ? h("button", { type: "button", "data-key": "metric-correction", onclick: take }, `add ${correction}`) : "");
  lab.history.retract();
  lab.say(`${metric} was not added`);
}

export default widget("ranked-list-lab", Lab);
