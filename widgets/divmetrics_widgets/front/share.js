// @ts-check
// What a reader made of a lab's page, to be passed on: its text, and a link that opens it in the course's book.

import { h, toClipboard } from "./common.js";
import { onlyMixed } from "./edits.js";
import { written } from "./notation.js";
import { addressOf, labMark, mixOf } from "./shared.js";
/** @import { Lab } from "./lab.js" */

/** Both, below the lists; the link is copied where there is one. @param {Lab} lab */
export async function shareLab(lab) {
  const text = written(lab.history.page);
  const address = lab.model.address?.() ?? inTheBook(lab);
  if (lab.model.alone) history.replaceState(null, "", address);
  const asText = h("textarea", { class: "dm-state", readonly: true, rows: 6, "aria-label": "the page as text, for RankedListLab(...)" });
  asText.value = text;
  const asLink = address ? h("input", { class: "dm-state", readonly: true, "aria-label": "a link to the page, in the book", value: address }) : null;
  lab.stateBox.replaceChildren(...[asLink, asText].filter((shown) => shown !== null));
  (asLink ?? asText).select();
  const use = address ? "the link opens this page in the book; the text, in RankedListLab(...)" : "paste it into a mail, or into RankedListLab(...)";
  lab.say(await toClipboard(address || text, use));
}

/** The link, where the book has this lab and its tables cover the page; else "". @param {Lab} lab */
function inTheBook({ history: { page }, model }) {
  const { address, name } = model.get("_book");
  const made = model.get("_shown");
  const equal = (/** @type {unknown} */ a, /** @type {unknown} */ b) => JSON.stringify(a) === JSON.stringify(b);
  const covered = name === made.name && onlyMixed(page.topic, made.topic) && equal(page.docs, made.docs)
    && page.metrics.every((metric) => made.metrics.includes(metric))
    && Object.entries(page.lists).every(([side, docs]) => equal([...docs].sort(), [...made.lists[/** @type {import("./types.js").Side} */ (side)]].sort()));
  const shared = { lists: page.lists, metric: model.get("_results").chosen ?? "", mix: mixOf(page.topic, made.topic) };
  return address && covered ? addressOf(labMark(made), shared, address) : "";
}
