// @ts-check
// What a lab says of its numbers without a kernel: Python's own sentences, filled here with numbers from its tables.

import { filled, fixed, listed } from "./common.js";
import { rowSums } from "./followed.js";
/** @import { Tables } from "./followed.js" */
/** @import { Followed, Lists, Scored, Side } from "./types.js" */

/** Why two metrics part: the chosen one, and the first that prefers the other list; "" where none does.
 * @param {Tables} followed @param {Scored[]} rows @param {string} chosen @param {Lists} lists */
export function parting(followed, rows, chosen, lists) {
  const decided = rows.filter(({ prefers }) => prefers);
  const first = decided.find(({ metric }) => metric === chosen) ?? decided[0];
  const other = decided.find(({ prefers }) => prefers !== first.prefers);
  return other ? [first, other].map((row) => because(followed, row, lists)).join(" ") : "";
}

/** The fewest intents that make up half of what speaks for a list. @param {Tables} followed @param {Scored} row @param {Lists} lists */
function because(followed, { metric, prefers }, lists) {
  const winner = /** @type {Side} */ (prefers);
  const loser = winner === "A" ? "B" : "A";
  const own = /** @type {Followed} */ (followed.tables.metrics[metric]);
  const [more, less] = [winner, loser].map((side) => rowSums(followed.cells(own, lists[/** @type {Side} */ (side)]), own.ranks));
  const ahead = more.map((earned, i) => earned - less[i]);
  const speak = ahead.map((_, i) => i).filter((i) => ahead[i] > 0)
    .sort((i, j) => (followed.tied(ahead[i], ahead[j]) ? i - j : ahead[j] - ahead[i]));
  const half = speak.reduce((all, i) => all + ahead[i], 0) / 2;
  const { because: sentences, intents } = followed.tables.words;
  const most = ahead[speak[0]];
  const named = speak.slice(0, most >= half || followed.tied(most, half) ? 1 : sentences.length);
  const [there, here] = apart(...[more, less].map((earned) => named.reduce((all, i) => all + earned[i], 0)));
  const [first, second = ""] = named.map((i) => intents[i]);
  return filled(sentences[named.length - 1], { metric, winner, loser, first, second, there, here });
}

/** Both with so many decimals, four or more, that they are told apart. @param {number[]} numbers */
function apart(...numbers) {
  const texts = (/** @type {number} */ decimals) => numbers.map((number) => fixed(number, decimals));
  for (let decimals = 4; decimals < 16; decimals += 1) {
    const [one, other] = texts(decimals);
    if (one !== other) return [one, other];
  }
  return texts(16);
}

/** What another mix does to the ideal list of a metric; "" where that is the same. @param {Tables} before its mix, the one before
 * @param {Tables} now @param {string} metric */
export function anotherIdeal(before, now, metric) {
  const { words, metrics } = now.tables;
  for (const how of /** @type {Followed} */ (metrics[metric]).mixed ?? []) {
    if (typeof how === "boolean") continue;
    const [old, docs] = [before, now].map((mix) => mix.idealList(how).docs);
    const at = docs.findIndex((doc, k) => doc !== old[k]);
    if (at < 0) continue;
    const [sentence, first] = at < words.documents ? [words.ideal.begins, 0] : [words.ideal.from, at];
    return filled(words.ideal.mix, { metric, how: filled(sentence, { rank: first + 1, docs: docs.slice(first, first + words.documents).join(" ") }) });
  }
  return "";
}

/** What a list would score with a document at each rank, in a sentence. @param {Tables} followed
 * @param {{ metric: string, side: string, doc: string, at: number }} about at: its rank, from 0 @param {number[]} scores */
export function atRanks(followed, { metric, side, doc, at }, scores) {
  const { words } = followed.tables;
  const most = Math.max(...scores);
  const best = scores.map((score) => followed.tied(score, most));
  const sentence = scores.length === 1 ? words.at.alone : best.every(Boolean) ? words.at.even : best[at] ? words.at.best : words.at.other;
  const where = ranksTold(words.ranks, best.flatMap((is, k) => (is ? [k + 1] : [])));
  return filled(sentence, { metric, side, doc, rank: at + 1, now: fixed(scores[at], 4), where, most: fixed(most, 4) });
}

/** "rank 3", "ranks 1 to 4 and 7". @param {Record<"one" | "several" | "run", string>} words @param {number[]} ranks */
function ranksTold({ one, several, run }, ranks) {
  const runs = /** @type {{ first: number, last: number }[]} */ ([]);
  for (const rank of ranks) {
    const before = runs.at(-1);
    if (before?.last === rank - 1) before.last = rank;
    else runs.push({ first: rank, last: rank });
  }
  const told = runs.map(({ first, last }) => (first === last ? String(first) : filled(run, { first, last })));
  return filled(ranks.length > 1 ? several : one, { ranks: listed(told) });
}
