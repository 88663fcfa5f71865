// @ts-check
// How a lab is answered without a kernel: orders of its lists from tables; what is beyond them is refused in a sentence.

import { fixed } from "./common.js";
import { Tables, total } from "./followed.js";
import { progress } from "./goal_alone.js";
import { agreed } from "./history.js";
import { addressOf, sharedOf } from "./shared.js";
/** @import { PageModel } from "./page_model.js" */
/** @import { Followed, LabTables, Page, Results } from "./types.js" */

const ASKS = ["_edit", "_chosen", "_show_best"]; // traits whose change asks for the numbers of the page

/** @param {PageModel} model @param {LabTables} tables @param {number} number of the lab on its page, from 1 */
export function labAlone(model, tables, number) {
  const first = model.get("_shown");
  const followed = new Tables(tables, first);
  model.address = () => addressOf(number, { lists: agreed(model).page.lists, metric: model.get("_results").chosen });
  model.refuses = (page) => refusal(page, first, followed);
  model.answer = (_, written) => {
    if (ASKS.some((name) => written.has(name))) model.tell("_results", results(model, followed));
    if (written.has("_factors_of")) model.tell("_factors", factors(model, followed));
    if (written.has("_ranks_of")) model.tell("_ranks", ranks(model, followed));
  };
  const shared = sharedOf(number, Object.keys(first.lists));
  if (!shared || model.refuses({ ...first, lists: shared.lists })) return;
  model.set("_edit", { name: "shared", on: first.name, lists: shared.lists });
  model.set("_chosen", shared.metric);
  model.save_changes();
}

/** @param {Page} page @param {Page} first @param {Tables} followed */
function refusal({ docs, topic, lists, metrics }, first, followed) {
  const needs = docs !== first.docs ? "Another grade or document" : topic !== first.topic ? "Another intent or share" : metrics.some((name) => !(name in followed.tables.metrics)) ? "Another metric" : Object.values(lists).every((listed) => followed.covers(listed)) ? "" : "A list of other documents";
  return needs && `${needs} needs Python, which this page is without`;
}

/** @param {PageModel} model @param {Tables} followed @returns {Results} */
function results(model, followed) {
  const { name, page: { lists, metrics } } = agreed(model);
  const rows = metrics.map((metric) => followed.row(metric, Object.values(lists)));
  const usable = rows.filter(({ problem }) => problem === undefined).map(({ metric }) => metric);
  const { goal } = followed.tables;
  const found = { of: name, rows, usual: model.get("_results").usual, goal: goal ? progress(goal, followed, lists) : undefined };
  if (!usable.length) return found;
  const chosen = usable.includes(model.get("_chosen")) ? model.get("_chosen") : usable[0];
  const metric = /** @type {Followed} */ (followed.tables.metrics[chosen]);
  const earned = Object.entries(lists).map(([side, docs]) => {
    const cells = followed.cells(metric, docs);
    return [side, { cells, score: fixed(total(cells, metric.ranks), 4) }];
  });
  return { ...found, chosen, most: metric.most, lines: metric.lines, best: model.get("_show_best") ? metric.best : undefined, earned: Object.fromEntries(earned) };
}

/** What is multiplied in every cell of the page that is asked about. @param {PageModel} model @param {Tables} followed */
function factors(model, followed) {
  const { of, number } = model.get("_factors_of");
  const { name, page: { lists } } = agreed(model);
  const { chosen } = model.get("_results");
  if (of !== name || !chosen) return {};
  const metric = /** @type {Followed} */ (followed.tables.metrics[chosen]);
  const told = Object.entries(lists).map(([side, docs]) => [side, followed.told(metric, docs)]);
  return { of, number, forms: metric.told?.forms, lists: Object.fromEntries(told) };
}

/** What a list would score if a document stood at another rank. @param {PageModel} model @param {Tables} followed */
function ranks(model, followed) {
  const asked = model.get("_ranks_of");
  const { side, doc, of } = asked;
  const { name, page: { lists, metrics } } = agreed(model);
  const docs = lists[/** @type {import("./types.js").Side} */ (side)];
  if (of !== name || !docs || doc === undefined || !docs.includes(doc)) return asked;
  const others = docs.filter((other) => other !== doc);
  const rows = metrics.flatMap((metric) => {
    const own = followed.tables.metrics[metric];
    if (own.problem !== undefined) return [];
    const scores = docs.map((_, k) => followed.score(/** @type {Followed} */ (own), [...others.slice(0, k), doc, ...others.slice(k)]));
    const [low, high] = [Math.min(...scores), Math.max(...scores)];
    const heights = scores.map((score) => (followed.tied(high, low) ? 0.5 : (score - low) / (high - low)));
    return [{ metric, scores: scores.map((score) => fixed(score, 4)), heights, words: "" }];
  });
  return { ...asked, first: 1, at: docs.indexOf(doc) + 1, rows, words: "" };
}
