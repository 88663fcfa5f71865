// @ts-check
// A page of the course's book: every widget on it is the notebook's own, on a model that holds what Python knew.

import { h } from "./common.js";
import { liveLink } from "./kernel.js";
import { labAlone } from "./lab_alone.js";
import { listAlone } from "./list_alone.js";
import { PageModel } from "./page_model.js";
import { foundAlone } from "./predict_alone.js";
/** @import { Model } from "./types.js" */

/** @typedef {() => { render: (props: { model: any, el: HTMLElement }) => unknown }} Made a widget's module */
/** @typedef {(model: PageModel, tables: any, number: number, models: Map<string, PageModel>) => void} Alone how a widget is
 * answered without a kernel; number: on its page, of those of its kind, from 1; models: those before it on the page */

const ALONE = /** @type {Record<string, Alone>} */ ({
  "lab.js": labAlone, "walk.js": listAlone, "contributions.js": listAlone, "predict.js": () => {}, "found.js": foundAlone,
});

/** Put every widget of the page where its still form is. @param {Record<string, () => Made>} modules by their files */
function start(modules) {
  const models = /** @type {Map<string, PageModel>} */ (new Map());
  const counts = /** @type {Record<string, number>} */ ({});
  for (const still of document.querySelectorAll(".divmetrics-page")) {
    const { module = "", model: id = "" } = /** @type {HTMLElement} */ (still).dataset;
    const alone = ALONE[module];
    if (!alone) {
      const live = liveLink();
      still.prepend(h("p", { class: "divmetrics-still" }, "Below is a picture of a widget that needs Python to answer.", live && " ", live));
      continue;
    }
    const { traits, tables } = JSON.parse(still.nextElementSibling?.textContent ?? "");
    const model = new PageModel(traits, () => {});
    counts[module] = (counts[module] ?? 0) + 1;
    alone(model, tables, counts[module], models);
    models.set(id, model);
    const el = document.createElement("div");
    modules[module]()().render({ model, el });
    Object.assign(el, { divmetrics: model }); // for whoever asks a page about its widgets
    still.replaceChildren(el);
  }
}

export default start;
