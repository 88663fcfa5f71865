// @ts-check
// How the readers of one row of a metric are drawn: a tile for each group of them, and of it what changes by steps.

import { h, mark, put, s } from "./common.js";
/** @import { Mark, Track, TradeOff } from "./types.js" */

const CELL = 12; // pixels of a mark in a crowd, and the room around it
const ACROSS = 10;
const HIGH = 96; // of a pile
const ALL = /** @type {Mark} */ (["#0072B2", "M0,-0.9A0.9,0.9 0 1 1 0,0.9A0.9,0.9 0 1 1 0,-0.9Z"]); // where intents are merged

/** An element as large as its numbers say. @param {number} width @param {number} height @param {Element[]} children */
function canvas(width, height, ...children) {
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" }, ...children);
}

/** Give elements a class or take it. @param {Element[]} elements @param {string} name @param {(place: number) => boolean} has */
function turn(elements, name, has) {
  for (const [place, element] of elements.entries()) element.classList.toggle(name, has(place));
}

/** @typedef {{ element: Element, at: (step: number) => void }} Drawn what is drawn, and how it is after so many ranks */

/** @type {Record<string, (track: Track, group: number, mark: Mark, steps: number, marks: Mark[]) => Drawn>} */
const PICTURES = { blocks: page, leave: crowd, fade: crowd, doors: door, counters: counter, piles: pile, stop: ladder };

/** The tile of a group: its name, its picture, and what is told of it.
 * @param {Mark[]} marks @param {Track} track @param {number} group @param {number} steps */
export function tile(marks, track, group, steps) {
  const { name, short, place } = track.groups[group];
  const own = place === null ? ALL : marks[place];
  const { element, at } = PICTURES[track.picture](track, group, own, steps, marks);
  const told = h("div", { class: "dm-told", "data-told": "" });
  const box = h("div", { class: "dm-tile", "data-group": name },
    h("div", { class: "dm-tile-name", title: name }, place === null ? null : [mark(marks, place), " "], short), h("div", { class: "dm-drawn" }), told);
  box.children[1].append(element);
  return {
    box,
    at: (/** @type {number} */ step) => {
      at(step);
      put(told, track.labels[group][step]);
    },
  };
}

/** A hundred readers share the marks of all groups: each is one of them, or the part of one that is left.
 * @param {Track} track @param {number} group @param {Mark} mark @returns {Drawn} */
function crowd(track, group, [colour, path]) {
  const share = 100 * track.groups[group].start;
  const count = Math.ceil(share - 1e-9);
  const across = Math.min(track.groups.length === 1 ? 2 * ACROSS : ACROSS, Math.max(count, 1));
  const places = Array.from({ length: count }, (_, j) => ({ x: CELL * (j % across) + CELL / 2, y: CELL * Math.floor(j / across) + CELL / 2, whole: Math.min(1, share - j) }));
  const shape = (/** @type {string} */ kind, /** @type {{ x: number, y: number }} */ { x, y }) =>
    s("g", { transform: `translate(${x} ${y})` }, s("path", { d: path, class: kind, fill: kind === "dm-gone" ? "none" : colour }));
  const gone = places.map((place) => shape("dm-gone", place));
  const here = places.map((place) => shape("dm-here", place));
  const size = (/** @type {Element} */ element, /** @type {number} */ part) =>
    /** @type {SVGElement} */ (element.firstChild).style.setProperty("transform", `scale(${(5 * Math.sqrt(part)).toFixed(3)})`);
  for (const [j, element] of gone.entries()) size(element, places[j].whole);
  return {
    element: canvas(CELL * across, CELL * Math.max(1, Math.ceil(count / across)), ...gone, ...here),
    at: (step) => {
      const amount = 100 * track.here[group][step];
      // Who leaves is gone; who fades is there, and is less.
      const left = (/** @type {number} */ j) => track.picture === "fade" ? (share ? places[j].whole * amount / share : 0) : Math.max(0, Math.min(places[j].whole, amount - j));
      for (const [j, element] of here.entries()) size(element, left(j));
    },
  };
}

