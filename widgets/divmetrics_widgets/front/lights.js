// @ts-check
// One hover lights everything: a document's rows, an intent's columns and the cell where they meet, in both lists, and
// what is multiplied in that cell. What has the focus lights up like what is under the pointer.

import { all, closest, h, put, when } from "./common.js";
import { withLabel } from "./grid.js";
import { parsed } from "./mathml.js";
/** @import { Lab } from "./lab.js" */
/** @import { CellLine, FactorForm, Factors, Intent, Side } from "./types.js" */

/** @typedef {{ side?: Side, doc?: string, intent?: string }} Target */
/** @typedef {{ words: string, instead: string, lines: { form?: FactorForm, line: CellLine }[] }} Told */

const REST = 60; // milliseconds that the pointer rests, or the page, before the kernel is asked

export class Lights {
  constructor(/** @type {Lab} */ lab, /** @type {HTMLElement} */ box) {
    this.lab = lab;
    this.words = h("p", { class: "dm-light-words" });
    this.lines = h("div", { class: "dm-light-lines" });
    this.box = box;
    box.append(this.words, this.lines, h("p", { class: "dm-light-key dm-quiet" }, "Each bar shows what is left after its factor. Point at another label, or tap it, to see its factors."));
    this.target = /** @type {Target} */ ({});
    this.lit = /** @type {Set<Element>} */ (new Set());
    this.told = /** @type {Map<string, Told>} */ (new Map()); // by side, document and intent
    this.asking = 0; // a timer
    const { root } = lab;
    root.addEventListener("pointerover", ({ target }) => this.look(target));
    root.addEventListener("pointerleave", () => this.look(document.activeElement));
    root.addEventListener("focusin", ({ target }) => this.look(target));
    lab.ends.push(() => clearTimeout(this.asking));
  }

  look(/** @type {EventTarget | null} */ at) {
    if (this.lab.pressed) return; // a drag goes over much
    const target = at instanceof Element && this.lab.root.contains(at) ? targetOf(this.lab, at) : {};
    const { side, doc, intent } = this.target;
    if (target.side === side && target.doc === doc && target.intent === intent) return;
    this.target = target;
    this.draw();
  }

  /** The numbers are those of another page, or of another metric. */
  forget() {
    this.told.clear();
  }

  draw() {
    const { lab, target } = this;
    const now = new Set(litBy(lab, target));
    for (const element of this.lit) if (!now.has(element)) element.removeAttribute("data-lit");
    for (const element of now) if (!element.hasAttribute("data-lit")) element.setAttribute("data-lit", "");
    this.lit = now;
    const { topic } = lab.history.page;
    const pointed = Boolean(target.intent);
    const { side, doc, intent: id } = this.cell();
    const place = topic.intents.findIndex((t) => t.id === id);
    const intent = topic.intents[place];
    const stays = !lab.pending || lab.kernel.state === "here"; // where no others come, the numbers of the page before go
    const cell = stays && side && doc && intent ? this.told.get(keyOf(side, doc, intent.id)) : undefined;
    this.box.hidden = !lab.chosen;
    this.box.style.setProperty("--hue", lab.marks[place]?.[0] ?? "");
    put(this.words, cell ? `${pointed || target.doc === doc ? "" : `List ${side}, for example. `}${cell.words}${withLabel(intent) !== intent.id ? ` Intent ${intent.id}: ${intent.label}.` : ""}` : this.said(intent));
    const count = lab.results.lines ?? 1;
    when(this.lines, [cell, count], () => Array.from({ length: count }, (_, i) => (cell?.instead && i === 0 ? h("div", { class: "dm-light-line dm-quiet" }, cell.instead) : drawnLine(cell?.lines[i], i > 0))));
    for (const box of [this.words, this.lines]) box.toggleAttribute("data-pending", lab.pending && cell !== undefined);
    if (!cell) this.ask();
  }

  /** The cell whose factors are shown: the one that is pointed at, or else the largest of the document in hand, or else the
   * first contribution to the list that the metric prefers. @returns {Target} */
  cell() {
    const { lab, target } = this;
    if (target.intent) return target;
    const preferred = lab.results.rows.find(({ metric }) => metric === lab.chosen)?.prefers || "A";
    const { lists } = lab.measuredPage;
    const { side, doc } = target;
    return (side && doc && this.largest(side, [doc])) || this.largest(preferred, lists[preferred]) || {};
  }

  /** The largest contribution of the first of these documents that has any. @param {Side} side @param {string[]} docs
   * @returns {Target | undefined} */
  largest(side, docs) {
    const { lab } = this;
    const { topic } = lab.measuredPage;
    for (const doc of docs) {
      const cells = lab.measured[side]?.docs.get(doc)?.cells.slice(0, topic.intents.length) ?? [];
      const most = Math.max(...cells.map(Math.abs));
      if (most > 0) return { side, doc, intent: topic.intents[cells.findIndex((value) => Math.abs(value) === most)].id };
    }
    return undefined;
  }

  /** What is said where no cell is lit. @param {Intent | undefined} intent */
  said(intent) {
    const { doc } = this.target;
    if (!intent || !this.target.intent) return "";
    if (doc) return `${doc}, ${intent.id}`;
    return `${intent.id}${intent.label && intent.label !== intent.id ? `, ${intent.label}` : ""}: whatever earns for it lights up in both lists.`;
  }

