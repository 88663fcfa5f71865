// @ts-check
// What every order of a page's lists earns, read from tables that Python has filled: see divmetrics/notebook/offline/permutation_tables.py.
// A document leads from one state to the next and earns what stands there; no metric's formula is written here.

import { filled, fixed, scientific, sum } from "./common.js";
/** @import { Automaton, Earning, Followed, IdealTable, LabTables, Page, RowTables, Scored, Side, Factors, Topic } from "./types.js" */

/** @typedef {NonNullable<Factors["lists"]>[string]} Told */

const EXACT = 14; // digits of a score in another mix

export class Rows {
  /** @param {RowTables} tables @param {Page} page as it was when the tables were filled */
  constructor(tables, { lists }) {
    this.tables = tables;
    this.places = new Map(tables.docs.map((doc, place) => [doc, place]));
    this.known = new Map(Object.entries(lists).map(([side, docs]) => [sorted(docs), side]));
    this.listings = /** @type {WeakMap<string[], { order: number[], side: string | undefined }>} */ (new WeakMap());
  }

  /** The documents of a list by their places, and the list of the tables that has the same; undefined where none has.
   * @param {string[]} docs which nobody changes: an edit makes another list */
  listing(docs) {
    let found = this.listings.get(docs);
    if (!found) {
      found = { order: docs.map((doc) => this.places.get(doc) ?? -1), side: this.known.get(sorted(docs)) };
      this.listings.set(docs, found);
    }
    return found;
  }

  /** Are these the documents of a list for which the tables were filled? @param {string[]} docs */
  covers(docs) {
    return this.listing(docs).side !== undefined;
  }

  /** What each row earns at each rank: each intent, or what is below it. @param {Earning} metric @param {string[]} docs
   * @returns {number[][]} */
  cells(metric, docs) {
    const { parts, below } = metric;
    const { order, side = "" } = this.listing(docs);
    const { values } = this.tables;
    return below[side].map((charged, i) => {
      const scales = parts.map((_, j) => this.scale(metric, j, i));
      const found = parts.map((part) => this.looked(part[i], order));
      const at = (/** @type {number} */ k) => sum(found.map((places, j) => (k < places.length ? scales[j] * values[places[k]] : 0)));
      return [...order.map((_, k) => at(k)), ...charged.map((cost) => scales[0] * cost)];
    });
  }

  /** By what a row's numbers of a term are multiplied. @param {Earning} _metric @param {number} _part @param {number} _row */
  scale(_metric, _part, _row) {
    return 1;
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
}

/** Of a lab, whose readers may be mixed otherwise. */
export class Tables extends Rows {
  /** @param {LabTables} tables @param {Page} page as it was when the tables were filled */
  constructor(tables, page) {
    super(tables, page);
    const { topic } = page;
    this.tables = tables;
    this.ratios = topic.intents.map(() => 1); // of each intent's probability to that which it had
    this.grown = /** @type {Map<IdealTable, number>} */ (new Map());
    this.first = topic.intents.map(({ probability }) => probability);
    this.intents = topic.intents.map(({ id }) => id);
    this.mixes = /** @type {WeakMap<Topic, Tables>} */ (new WeakMap());
    this.scored = /** @type {WeakMap<string[], Map<Followed, number>>} */ (new WeakMap()); // a move leaves the other list as it is
  }

  /** The same for the mix of a topic, which most moves leave as it is. @param {Topic} topic @returns {Tables} */
  ofMix(topic) {
    let found = this.mixes.get(topic);
    if (!found) {
      found = this.under(topic.intents.map(({ probability }) => probability));
      this.mixes.set(topic, found);
    }
    return found;
  }

  /** The same where the intents have these probabilities. @param {number[]} probabilities @returns {Tables} */
  under(probabilities) {
    const ratios = probabilities.map((p, i) => (p === this.first[i] ? 1 : p / this.first[i]));
    return Object.assign(Object.create(Tables.prototype), this, { ratios, grown: new Map(), scored: new WeakMap() });
  }

  /** Documents in decreasing worth, ties by id, and what the list adds up to. @param {IdealTable} ideal */
  idealList({ docs, worth }) {
    const at = (/** @type {number} */ doc, /** @type {number} */ rank) => sum(worth[doc].map((ofIntent, i) => this.ratios[i] * ofIntent[rank]));
    const first = docs.map((_, doc) => at(doc, 0));
    const tied = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(first[a] - first[b]) <= this.tables.tie * Math.max(first[a], first[b]);
    const best = docs.map((_, doc) => doc).sort((a, b) => (tied(a, b) ? a - b : first[b] - first[a])).slice(0, worth[0][0].length);
    return { docs: best.map((doc) => docs[doc]), sum: sum(best.map((doc, rank) => at(doc, rank))) };
  }