/** @param {Track} track @param {number} group @param {Mark} mark @returns {Drawn} */
function door(track, group, [colour, path]) {
  const inside = s("g", { transform: "translate(26 40) scale(13)" }, s("path", { d: path, fill: colour, stroke: "#767676", "stroke-width": 0.1 }));
  const leaf = s("g", { class: "dm-leaf" }, s("rect", { x: 6, y: 4, width: 40, height: 70, class: "dm-wood" }), s("circle", { cx: 40, cy: 40, r: 2.5, class: "dm-knob" }));
  const frame = s("rect", { x: 6, y: 4, width: 40, height: 70, class: "dm-frame" });
  return {
    element: canvas(52, 78, inside, frame, leaf),
    at: (step) => leaf.classList.toggle("dm-open", step > 0 && track.interest[group][step] === 0),
  };
}

/** Relevant documents so far and, where a metric asks for them, what was found beside what the ideal list has by then.
 * @param {Track} track @param {number} group @param {Mark} mark @param {number} steps @returns {Drawn} */
function counter(track, group, [colour, path], steps) {
  const wide = CELL * Math.min(ACROSS, Math.max(steps, 8));
  const rows = Math.ceil(steps / ACROSS);
  const marks = Array.from({ length: Math.round(track.counted[group][steps] ?? 0) }, (_, j) =>
    s("g", { transform: `translate(${CELL * (j % ACROSS) + CELL / 2} ${CELL * Math.floor(j / ACROSS) + CELL / 2}) scale(5)`, class: "dm-count" }, s("path", { d: path, fill: colour, stroke: "#767676", "stroke-width": 0.15 })));
  const bars = track.found.length > 0;
  const top = Math.max(...track.found.flat(), ...track.ideal.flat(), 1e-12);
  const y = CELL * rows + 5;
  const bar = (/** @type {string} */ kind, /** @type {number} */ down) => s("rect", { x: 0, y: y + down, height: 9, width: 0, class: kind });
  const found = bar("dm-found", 0);
  const ideal = bar("dm-ideal", 11);
  found.setAttribute("fill", colour);
  return {
    element: canvas(wide, bars ? y + 22 : CELL * rows, ...marks, ...(bars ? [found, ideal] : [])),
    at: (step) => {
      const count = Math.round(track.counted[group][step]);
      turn(marks, "dm-not-yet", (j) => j >= count);
      if (!bars) return;
      for (const [element, values] of /** @type {[Element, number[][]][]} */ ([[found, track.found], [ideal, track.ideal]])) {
        element.setAttribute("width", (wide * values[group][step] / top).toFixed(2));
      }
    },
  };
}

/** What each rank adds, on what those above have added; beside it the same of the ideal list.
 * @param {Track} track @param {number} group @param {Mark} mark @param {number} steps @returns {Drawn} */
function pile(track, group, [colour], steps) {
  const ideal = track.ideals.flat()[group] ?? [];
  const total = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + Math.abs(value), 0);
  const top = Math.max(...track.earned.map(total), ...track.ideals.flat().map(total), 1e-12);
  /** @param {number[]} values @param {number} x @param {string} kind */
  const blocks = (values, x, kind) => {
    let y = HIGH + 2;
    return values.slice(0, steps).map((value) => {
      const height = HIGH * Math.abs(value) / top;
      y -= height;
      return s("rect", { x, y: y.toFixed(2), width: 34, height: height.toFixed(2), class: `${kind}${value < 0 ? " dm-negative" : ""}`, ...(kind === "dm-block" ? { fill: colour } : {}) });
    });
  };
  const own = blocks(track.earned[group], 4, "dm-block");
  const best = blocks(ideal, 46, "dm-ideal-block");
  const ground = s("line", { x1: 0, x2: 84, y1: HIGH + 2, y2: HIGH + 2, class: "dm-ground" });
  return {
    element: canvas(84, HIGH + 4, ...own, ...best, ground),
    at: (step) => {
      for (const all of [own, best]) turn(all, "dm-not-yet", (k) => k >= step);
    },
  };
}

