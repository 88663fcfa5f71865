// @ts-check
// How a lab is answered without a kernel: orders of its lists from tables; what is beyond them is refused in a sentence.

import { fixed, same } from "./common.js";
import { onlyMixed } from "./edits.js";
import { Tables, total } from "./followed.js";
import { progress } from "./goal_alone.js";
import { agreed } from "./history.js";
import { remember, storage } from "./kept.js";
import { linesAlone } from "./mix_alone.js";
import { onlyOf } from "./only.js";
import { addressOf, labMark, labOfAddress, mixOf, sharedOf, withMix } from "./shared.js";
import { anotherIdeal, atRanks, parting } from "./told_alone.js";
/** @import { PageModel } from "./page_model.js" */
/** @import { Factors, Followed, LabTables, Page, Ranks, Results, Side, Walk } from "./types.js" */

const ASKS = ["_edit", "_chosen", "_show_best", "_walk"]; // traits whose change asks for the numbers of the page

const REST = 200; // milliseconds

/** @param {PageModel} model @param {LabTables} tables @param {number} number of the lab on its page, from 1 */
export function labAlone(model, tables, number) {
  const first = model.get("_shown");
  const followed = new Tables(tables, first);
  const names = [number, labMark(first)];
  const key = `divmetrics-lab ${location.pathname} ${number} ${labMark(first)}`;
  model.address = () => {
    const { page: { lists, topic } } = agreed(model);
    return addressOf(number, { lists, metric: model.get("_results").chosen ?? "", mix: mixOf(topic, first.topic) });
  };
  model.refuses = (page) => refusal(page, first, followed);
  const pages = { before: first, last: first }; // the one measured last, and another before it
  model.answer = (_, written) => {
    const { page } = agreed(model);
    if (!alike(page, pages.last)) Object.assign(pages, { before: pages.last, last: page });
    if (!ASKS.some((name) => written.has(name))) return;
    model.tell("_results", { ...results(model, followed, pages.before), ...walk(model, followed, first) });
    remember(key, model.address());
    if (onlyOf() || names.map(String).includes(labOfAddress())) followInAddress(model);
  };
  model.answers = {
    factors: () => factors(model, followed),
    ranks: (about) => ranks(model, followed, about),
    lines: ({ metric, intent }) => {
      const { page, followed: mixed } = inHand(model, followed);
      return linesAlone(mixed, page, metric, intent);
    },
  };
  // A link wins over what was here before the page was left.
  const linked = sharedOf(names, Object.keys(first.lists));
  const kept = storage()?.getItem(key) ?? model.address();
  const shared = linked ?? (kept === model.address() ? null : sharedOf(names, Object.keys(first.lists), kept));
  const topic = shared && withMix(first.topic, shared.mix);
  if (!topic || model.refuses({ ...first, lists: shared.lists, topic })) return;
  model.opened = linked !== null;
  model.set("_edit", { name: "shared", on: first.name, lists: shared.lists, topic });
  model.set("_chosen", shared.metric);
  model.save_changes();
}

let following = 0;

/** The address of the page says what its lab shows, once that rests: browsers refuse to write it at every step of a hand.
 * @param {PageModel} model */
function followInAddress(model) {
  clearTimeout(following);
  following = setTimeout(() => history.replaceState(null, "", model.address()), REST);
}

/** Why a page is beyond the tables; "" where it is not. @param {Page} page @param {Page} first @param {Tables} followed */
function refusal(page, first, followed) {
  const needs = beyond(page, first, followed);
  return needs && `${needs} needs Python, which this page does not have`;
}

/** @param {Page} page @param {Page} first @param {Tables} followed */
function beyond({ docs, topic, lists, metrics }, first, followed) {
  if (!equal(docs, first.docs)) return "Another grade or document";
  if (!onlyMixed(topic, first.topic)) return "Another intent, or another kind or part of one,";
  if (!metrics.every((name) => name in followed.tables.metrics)) return "Another metric";
  if (!Object.values(lists).every((listed) => followed.covers(listed))) return "A list of other documents";
  return "";
}

/** The page in hand, and the tables for its mix of readers. @param {PageModel} model @param {Tables} tables */
function inHand(model, tables) {
  const { name, page } = agreed(model);
  return { name, page, followed: tables.ofMix(page.topic) };
}

