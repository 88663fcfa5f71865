// @ts-check
// What a reader made of a page of the book, as a part of its address: a link that opens it again.

/** @import { Lists } from "./types.js" */

/** @typedef {{ lists: Lists, metric: string }} Shared */

/** The address of the page with the lists of a lab, counted from 1. @param {number} lab @param {Shared} shared */
export function addressOf(lab, { lists, metric }) {
  const parts = new URLSearchParams({ lab: String(lab), metric });
  for (const [side, docs] of Object.entries(lists)) parts.set(side, docs.map(encodeURIComponent).join(" "));
  return `${location.href.split("#")[0]}#${parts}`;
}

/** What the address says of this lab; null where it says nothing. @param {number} lab @param {string[]} sides @returns {Shared | null} */
export function sharedOf(lab, sides) {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (parts.get("lab") !== String(lab)) return null;
  const lists = sides.map((side) => [side, (parts.get(side) ?? "").split(" ").filter(Boolean).map(decodeURIComponent)]);
  return { lists: Object.fromEntries(lists), metric: parts.get("metric") ?? "" };
}
