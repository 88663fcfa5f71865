// @ts-check
// How a HierarchyLab is answered without a kernel: both forms of a metric from tables, for every order of the list.

import { filled, fixed, listed, sum } from "./common.js";
import { byId, gradeAt } from "./edits.js";
import { Rows, total } from "./followed.js";
import { agreed } from "./history.js";
/** @import { PageModel } from "./page_model.js" */
/** @import { FormTable, Intent, LevelTables, Page, Results } from "./types.js" */

/** @param {PageModel} model @param {LevelTables | { problem: string }} tables */
export function hierarchyAlone(model, tables) {
  if (tables.problem !== undefined) {
    model.answer = () => {
      model.tell("_results", { of: agreed(model).name, rows: [] });
      model.tell("_problem", tables.problem);
    };
    return;
  }
  const followed = new Rows(tables, model.get("_shown"));
  model.answer = (_, written) => {
    if (written.has("_edit")) model.tell("_results", levels(model, followed, tables));
  };
}

/** @param {PageModel} model @param {Rows} followed @param {LevelTables} tables @returns {Results} */
function levels(model, followed, tables) {
  const { name, page } = agreed(model);
  const { flat, square, most } = tables;
  const docs = page.lists.A;
  const [cells, leaves] = [flat, square].map((form) => followed.cells(form, docs).map((row) => row.slice(0, form.ranks)));
  const byIntent = page.topic.intents.map((intent, i) => {
    const before = sum(page.topic.intents.slice(0, i).map(({ children }) => children.length));
    const own = leaves.slice(before, before + intent.children.length);
    return own[0].map((_, k) => sum(own.map((row) => row[k])));
  });
  return {
    of: name, rows: [], chosen: flat.name, square: square.name, most,
    earned: { A: { cells, score: fixed(total(cells, flat.ranks), 4) } },
    below: { cells: byIntent, leaves, score: fixed(total(byIntent, square.ranks), 4) },
    words: words(page, followed, tables),
  };
}

/** A document that serves an intent which one above it serves, too.
 * @typedef {{ k: number, i: number, served: string[], above: number[], repeats: boolean }} Encounter */

/** The first that repeats what is below an intent, and the first that brings something new there, in Python's words.
 * @param {Page} page @param {Rows} followed @param {LevelTables} tables */
function words(page, followed, { depth, forms, flat, square }) {
  const docs = page.lists.A;
  const found = page.topic.intents.flatMap((intent, i) => encounters(page, intent, i, depth));
  const first = [true, false].flatMap((wanted) => found.find(({ repeats }) => repeats === wanted) ?? []);
  if (!first.length) return [filled(forms.none, { depth })];
  const { order } = followed.listing(docs);
  return first.sort((a, b) => a.k - b.k).map(({ k, i, served, above, repeats }) => {
    const intent = page.topic.intents[i].id;
    const which = filled(above.length > 1 ? forms.several : forms.one, { ranks: listed(above) });
    const said = filled(repeats ? forms.repeats : forms.brings, { rank: k + 1, doc: docs[k], leaves: listed(served.map((leaf) => `${intent}/${leaf}`)), intent, above: which });
    const gift = (/** @type {FormTable} */ { gifts: { parts, texts } }) => texts[followed.looked(parts[i], order)[k]];
    return `${said} ${filled(forms.there, { flat: flat.name, square: square.name, intent, gift: gift(flat), below: gift(square) })}`;
  });
}

/** Those of one intent down to a rank; a document that both repeats and brings something is passed over.
 * @param {Page} page @param {Intent} intent @param {number} i @param {number} depth */
function encounters({ docs, lists }, intent, i, depth) {
  const first = /** @type {Map<string, number>} */ (new Map()); // by subtopic the rank that served it first
  return lists.A.slice(0, depth).flatMap((doc, k) => {
    const { grades } = byId(docs, doc);
    const served = intent.children.map(({ id }) => id).filter((id) => gradeAt(grades, `${intent.id}/${id}`));
    const known = served.flatMap((id) => first.get(id) ?? []);
    const above = known.length ? known : [Math.min(...first.values())];
    const pure = first.size > 0 && served.length > 0 && (known.length === 0 || known.length === served.length);
    for (const id of served) first.set(id, first.get(id) ?? k + 1);
    return pure ? [{ k, i, served, above: [...new Set(above)].sort((a, b) => a - b), repeats: known.length > 0 }] : [];
  });
}
