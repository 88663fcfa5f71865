// @ts-check
// "Flip it": the kernel finds the smallest edit that flips a metric, and it stands in the lists as a ghost until it is
// taken, which is an edit like any other, or dropped, also by any other edit.

import { all, focusOn, h, put, when } from "./common.js";
import { byId, graded } from "./edits.js";
import { gradeOn } from "./grid.js";
/** @import { Lab } from "./lab.js" */
/** @import { Flip, Found, Scored } from "./types.js" */

const SLOW = 400; // milliseconds after which it is said that the kernel is looking

export class Flipping {
  constructor(/** @type {Lab} */ lab, /** @type {HTMLElement} */ box) {
    this.lab = lab;
    this.box = box;
    this.metric = ""; // that is to be flipped,
    this.of = ""; // on this page;
    this.found = /** @type {Flip | null} */ (null);
    this.slow = 0; // a timer
    this.keep = h("input", { type: "checkbox", "data-key": "flip-keep", onchange: () => this.metric && this.ask(this.metric) });
    this.words = h("p", { class: "dm-flip-words", role: "status" });
    this.actions = h("div", { class: "dm-row" });
    box.append(h("label", {}, this.keep, "flip one metric without flipping the others"), this.words, this.actions);
  }

  /** The metrics as they will be once the edit is taken. @returns {Scored[]} */
  get rows() {
    return this.found?.rows ?? [];
  }

  ask(/** @type {string} */ metric) {
    this.forget();
    this.metric = metric;
    this.of = this.lab.history.name;
    this.lab.askAbout("flip", { metric, keep: this.keep.checked }, ({ result, error }) => this.arrived(result ?? { words: error }));
    this.slow = window.setTimeout(() => put(this.words, `looking for the smallest edit that flips ${metric} …`), SLOW);
    this.lab.draw();
  }

  arrived(/** @type {Flip} */ answer) {
    if (!this.metric) return; // it was dropped
    clearTimeout(this.slow);
    this.found = answer;
    const { activeElement } = document;
    const waits = !activeElement || activeElement === document.body || activeElement.closest(`[data-metric-row="${CSS.escape(this.metric)}"]`);
    this.lab.draw();
    if (answer.lists && (waits || activeElement === this.keep)) focusOn(this.lab.root, "flip-take");
  }

  forget() {
    clearTimeout(this.slow);
    this.metric = "";
    this.found = null;
  }

  /** Give the focus back to where it was asked. */
  drop() {
    const { lab, metric } = this;
    const inside = this.actions.contains(document.activeElement);
    this.forget();
    lab.draw();
    if (inside) focusOn(lab.root, `flip|${metric}`);
    lab.say(`nothing has changed; ${metric} prefers what it did before`);
  }

  take(/** @type {Found} */ { edit, lists, grades }) {
    const { lab } = this;
    lab.focusNext = `flip|${this.metric}`;
    lab.edit((page) => grades.reduce(
      (now, { doc, intent, grade }) => graded(now, doc, byId(now.topic.intents, intent), undefined, grade),
      { ...page, lists },
    ), `taken: ${edit}`);
  }

  /** Keys in the table of metrics, and Escape everywhere in the lab. */
  keys(/** @type {KeyboardEvent} */ event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
    const row = event.target.closest("[data-metric-row]");
    const handled = () => { event.preventDefault(); event.stopPropagation(); };
    if (event.key === "Escape" && this.metric) {
      handled();
      this.drop();
    } else if (row && event.key.toLowerCase() === "f") {
      handled();
      all(row, '[data-key^="flip|"]')[0]?.click();
    }
  }

  draw() {
    const { lab } = this;
    if (this.metric && this.of !== lab.history.name) this.forget();
    const { found } = this;
    if (found || !this.metric) put(this.words, found?.words ?? "");
    when(this.actions, [found], () => (isFound(found) ? [
      h("button", { "data-key": "flip-take", onclick: () => this.take(found) }, "take it"),
      h("button", { "data-key": "flip-drop", title: "Escape", onclick: () => this.drop() }, "drop it"),
    ] : []));
    exorcise(lab.root);
    if (isFound(found)) haunt(lab, found);
  }
}

/** Is it an edit, or a sentence that there is none? @param {Flip | null} flip @returns {flip is Found} */
function isFound(flip) {
  return flip?.lists !== undefined;
}

function exorcise(/** @type {HTMLElement} */ root) {
  for (const ghost of all(root, ".dm-ghost, .dm-ghost-grade")) ghost.remove();
  for (const row of all(root, ".dm-leaving")) row.classList.remove("dm-leaving");
}

/** Grades beside those that they are to replace, documents where they are to stand.
 * @param {Lab} lab @param {Found} found */
function haunt(lab, { grades, lists, moves }) {
  for (const { side, grid } of lab.sides) {
    const now = lab.history.page.lists[side];
    const row = (/** @type {string} */ doc) => /** @type {HTMLElement} */ (grid.rows.get(doc)?.element);
    for (const { doc, intent, grade } of grades) {
      const label = grid.rows.get(doc)?.labels.find(({ dataset }) => dataset.intent === intent);
      if (label) gradeOn(label).append(h("span", { class: "dm-ghost-grade" }, `→${grade}`));
    }
    let above = /** @type {HTMLElement | null} */ (null);
    lists[side].forEach((doc, at) => {
      const leaves = moves.some((move) => move.side === side && move.doc === doc);
      const stands = leaves ? ghostOf(row(doc), at + 1, now.indexOf(doc) + 1) : row(doc);
      if (leaves && above) above.after(stands);
      else if (leaves) grid.body.prepend(stands);
      if (leaves) row(doc).classList.add("dm-leaving");
      above = stands;
    });
  }
}

/** A row as it is to stand at another rank: what it would earn there is not known yet.
 * @param {HTMLElement} row @param {number} rank @param {number} from */
function ghostOf(row, rank, from) {
  const ghost = /** @type {HTMLElement} */ (row.cloneNode(true));
  for (const name of [...ghost.attributes].map((own) => own.name)) ghost.removeAttribute(name);
  ghost.className = "dm-ghost";
  ghost.inert = true;
  ghost.setAttribute("aria-hidden", "true");
  for (const part of all(ghost, "*")) for (const name of ["data-key", "data-do", "data-earned", "data-intent", "title", "aria-label", "role", "style"]) if (part.tagName !== "SPAN" || name !== "style") part.removeAttribute(name);
  for (const number of all(ghost, ".dm-label small, .dm-sum")) number.textContent = "";
  for (const place of all(ghost, ".dm-rank-number")) place.textContent = String(rank);
  for (const actions of all(ghost, ".dm-actions")) actions.replaceChildren(`${rank < from ? "▲" : "▼"} from ${from}`);
  return ghost;
}