/** The metric whose numbers are shown; "" where none has any. @param {PageModel} model @param {Tables} tables @returns {string} */
function chosenOf(model, tables) {
  const { page: { metrics }, followed } = inHand(model, tables);
  const usable = metrics.filter((metric) => !followed.problem(metric));
  return usable.find((metric) => metric === model.get("_chosen")) ?? usable[0] ?? "";
}

const equal = (/** @type {unknown} */ a, /** @type {unknown} */ b) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Are two pages the same, whatever metrics they show? @param {Page} one @param {Page} other */
function alike(one, other) {
  return equal(one.lists, other.lists) && equal(one.topic, other.topic);
}

/** @param {PageModel} model @param {Tables} tables @param {Page} before @returns {Results} */
function results(model, tables, before) {
  const { name, page: { lists, metrics }, followed } = inHand(model, tables);
  const { goal, words } = tables.tables;
  const rows = metrics.map((metric) => followed.row(metric, Object.values(lists)));
  const chosen = chosenOf(model, tables);
  const reached = goal && followed.mixed ? { problem: goal.mixed } : goal ? progress(goal, followed, lists) : undefined;
  const found = { of: name, rows, usual: model.get("_results").usual, goal: reached };
  if (!chosen) return found;
  const metric = /** @type {Followed} */ (tables.tables.metrics[chosen]);
  const earned = Object.entries(lists).map(([side, docs]) => {
    const cells = followed.cells(metric, docs);
    return [side, { cells, score: fixed(total(cells, metric.ranks), 4) }];
  });
  const best = followed.mixed && metric.mixed?.some(Boolean) ? { docs: [], score: "", problem: words.beyond.best } : metric.best;
  return { ...found, chosen, moved: anotherIdeal(tables.ofMix(before.topic), followed, chosen), parts: parting(followed, rows, chosen, lists), most: followed.most(metric), lines: metric.lines, best: model.get("_show_best") ? best : undefined, earned: Object.fromEntries(earned) };
}

/** The walk that is asked for, where it goes down a list as the page came with it. @param {PageModel} model
 * @param {Tables} tables @param {Page} first @returns {{ walk?: Walk | null, unwalked?: string }} */
function walk(model, tables, first) {
  const side = /** @type {Side | ""} */ (model.get("_walk"));
  if (!side) return {};
  const { page: { lists }, followed } = inHand(model, tables);
  const found = followed.mixed || !same(lists[side], first.lists[side]) ? null : tables.tables.walks[chosenOf(model, tables)]?.[side];
  return found ? { walk: found } : { unwalked: tables.tables.words.beyond.walk };
}

/** What is multiplied in every cell of the page. @param {PageModel} model @param {Tables} tables @returns {Factors} */
function factors(model, tables) {
  const { page: { lists }, followed } = inHand(model, tables);
  const metric = /** @type {Followed} */ (followed.tables.metrics[model.get("_results").chosen]);
  const told = Object.entries(lists).map(([side, docs]) => [side, followed.told(metric, docs)]);
  const instead = followed.mixed ? tables.tables.words.beyond.factors : "";
  return { forms: metric.told?.forms ?? [], lists: Object.fromEntries(told), instead };
}

/** What a list would score if a document stood at another rank. @param {PageModel} model @param {Tables} tables
 * @param {{ side: Side, doc: string }} about @returns {Ranks} */
function ranks(model, tables, { side, doc }) {
  const { page: { lists, metrics }, followed } = inHand(model, tables);
  const docs = lists[side];
  const at = docs.indexOf(doc);
  const others = docs.filter((other) => other !== doc);
  const orders = docs.map((_, k) => [...others.slice(0, k), doc, ...others.slice(k)]);
  const rows = metrics.flatMap((metric) => {
    if (followed.problem(metric)) return [];
    const own = /** @type {Followed} */ (followed.tables.metrics[metric]);
    const scores = orders.map((order) => followed.score(own, order));
    const [low, high] = [Math.min(...scores), Math.max(...scores)];
    const heights = scores.map((score) => (followed.tied(high, low) ? 0.5 : Number(fixed((score - low) / (high - low), 4))));
    const words = atRanks(followed, { metric, side, doc, at }, scores);
    return [{ metric, scores: scores.map((score) => fixed(score, 4)), heights, words }];
  });
  return { first: 1, at: at + 1, rows, words: "" };
}
