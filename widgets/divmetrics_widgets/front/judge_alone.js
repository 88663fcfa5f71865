// @ts-check
// The judge without a kernel: the browser counts how often a metric chose as the reader did; Python has written what is to be
// said of all counts. The answers stay until the tab is closed.

import { filled } from "./common.js";
import { remember, storage } from "./kept.js";
/** @import { PageModel } from "./page_model.js" */
/** @import { Agreement, Answer, JudgeTables } from "./types.js" */

const SIGNS = { left: 1, same: 0, right: -1 };

/** @param {PageModel} model @param {JudgeTables} tables @param {number} number of the judge on its page, from 1 */
export function judgeAlone(model, tables, number) {
  const key = `divmetrics-judge ${location.pathname} ${number}`;
  model.answer = (_, written) => {
    if (written.has("answers")) remember(key, JSON.stringify(model.get("answers")));
    if (!written.has("_ends")) return;
    model.tell("_found", tables.names.map((name, question) => agreement(name, answersTo(model, tables, question), tables)));
    model.tell("_compared", model.get("_ends"));
  };
  const before = JSON.parse(storage()?.getItem(key) ?? "[]");
  if (before.length === model.get("answers").length) model.tell("answers", before);
}

/** By pair, the answer to one of the questions. @param {PageModel} model @param {JudgeTables} tables @param {number} question
 * @returns {("" | Answer)[]} */
function answersTo(model, { names }, question) {
  return model.get("answers").filter((/** @type {string} */ _, /** @type {number} */ i) => i % names.length === question);
}

/** @param {string} name @param {("" | Answer)[]} answers @param {JudgeTables} tables @returns {Agreement} */
function agreement(name, answers, { metrics, chosen, outcomes }) {
  const given = answers.flatMap((answer, pair) => (answer ? [{ pair, sign: SIGNS[answer] }] : []));
  const decided = given.filter(({ sign }) => sign);
  const rows = metrics.map((metric, m) => {
    const products = decided.map(({ pair, sign }) => sign * chosen[m][pair]);
    const count = (/** @type {number} */ wanted) => products.filter((product) => product === wanted).length;
    const { words, ...outcome } = outcomes[[1, -1, 0].map(count).join(" ")];
    return { metric, pairs: decided.filter((_, i) => products[i] < 0).map(({ pair }) => pair + 1), ...outcome, words: filled(words, { metric }) };
  });
  return { name, decided: decided.length, same: given.length - decided.length, rows: decided.length ? rows : [] };
}
