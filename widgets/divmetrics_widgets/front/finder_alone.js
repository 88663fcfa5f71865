// @ts-check
// The finder without a kernel: Python has answered for every two of some metrics, on the topic and with the length that
// the finder begins with. The question stays until the tab is closed.

import { remember, storage } from "./kept.js";
/** @import { PageModel } from "./page_model.js" */
/** @import { FinderTables } from "./types.js" */

/** @param {PageModel} model @param {FinderTables} tables @param {number} number of the finder on its page, from 1 */
export function finderAlone(model, { docs, marks, answers }, number) {
  const key = `divmetrics-finder ${location.pathname} ${number}`;
  model.tell("_names", Object.keys(answers.margin));
  model.answer = (_, written) => {
    if (!written.has("_choice")) return;
    const { m1, m2, find } = model.get("_choice");
    model.tell("_found", { ...answers[find][m1][m2], docs, marks });
    remember(key, JSON.stringify([m1, m2, find]));
  };
  const [m1, m2, find] = JSON.parse(storage()?.getItem(key) ?? "[]");
  if (!answers[find]?.[m1]?.[m2]) return;
  model.set("_choice", { ...model.get("_choice"), m1, m2, find });
  model.save_changes();
}