  /** When hands and kernel rest. */
  ask() {
    const { lab } = this;
    const { side, doc, intent } = this.cell();
    clearTimeout(this.asking);
    if (!side || !doc || !intent || lab.pending || !lab.chosen || !lab.kernel.answers) return;
    this.asking = window.setTimeout(() => {
      if (!lab.pending) lab.askAbout("factors", { side, doc }, ({ result }) => result && this.arrived(result)); // else asked again when the numbers are there
    }, REST);
  }

  arrived(/** @type {Factors} */ { forms, lists, instead = "" }) {
    const { lab } = this;
    if (lab.pending) return;
    const { intents } = lab.history.page.topic;
    for (const [side, docs] of Object.entries(lists)) {
      for (const [doc, cells] of Object.entries(docs)) {
        cells.forEach(([words, ...lines], i) => {
          this.told.set(keyOf(side, doc, intents[i].id), { words, instead, lines: lines.map((line) => ({ form: forms[line[0]], line })) });
        });
      }
    }
    this.draw();
  }
}

const keyOf = (/** @type {string[]} */ ...parts) => parts.join("\n");

/** What of the page an element belongs to. @param {Lab} lab @param {Element} at @returns {Target} */
function targetOf(lab, at) {
  const { page } = lab.history;
  const grid = closest(at, ".dm-grid");
  const row = closest(at, "tr[data-doc]");
  const cell = closest(at, "td, th");
  const label = closest(at, "[data-intent]") ?? cell?.querySelector("[data-intent]");
  const column = closest(at, "[data-of]");
  if (grid) {
    const side = /** @type {Side} */ (grid.dataset.list);
    return { side, doc: row?.dataset.doc, intent: /** @type {HTMLElement | undefined} */ (label)?.dataset.intent ?? column?.dataset.of };
  }
  const { walk } = lab.results;
  if (walk && lab.walkBox.contains(at)) {
    const side = /** @type {Side} */ (walk.list);
    const rank = closest(at, "tr[data-rank]")?.dataset.rank;
    return { side, doc: rank && page.lists[side][Number(rank) - 1], intent: closest(at, "[data-group]")?.dataset.group?.split("/")[0] };
  }
  return {};
}

/** The rows of a document, and the column of an intent: in both lists, and in the walk.
 * @param {Lab} lab @param {Target} target @returns {Element[]} */
function litBy(lab, { doc, intent }) {
  if (!doc && !intent) return [];
  const { page: { topic, lists } } = lab.history;
  const place = topic.intents.findIndex(({ id }) => id === intent);
  const found = [];
  for (const { side, grid } of lab.sides) {
    const row = doc === undefined || !lists[side].includes(doc) ? undefined : grid.rows.get(doc)?.element;
    if (row) found.push(row);
    const at = place < 0 ? -1 : lab.layout.places.indexOf(place);
    if (at < 0) continue;
    for (const { labels } of grid.rows.values()) found.push(/** @type {Element} */ (labels[at].parentElement));
    for (const own of all(grid.table, "[data-of]")) if (own.dataset.of === intent) found.push(own);
  }
  const { walk } = lab.results;
  if (walk) {
    const rank = doc === undefined ? -1 : lists[/** @type {Side} */ (walk.list)].indexOf(doc) + 1;
    for (const own of all(lab.walkBox, "tr[data-rank]")) if (own.dataset.rank === String(rank)) found.push(own);
    for (const own of all(lab.walkBox, "[data-group]")) if (intent !== undefined && own.dataset.group?.split("/")[0] === intent) found.push(own);
  }
  return found;
}

/** A contribution as the product it is: its factors, each with its sign, its number, and what is left after it.
 * @param {Told["lines"][number] | undefined} told @param {boolean} added to a product before it */
function drawnLine(told, added) {
  if (!told) return h("div", { class: "dm-light-line" });
  const { form, line: [, texts, shares, value, below] } = told;
  const heading = [form?.heading, below].filter(Boolean).join(" ");
  const result = h("span", { class: "dm-factor dm-product" }, h("b", { "data-product": "" }, value));
  const plus = added ? h("span", { class: "dm-plus" }, "+") : null;
  if (!form) return h("div", { class: "dm-light-line" }, plus, h("span", { class: "dm-light-heading" }, `and ${heading}:`), result);
  const factors = form.steps.map(([word, mathml, divides], i) => [
    i || divides ? h("span", { class: "dm-times" }, divides ? "÷" : "×") : null,
    h("span", { class: "dm-factor", title: `${word}: ${texts[i]}`, "data-factor": word },
      h("span", { class: "dm-sign" }, signOf(word, mathml)), h("span", { class: "dm-factor-value" }, texts[i]),
      h("span", { class: "dm-left", "aria-hidden": "true" }, h("i", { style: `width:${(100 * shares[i]).toFixed(2)}%` }))),
  ]);
  return h("div", { class: "dm-light-line" }, plus, heading ? h("span", { class: "dm-light-heading" }, heading) : null, factors, h("span", { class: "dm-times" }, "="), result);
}

/** The sign of a factor in the metric's formula; its name where it has none. @param {string} word @param {string} mathml */
function signOf(word, mathml) {
  const math = parsed(mathml);
  if (!math) return word;
  const drawn = /** @type {Element} */ (document.importNode(math, true));
  drawn.setAttribute("aria-label", word);
  return drawn;
}