  /** Are the readers mixed otherwise? */
  get mixed() {
    return this.ratios.some((ratio) => ratio !== 1);
  }

  /** By what an intent's numbers are multiplied in this mix. @param {Followed} metric @param {number} part @param {number} i */
  scale({ mixed }, part, i) {
    const how = mixed?.[part] ?? false;
    return typeof how === "boolean" ? (how ? this.ratios[i] : 1) : this.ratios[i] * this.grows(how);
  }

  /** By what a row's numbers grow because the sum of its ideal list is another. @param {IdealTable} ideal */
  grows(ideal) {
    const known = this.grown.get(ideal);
    if (known !== undefined) return known;
    const there = this.idealList(ideal).sum;
    const grows = there ? this.under(this.first).idealList(ideal).sum / there : 0;
    this.grown.set(ideal, grows);
    return grows;
  }

  /** Why there are no numbers of a metric; "" where there are. @param {string} name */
  problem(name) {
    const own = this.tables.metrics[name];
    if (own.problem !== undefined) return own.problem;
    return this.mixed && !own.mixed ? filled(this.tables.words.beyond.mix, { metric: name }) : "";
  }

  /** The most that a document earns for an intent alone at the top. @param {Followed} metric */
  most(metric) {
    const { alone } = metric;
    return Math.max(0, ...alone[0].flatMap((row, i) => row.map((_, d) => Math.abs(sum(alone.map((part, j) => this.scale(metric, j, i) * part[i][d]))))));
  }

  /** The score of a list: its contributions, added up in the library's order. In another mix a last digit may be lost on the
   * way there and back, and .78125 must not be rounded as what is above it. @param {Followed} metric @param {string[]} docs */
  score(metric, docs) {
    const known = this.scored.get(docs) ?? new Map();
    this.scored.set(docs, known);
    if (!known.has(metric)) {
      const found = total(this.cells(metric, docs), metric.ranks);
      known.set(metric, this.mixed ? Number(found.toPrecision(EXACT)) : found);
    }
    return known.get(metric);
  }

  /** What is told of each document, intent by intent: in a sentence and, in the mix that the page came with, factor by factor.
   * @param {Followed} metric @param {string[]} docs @returns {Told} */
  told(metric, docs) {
    const { told } = metric;
    const cells = this.mixed ? this.cells(metric, docs) : null;
    const { order } = this.listing(docs);
    /** @type {Told} */
    const found = Object.fromEntries(docs.map((doc) => [doc, []]));
    this.intents.forEach((_, i) => {
      const looked = told ? this.looked(told.parts[i], order) : [];
      let above = 0; // relevant documents
      docs.forEach((doc, k) => {
        const stands = this.tables.standing[i][order[k]];
        const [does, ...lines] = cells ? [this.earns(cells[i][k])] : told?.texts[looked[k]] ?? [this.earns(0)];
        found[doc].push([filled(this.tables.words.cell, { rank: k + 1, doc, stands: stands[Math.min(above, stands.length - 1)], does, intent: this.tables.words.intents[i] }), ...lines]);
        if (stands.length > 1) above += 1;
      });
    });
    return found;
  }

  earns(/** @type {number} */ value) {
    const { costs, earns, nothing } = this.tables.words.earns;
    return filled(value < 0 ? costs : value ? earns : nothing, { value: this.number(Math.abs(value)) });
  }

  /** Four decimals; what is not 0 does not look like 0. @param {number} value */
  number(value) {
    return Math.abs(value) >= 0.00005 || this.tied(value, 0) ? fixed(value, 4) : scientific(value, 1);
  }

  /** @param {string} name @param {string[][]} lists A and B, or one list alone @returns {Scored} */
  row(name, lists) {
    const problem = this.problem(name);
    if (problem) return { metric: name, problem };
    const scores = lists.map((docs) => this.score(/** @type {Followed} */ (this.tables.metrics[name]), docs));
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
  const all = [];
  for (const row of cells) for (let k = 0; k < ranks; k += 1) all.push(row[k] ?? 0);
  return pairwise(all);
}

/** The same of every row by itself. @param {number[][]} cells @param {number} ranks */
export function rowSums(cells, ranks) {
  return cells.map((row) => pairwise(row.slice(0, ranks)));
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
  const lanes = values.slice(0, 8);
  for (let i = 8; i < whole; i += 1) lanes[i % 8] += values[i];
  const [a, b, c, d, e, f, g, h] = lanes;
  return values.slice(whole).reduce((all, value) => all + value, a + b + (c + d) + (e + f + (g + h)));
}

/** Four decimals; what is not a tie does not look like one. @param {number} difference */
function signed(difference) {
  const sign = difference < 0 ? "" : "+";
  if (Math.abs(difference) >= 0.00005) return sign + fixed(difference, 4);
  return sign + scientific(difference, 0);
}
