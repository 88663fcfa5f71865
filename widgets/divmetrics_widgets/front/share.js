// @ts-check
// What a reader made of a lab's page, to be passed on: its text, and a link that opens it in the course's book.

import { h, toClipboard } from "./common.js";
import { onlyMixed } from "./edits.js";
import { written } from "./notation.js";
import { addressOf, labMark, labOfAddress, mixOf } from "./shared.js";
/** @import { Lab } from "./lab.js" */

/** Both, below the lists; the link is copied where there is one. @param {Lab} lab */
export async function shareLab(lab) {
  const text = written(lab.history.page);
  const address = lab.model.address?.() ?? inTheBook(lab);
  if (lab.model.alone) history.replaceState(null, "", address);
  const asText = h("textarea", { class: "dm-state", readonly: true, rows: 6, "aria-label": "the page as text, for RankedListLab(...)" });
  asText.value = text;
  const asLink = address ? h("input", { class: "dm-state", readonly: true, "aria-label": "a link to the page, in the book", value: address }) : null;
  const asFrame = lab.model.alone ? h("button", { "data-key": "frame", title: "a line of HTML that shows this lab, as it is now, in a page of your own: slides, Moodle, a blog", onclick: ({ target }) => copyFrame(lab, address, target) }, "copy as iframe") : null;
  lab.stateBox.replaceChildren(...[asLink, asFrame, asText].filter((shown) => shown !== null));
  (asLink ?? asText).select();
  const use = address ? "the link opens this page in the book; the text, in RankedListLab(...)" : "paste it into a mail, or into RankedListLab(...)";
  lab.say(await toClipboard(address || text, use));
}

/** The line that shows the lab alone in another page (only.js), below the button; or why there is none.
 * @param {Lab} lab @param {string} address @param {HTMLElement} button */
async function copyFrame(lab, address, button) {
  const published = document.querySelector('link[rel="canonical"]')?.getAttribute("href");
  const from = location.protocol === "file:" ? published && published + new URL(address).hash : address;
  if (!from) return lab.say("This page is a file on a disk, which no other page can show: open it at the address where it is published, and copy the line there.");
  const page = new URL(from);
  page.searchParams.set("only", `lab${labOfAddress(address)}`);
  const height = Math.ceil(lab.root.offsetHeight / 50) * 50 + 100; // with room for sentences that come
  const line = h("iframe", { src: page.href, title: document.title, width: "100%", height, allow: "fullscreen; clipboard-write", loading: "lazy", style: "border: 0" }).outerHTML;
  const shown = h("input", { class: "dm-state", readonly: true, "aria-label": "a line of HTML for a page of your own", value: line });
  button.replaceWith(shown);
  shown.select();
  lab.say(await toClipboard(line, "the line shows this lab in a page of your own; with &size=large behind the name of the lab, in large letters"));
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