/** The ranks from left to right, and the line at which the reader would stop of what has been read.
 * @param {Track} track @param {number} group @param {Mark} mark @param {number} steps @returns {Drawn} */
function ladder(track, group, [colour, path], steps) {
  const wide = 15;
  const cells = Array.from({ length: steps }, (_, k) => s("rect", { x: wide * k + 4, y: 8, width: wide - 2, height: 20, class: "dm-rung" }));
  const marks = Array.from({ length: steps }, (_, k) => {
    const size = 5 * Math.sqrt(track.gains[group][k] / Math.max(...track.gains.flat(), 1));
    return s("g", { transform: `translate(${wide * k + 4 + wide / 2 - 1} 18) scale(${size.toFixed(3)})`, class: "dm-count" }, s("path", { d: path, fill: colour }));
  });
  const line = s("line", { x1: 3, x2: 3, y1: 2, y2: 34, class: "dm-stop-line" });
  return {
    element: canvas(wide * steps + 8, 36, ...cells, ...marks, line),
    at: (step) => {
      turn(cells, "dm-read", (k) => k < step);
      turn(marks, "dm-not-yet", (k) => k >= step);
      /** @type {SVGElement} */ (line).style.setProperty("transform", `translateX(${wide * (track.stops[group][step] ?? 0)}px)`);
    },
  };
}

/** The blocks of a page one below the other, each as high as the effort of reading it.
 * @param {Track} track @param {number} _group @param {Mark} _mark @param {number} steps @param {Mark[]} marks @returns {Drawn} */
function page(track, _group, _mark, steps, marks) {
  const blocks = track.blocks ?? [];
  const whole = blocks.reduce((sum, [, effort]) => sum + effort, 0) || 1;
  const high = Math.max(2 * HIGH, 14 * steps);
  let y = 1;
  const drawn = blocks.map(([place, effort]) => {
    const height = high * effort / whole;
    const [colour, path] = marks[place];
    const block = s("g", { class: "dm-page-block" },
      s("rect", { x: 1, y: y.toFixed(2), width: 120, height: height.toFixed(2), fill: colour, class: "dm-page-ground" }),
      s("g", { transform: `translate(14 ${(y + height / 2).toFixed(2)}) scale(5)` }, s("path", { d: path, fill: colour, stroke: "#767676", "stroke-width": 0.2 })));
    y += height;
    return block;
  });
  return {
    element: canvas(122, high + 2, ...drawn),
    at: (step) => turn(drawn, "dm-not-yet", (k) => k >= step),
  };
}

/** The trade-off: the score so far for every gamma from 0 to 1, and where the metric's own stands.
 * @param {TradeOff} gamma @param {number[]} totals */
export function tradeOff({ ends, names, at }, totals) {
  const [wide, high] = [180, 90];
  const y = (/** @type {number} */ value) => 6 + high * (1 - Math.max(0, Math.min(1, value)));
  const line = s("line", { x1: 6, x2: 6 + wide, class: "dm-trade" });
  const dot = s("circle", { cx: 6 + wide * at, r: 5, class: "dm-at" });
  const here = s("line", { x1: 6 + wide * at, x2: 6 + wide * at, y1: 6, y2: 6 + high, class: "dm-gamma" });
  const frame = s("rect", { x: 6, y: 6, width: wide, height: high, class: "dm-frame" });
  const box = h("div", { class: "dm-tile dm-trade-off" }, h("div", { class: "dm-tile-name" }, `gamma = ${Number(at.toFixed(4))}`), h("div", { class: "dm-drawn" }),
    h("div", { class: "dm-told dm-ends" }, h("span", {}, `0: ${names[0]}`), h("span", {}, `1: ${names[1]}`)));
  box.children[1].append(canvas(wide + 12, high + 12, frame, here, line, dot));
  return {
    box,
    at: (/** @type {number} */ step) => {
      const [left, right] = ends.map((row) => row[Math.min(step, row.length - 1)]);
      line.setAttribute("y1", String(y(left)));
      line.setAttribute("y2", String(y(right)));
      dot.setAttribute("cy", String(y(totals[step])));
    },
  };
}
