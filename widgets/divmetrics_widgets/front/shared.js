// @ts-check
// What a reader made of a page of the book, as a part of its address: a link that opens it again.

/** @import { Lists, Page, Topic } from "./types.js" */

/** @typedef {{ lists: Lists, metric: string, mix: number[] | null }} Shared mix: the intents' probabilities; null: as the page has them */

/** The address of a page with the lists and the mix of a lab: its number there, from 1, or its mark.
 * @param {number | string} lab @param {Shared} shared @param {string} [page] */
export function addressOf(lab, { lists, metric, mix }, page = location.href) {
  const parts = new URLSearchParams({ lab: String(lab), metric });
  for (const [side, docs] of Object.entries(lists)) parts.set(side, docs.map(encodeURIComponent).join(" "));
  if (mix) parts.set("mix", mix.join(" "));
  return `${page.split("#")[0]}#${parts}`;
}

/** What an address says behind its #. @param {string} address */
const partsOf = (address) => new URLSearchParams(address.split("#")[1] ?? "");

/** Which lab the address speaks of, by its number or mark; "" for none. */
export function labOfAddress(address = location.href) {
  return partsOf(address).get("lab") ?? "";
}

/** What stands for a lab where its number is not known: what it begins with, in a few letters. @param {Pick<Page, "topic" | "docs" | "lists" | "metrics">} page */
export function labMark({ topic, docs, lists, metrics }) {
  let found = 5381; // of Bernstein's hash; it tells the labs of a page apart, and need do no more
  for (const letter of JSON.stringify([topic, docs, lists, metrics])) found = (Math.imul(found, 33) ^ (letter.codePointAt(0) ?? 0)) >>> 0;
  return `m${found.toString(36)}`;
}

/** What the address says of this lab; null where it says nothing. @param {(number | string)[]} names of the lab
 * @param {string[]} sides @param {string} [address] @returns {Shared | null} */
export function sharedOf(names, sides, address = location.href) {
  const parts = partsOf(address);
  if (!names.map(String).includes(labOfAddress(address))) return null;
  const lists = sides.map((side) => [side, (parts.get(side) ?? "").split(" ").filter(Boolean).map(decoded)]);
  const mix = parts.get("mix")?.split(" ").map(Number) ?? null;
  return { lists: Object.fromEntries(lists), metric: parts.get("metric") ?? "", mix };
}

/** An id of a document; of a link that was cut off within a letter, as it stands there. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The probabilities of a topic; null where another has the same. @param {Topic} topic @param {Topic} first */
export function mixOf({ intents }, first) {
  const mix = intents.map(({ probability }) => probability);
  return mix.every((p, i) => p === first.intents[i].probability) ? null : mix;
}

/** A topic with these probabilities; null where they are none. @param {Topic} topic @param {number[] | null} mix */
export function withMix(topic, mix) {
  if (!mix) return topic;
  if (mix.length !== topic.intents.length || !mix.every((p) => p >= 0)) return null;
  return { ...topic, intents: topic.intents.map((t, i) => ({ ...t, probability: mix[i] })) };
}
