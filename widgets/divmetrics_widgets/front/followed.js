// @ts-check
// What every order of a page's lists earns, read from tables that Python has filled: see divmetrics/explanations/reorderings.py.
// A document leads from one state to the next and earns what stands there; no metric's formula is written here.

import { fixed, sum } from "./common.js";
/** @import { Automaton, Followed, LabTables, Page, Scored, Side, Factors } from "./types.js" */

/** @typedef {NonNullable<Factors["lists"]>[string]} Told */

export class Tables {
  /** @param {LabTables} tables @param {Page} page as it was when the tables were filled */
  constructor(tables, { lists, topic }) {
    this.tables = tables;
    this.intents = topic.intents.map(({ id }) => id);
    this.places = new Map(tables.docs.map((doc, place) => [doc, place]));
    this.known = new Map(Object.entries(lists).map(([side, docs]) => [sorted(docs), side]));
  }

  /** Are these the documents of a list for which the tables were filled? @param {string[]} docs */
  covers(docs) {
    return this.known.has(sorted(docs));
  }

  /** What each intent earns at each rank. @param {Followed} metric @param {string[]} docs @returns {number[][]} */
  cells({ parts, below }, docs) {
    const order = docs.map((doc) => this.places.get(doc) ?? -1);
    const side = this.known.get(sorted(docs)) ?? "";
    return below[side].map((charged, i) => {
      const earned = parts.map((part) => this.looked(part[i], order).map((place) => this.tables.values[place]));
      return [...order.map((_, k) => sum(earned.map((values) => values[k] ?? 0))), ...charged];
    });
  }

  /** What is told of each document, intent by intent: in a sentence, and factor by factor.
   * @param {Followed} metric @param {string[]} docs @returns {Told} */
  told({ told }, docs) {
    const order = docs.map((doc) => this.places.get(doc) ?? -1);
    /** @type {Told} */
    const found = Object.fromEntries(docs.map((doc) => [doc, []]));
    this.intents.forEach((intent, i) => {
      const looked = told ? this.looked(told.parts[i], order) : [];
      let above = 0; // relevant documents
      docs.forEach((doc, k) => {
        const stands = this.tables.standing[i][order[k]];
        const [does, ...lines] = told?.texts[looked[k]] ?? ["earns nothing"];
        found[doc].push([`Rank ${k + 1}: ${doc} ${stands[Math.min(above, stands.length - 1)]}; it ${does} for ${intent}.`, ...lines]);
        if (stands.length > 1) above += 1;
      });
    });
    return found;
  }

  /** What an automaton finds at each rank. @param {Automaton} automaton @param {number[]} order of documents, by their
   * places @returns {number[]} */
  looked({ kinds, looks, next, values, depth, whole }, order) {
    const read = order.slice(0, depth);
    let state = 0;
    const found = read.map((place) => {
      const here = values[state];
      state = next[state][kinds[place]];
      return whole ? 0 : here[looks[place]];
    });
    return whole ? values[state].slice(0, read.length) : found;
  }

  /** @param {string} name @param {string[][]} lists A and B, or one list alone @returns {Scored} */
  row(name, lists) {
    const metric = this.tables.metrics[name];
    if (metric.problem !== undefined) return { metric: name, problem: metric.problem };
    const scores = lists.map((docs) => total(this.cells(/** @type {Followed} */ (metric), docs)));
    const row = { metric: name, scores: scores.map((score) => fixed(score, 4)) };
    if (scores.length < 2) return row;
    const [a, b] = scores;
    const tied = Math.abs(a - b) <= 10 ** -this.tables.digits * Math.max(1, Math.abs(a), Math.abs(b));
    const prefers = /** @type {"" | Side} */ (tied ? "" : a > b ? "A" : "B");
    return { ...row, prefers, difference: tied ? "0.0000" : signed(a - b) };
  }
}

const sorted = (/** @type {string[]} */ docs) => [...docs].sort().join("\n");

/** @param {number[][]} cells */
export function total(cells) {
  return sum(cells.map(sum));
}

/** Four decimals; what is not a tie does not look like one. @param {number} difference */
function signed(difference) {
  const sign = difference < 0 ? "" : "+";
  if (Math.abs(difference) >= 0.00005) return sign + fixed(difference, 4);
  return sign + difference.toExponential(0).replace(/e-(\d)$/, "e-0$1");
}
