// @ts-check
// One widget of a page of the book as a page of its own, which another page can show in an iframe: ?only=lab1&size=large.

import { h, listed } from "./common.js";

/** What the address asks for: the name of a widget, and in which size; null where it asks for the whole page. */
export function onlyOf(address = location.href) {
  const { searchParams } = new URL(address);
  const name = searchParams.get("only");
  return name === null ? null : { name, size: searchParams.get("size") ?? "" };
}

/** Show one of the widgets, or a sentence that names those that there are. @param {{ name: string, size: string }} only
 * @param {Map<string, HTMLElement>} widgets by name, as their still forms @param {(still: HTMLElement) => boolean} draw */
export function showOnly({ name, size }, widgets, draw) {
  const still = widgets.get(name);
  const title = document.title.replace(/ - divmetrics$/, "");
  const whole = h("a", { href: location.pathname, target: "_blank", rel: "noopener" }, title);
  const page = h("main", { class: `divmetrics-only${size === "large" ? " dm-large" : ""}` }, h("h1", { class: "dm-hidden" }, title));
  const say = (/** @type {string} */ text) => page.append(h("p", { class: "divmetrics-still", role: "status" }, text));
  if (size && size !== "large") say(`There is no size ${size}, so the letters are as usual; size=large makes them larger.`);
  if (still) {
    const state = /** @type {Element} */ (still.nextElementSibling);
    page.append(still, state);
  } else {
    const there = [...widgets.keys()];
    say(`This page has no ${name || "lab without a name"}; ${there.length ? `it has ${listed(there)}` : "it has no lab at all"}.`);
  }
  page.append(h("p", { class: "divmetrics-still" }, "From the lesson ", whole));
  document.documentElement.setAttribute("data-only", "");
  document.body.append(page);
  return still ? draw(still) : false;
}
