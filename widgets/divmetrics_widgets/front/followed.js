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

  /** The score of a list: its contributions, added up in the library's order. @param {Followed} metric @param {string[]} docs */
  score(metric, docs) {
    return total(this.cells(metric, docs), metric.ranks);
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

  /** Do two scores differ by no more than rounding? @param {number} a @param {number} b */
  tied(a, b) {
    return Math.abs(a - b) <= this.tables.tie * Math.max(1, Math.abs(a), Math.abs(b));
  }

  /** @param {string} name @param {string[][]} lists A and B, or one list alone @returns {Scored} */
  row(name, lists) {
    const metric = this.tables.metrics[name];
    if (metric.problem !== undefined) return { metric: name, problem: metric.problem };
    const scores = lists.map((docs) => this.score(/** @type {Followed} */ (metric), docs));
    const row = { metric: name, scores: scores.map((score) => fixed(score, 4)) };
    if (scores.length < 2) return row;
    const [a, b] = scores;
    const tied = this.tied(a, b);
    const prefers = /** @type {"" | Side} */ (tied ? "" : a > b ? "A" : "B");
    return { ...row, prefers, difference: tied ? "0.0000" : signed(a - b) };
  }
}

const sorted = (/** @type {string[]} */ docs) => [...docs].sort().join("\n");

/** The sum of (intent, rank), of so many ranks: the very double that the library has, for its last digit may decide how a
 * number is rounded. @param {number[][]} cells @param {number} ranks */
export function total(cells, ranks) {
  return pairwise(cells.flatMap((row) => Array.from({ length: ranks }, (_, k) => row[k] ?? 0)));
}

/** In the order in which numpy adds. @param {number[]} values @returns {number} */
function pairwise(values) {
  const { length } = values;
  if (length < 8) return sum(values);
  if (length > 128) {
    const half = Math.floor(length / 2);
    const at = half - (half % 8);
    return pairwise(values.slice(0, at)) + pairwise(values.slice(at));
  }
  const whole = length - (length % 8);
  const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, (_, lane) => {
    let inLane = values[lane];
    for (let i = 8 + lane; i < whole; i += 8) inLane += values[i];
    return inLane;
  });
  return values.slice(whole).reduce((all, value) => all + value, a + b + (c + d) + (e + f + (g + h)));
}

/** Four decimals; what is not a tie does not look like one. @param {number} difference */
function signed(difference) {
  const sign = difference < 0 ? "" : "+";
  if (Math.abs(difference) >= 0.00005) return sign + fixed(difference, 4);
  return sign + difference.toExponential(0).replace(/e-(\d)$/, "e-0$1");
}
