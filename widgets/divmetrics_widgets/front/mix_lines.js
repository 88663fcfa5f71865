// @ts-check
// The scores of A and B over the share of one intent: two lines with their names and ends, where they cross, and now.

import { s } from "./common.js";
/** @import { Lines, Side } from "./types.js" */

const TALL = 170;
const [LEFT, RIGHT, TOP, BOTTOM] = [66, 68, 20, 22]; // around the lines, for what is written there
const LINE = 14; // pixels between two texts

/** Pixels on each side of the lines that a share is measured in. @param {number} wide */
export function acrossLines(wide) {
  return { left: LEFT, across: wide - LEFT - RIGHT };
}

/** @param {Required<Lines>} lines @param {number} wide @param {number} now the share that the page gives */
export function drawing({ points, ends, crossings, words }, wide, now) {
  const scores = points.flatMap(([, a, b]) => [a, b]);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const { across } = acrossLines(wide);
  const x = (/** @type {number} */ share) => LEFT + share * across;
  const y = (/** @type {number} */ score) => (high > low ? TOP + 6 + ((high - score) / (high - low)) * (TALL - TOP - BOTTOM - 12) : (TALL + TOP - BOTTOM) / 2);
  const text = (/** @type {number} */ left, /** @type {number} */ top, /** @type {string} */ words, /** @type {string} */ anchor, /** @type {string} */ kind = "") => {
    const element = s("text", { x: left.toFixed(1), y: top.toFixed(1), "text-anchor": anchor, class: kind });
    element.textContent = words;
    return element;
  };
  const line = (/** @type {Side} */ side, /** @type {1 | 2} */ of) =>
    s("polyline", { class: `dm-line-${side}`, points: points.map((point) => `${x(point[0]).toFixed(2)},${y(point[of]).toFixed(2)}`).join(" ") });
  const ground = TALL - BOTTOM;
  const named = (/** @type {number} */ end, /** @type {number} */ left, /** @type {string} */ anchor) => {
    const [, a, b] = points[end ? points.length - 1 : 0];
    const [top, below] = parted(y(a), y(b), ground - 7);
    return [text(left, top + 4, `A ${ends.A[end]}`, anchor, "dm-line-name"), text(left, below + 4, `B ${ends.B[end]}`, anchor, "dm-line-name")];
  };
  const upright = (/** @type {number} */ share, /** @type {string} */ kind) => s("line", { x1: x(share).toFixed(1), x2: x(share).toFixed(1), y1: TOP - 4, y2: ground, class: kind });
  const seen = crossings.filter(([share], i) => i === 0 || x(share) - x(crossings[i - 1][0]) > 44);
  return s("svg", { viewBox: `0 0 ${wide} ${TALL}`, width: wide, height: TALL, role: "img", "aria-label": `A and B over the share: ${words}` },
    s("line", { x1: LEFT, x2: LEFT + across, y1: ground, y2: ground, class: "dm-mix-axis" }),
    ...(across > 160 ? [0, 0.5, 1] : [0, 1]).map((share) => text(x(share), TALL - 7, `${100 * share} %`, "middle", "dm-mix-tick")),
    ...crossings.map(([share]) => upright(share, "dm-mix-crossing")),
    upright(now, "dm-mix-now"),
    line("A", 1), line("B", 2),
    ...crossings.map(([share]) => s("circle", { cx: x(share).toFixed(1), cy: y(between(points, share)).toFixed(1), r: 4, class: "dm-mix-meet" })),
    ...seen.map(([share, told]) => text(Math.min(Math.max(x(share), LEFT + 14), LEFT + across - 14), 11, told, "middle", "dm-mix-at")),
    ...named(0, LEFT - 5, "end"), ...named(1, LEFT + across + 5, "start"));
}

/** Two heights, moved from each other until both texts can be read above the ground.
 * @param {number} one @param {number} other @param {number} ground */
function parted(one, other, ground) {
  const short = Math.max(LINE - Math.abs(one - other), 0) / 2;
  const places = one <= other ? [one - short, other + short] : [one + short, other - short];
  const below = Math.max(...places, ground) - ground;
  return places.map((place) => place - below);
}

/** The middle of what the two lines are at a share. @param {number[][]} points @param {number} share */
function between(points, share) {
  const next = points.findIndex(([at]) => at >= share);
  const from = points[next]?.[0] === share ? next : Math.max(next - 1, 0); // a point that stands there says it alone
  const around = points.slice(from, next + 1).flatMap(([, a, b]) => [a, b]);
  return (Math.min(...around) + Math.max(...around)) / 2;
}
