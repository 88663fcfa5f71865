// @ts-check
// A page of the course's book: every widget on it is the notebook's own, on a model that holds what Python knew.

import check from "./check.js";
import { checkAlone } from "./check_alone.js";
import { h } from "./common.js";
import contributions from "./contributions.js";
import finder from "./finder.js";
import { finderAlone } from "./finder_alone.js";
import found from "./found.js";
import hierarchy from "./hierarchy.js";
import { hierarchyAlone } from "./hierarchy_alone.js";
import judge from "./judge.js";
import { judgeAlone } from "./judge_alone.js";
import { liveLink } from "./kernel.js";
import lab from "./lab.js";
import { labAlone } from "./lab_alone.js";
import { listAlone } from "./list_alone.js";
import { onlyOf, showOnly } from "./only.js";
import { PageModel } from "./page_model.js";
import predict from "./predict.js";
import { foundAlone, predictAlone } from "./predict_alone.js";
import { labOfAddress } from "./shared.js";
import walk from "./walk.js";
/** @import { Model } from "./types.js" */

/** @typedef {() => { render: (props: { model: any, el: HTMLElement }) => unknown }} Made a widget's module */
/** @typedef {(model: PageModel, tables: any, number: number, models: Map<string, PageModel>) => void} Alone how a widget is
 * answered without a kernel; number: on its page, of those of its kind, from 1; models: those before it on the page */

const WIDGETS = /** @type {Record<string, [Made, Alone]>} */ ({
  "lab.js": [lab, labAlone], "walk.js": [walk, listAlone], "contributions.js": [contributions, listAlone],
  "predict.js": [predict, predictAlone], "found.js": [found, foundAlone], "hierarchy.js": [hierarchy, hierarchyAlone],
  "check.js": [check, checkAlone], "judge.js": [judge, judgeAlone],
  "finder.js": [finder, finderAlone],
});

// Widgets that say something without the text around them.
const ONLY = ["lab.js", "hierarchy.js", "walk.js", "contributions.js", "judge.js", "finder.js"];

const NO_LAB = "No lab of this page can show what the link says: it names another lab, other documents or a mix of readers that does not fit. So every lab is as the lesson begins.";

/** Put every widget of the page where its still form is: down to the first lab as soon as it has been read, though the page has
 * not; the others in turns, between which the page hears its reader. Where the address speaks of a lab, or a page goes to paper,
 * nothing is left for later. */
function start() {
  const only = onlyOf();
  const drawn = drawer();
  const drawAll = () => waiting().filter((still) => drawn(still));
  const turn = () => {
    const [still] = waiting();
    if (!still) return;
    setTimeout(turn);
    drawn(still);
  };
  const begin = () => {
    for (const still of waiting()) {
      if (!isRead(still.nextElementSibling)) return;
      drawn(still);
      if (still.dataset.module === "lab.js") return reading.disconnect();
    }
  };
  const reading = new MutationObserver(begin);
  const end = () => {
    reading.disconnect();
    const linked = labOfAddress();
    if (only) {
      // It is counted among those of the whole page, from which it is taken.
      const opened = showOnly(only, named(), (still) => drawn(still, Number(/\d+$/.exec(only.name))));
      if (linked && !opened) tell("main", NO_LAB);
      return;
    }
    if (!linked) return turn();
    const [opened] = drawAll();
    if (opened) opened.scrollIntoView();
    else tell("article", NO_LAB);
  };
  if (!only) addEventListener("beforeprint", drawAll, true); // before what moves answers to the end of the paper
  if (document.readyState !== "loading") return end();
  document.addEventListener("DOMContentLoaded", end);
  if (only || labOfAddress()) return;
  reading.observe(document, { childList: true, subtree: true });
  begin();
}

/** The widgets that are still their still forms, in the order of the page. */
function waiting() {
  return /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".divmetrics-page:not([data-drawn])")]);
}

/** At the top of the page. @param {string} within @param {string} text */
function tell(within, text) {
  document.querySelector(within)?.prepend(h("p", { class: "divmetrics-still", role: "status" }, text));
}

/** Which of its kind a widget is on its page, from 1. @param {HTMLElement} still */
function numberOf(still) {
  return [...document.querySelectorAll(`.divmetrics-page[data-module="${still.dataset.module}"]`)].indexOf(still) + 1;
}

/** By name, such as lab2, the widgets that can stand alone. */
function named() {
  const alone = waiting().filter(({ dataset: { module = "" } }) => ONLY.includes(module));
  return new Map(alone.map((still) => [`${still.dataset.module?.replace(".js", "")}${numberOf(still)}`, still]));
}

/** Whether a browser that reads the page has come past this. @param {Node | null} node */
function isRead(node) {
  for (let up = node; up; up = up.parentNode) if (up.nextSibling) return true;
  return false;
}

/** What puts a widget where its still form is, and says whether it is as a link has it; to be called in the order of the page. */
function drawer() {
  const models = /** @type {Map<string, PageModel>} */ (new Map());
  return (/** @type {HTMLElement} */ still, number = numberOf(still)) => {
    const { module = "", model: id = "" } = still.dataset;
    still.dataset.drawn = "";
    const known = WIDGETS[module];
    if (!known) {
      const live = liveLink();
      still.prepend(h("p", { class: "divmetrics-still" }, "This is a still picture; the widget itself needs Python.", live && " ", live));
      return false;
    }
    const { traits, tables } = JSON.parse(still.nextElementSibling?.textContent ?? "");
    const [made, alone] = known;
    const model = new PageModel(traits, () => {});
    alone(model, tables, number, models);
    models.set(id, model);
    const el = document.createElement("div");
    still.replaceChildren(el); // before it is filled: a widget that knows its width is drawn once
    made().render({ model, el });
    Object.assign(el, { divmetrics: model }); // for whoever asks a page about its widgets
    return model.opened;
  };
}

start();
