// @ts-check
// Which mark stands for which intent: it belongs to the intent, whatever becomes of the others.
// The rule is that of divmetrics/notebook/textformat/marks.py, and so are the names of the shapes; a test holds the two together.

/** @import { Intent, Mark } from "./types.js" */

export const SHAPES = ["circle", "triangle", "square", "diamond", "plus", "triangle-down", "star", "cross", "triangle-right", "triangle-left"];
// Of intents beyond the tenth: a ring, for two with one mark would read as one.
export const OTHERS = /** @type {Mark} */ (["#999999", "M0,-0.9A0.9,0.9 0 1 1 0,0.9A0.9,0.9 0 1 1 0,-0.9ZM0,-0.6A0.6,0.6 0 1 0 0,0.6A0.6,0.6 0 1 0 0,-0.6Z"]);

/** The place of each intent's mark among the shapes: its own, that of its place in the topic or, where another has
 * this one, the first that is free. @param {Intent[]} intents */
export function placesOf(intents) {
  const given = intents.map(({ mark }) => SHAPES.indexOf(mark ?? ""));
  const places = given.map((own, place) => (own < 0 && !given.includes(place) ? place : own));
  for (const [place, own] of places.entries()) if (own < 0) places[place] = firstFree(places);
  return places;
}

/** The first place that is not taken. @param {number[]} taken */
export function firstFree(taken) {
  let place = 0;
  while (taken.includes(place)) place += 1;
  return place;
}

/** The marks at these places. @param {Mark[]} marks @param {number[]} places @returns {Mark[]} */
export function marksAt(marks, places) {
  return places.map((place) => marks[place] ?? OTHERS);
}

/** Intents that have the marks at these places, which they name where it is not that of their own place.
 * @param {Intent[]} intents @param {number[]} places @returns {Intent[]} */
export function withMarks(intents, places) {
  return intents.map((intent, i) => {
    const { mark, ...rest } = intent;
    const own = places[i] === i ? undefined : SHAPES[places[i]];
    if (own === mark) return intent;
    return own ? { ...rest, mark: own } : rest;
  });
}
