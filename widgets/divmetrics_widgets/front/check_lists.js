// @ts-check
// Whether lists keep the rules of an exercise: their scores are followed in Python's tables, and compared as Python compares.

import { filled, fixed, same } from "./common.js";
import { Rows, total } from "./followed.js";
/** @import { ListScore, ListsTables, Page } from "./types.js" */

/** Tables for every list of some documents, by its length. */
class Lists extends Rows {
  /** @param {ListsTables} tables */
  constructor(tables) {
    super(tables, /** @type {Page} */ ({ lists: {} }));
    this.tables = tables;
  }

  /** @param {string[]} docs */
  listing(docs) {
    return { order: docs.map((doc) => this.places.get(doc) ?? -1), side: String(docs.length) };
  }

  /** @param {number} metric @param {string[]} docs */
  score(metric, docs) {
    const earning = this.tables.scores[metric][docs.length];
    return total(this.cells(earning, docs), earning.ranks);
  }

  /** 1 where the one is above the other, -1 below, 0 where they tie. @param {number} one @param {number} other */
  compared(one, other) {
    if (this.tied(one, other)) return 0;
    return one > other ? 1 : -1;
  }
}

/** What is said of an answer of lists; "" where it keeps all rules, null where it is none.
 * @param {string[]} texts one for each list @param {ListsTables} tables @returns {string | null} */
export function brokenRule(texts, tables) {
  const lists = texts.map((text) => text.match(new RegExp(tables.word, "g")) ?? []);
  if (!wellFormed(lists, tables)) return null;
  const found = new Lists(tables);
  const score = (/** @type {ListScore} */ [list, metric]) => found.score(metric, lists[list]);
  for (const { left, right, times, more, holds, otherwise } of tables.rules) {
    const [one, other] = [score(left), typeof right === "number" ? right : score(right)];
    if (!holds.includes(found.compared(one, times * other + more))) {
      return filled(otherwise, { left: fixed(one, 4), right: fixed(other, 4) });
    }
  }
  return "";
}

/** @param {string[][]} lists @param {ListsTables} tables */
function wellFormed(lists, { docs, sizes, together, but }) {
  const known = new Set(docs);
  const fits = sizes.every(([least, most], i) => {
    const list = lists[i] ?? [];
    return list.length >= least && list.length <= most && new Set(list).size === list.length && list.every((doc) => known.has(doc)) && !same([...list].sort(), but);
  });
  const pairs = lists.slice(1).map((other, i) => [lists[i], other]);
  if (together === "same documents") return fits && pairs.every(([one, other]) => same([...one].sort(), [...other].sort()));
  if (together === "one more") return fits && pairs.every(([one, other]) => same(one, other.slice(0, -1)));
  return fits;
}
