// @ts-check
// Another mix of readers without a kernel. Where every intent earns in proportion to its probability, or whatever it is,
// a list's score over a share is a straight line, and its two ends say it all; other lines are followed from point to point.

import { filled, fixed } from "./common.js";
import { allOf, exact, normalised, withProbability } from "./edits.js";
/** @import { Tables } from "./followed.js" */
/** @import { Followed, Intent, Lines, Page, Topic } from "./types.js" */

const POINTS = 51; // of a line that is not straight
const BESIDE = 1e-7; // an end: where nobody is served any more a score jumps
const MEET = 1e-10; // between shares on both sides of a crossing
const NOTHING = 1e-6; // between two shares that are one
const DECIMALS = 5; // of a share in percent, at most

/** @typedef {[share: number, a: number, b: number]} Point */

/** The intents with this share of the readers for one of them; the others keep their proportions.
 * @param {Intent[]} intents @param {number} place @param {number} share */
function mixedAt(intents, place, share) {
  const total = allOf(intents);
  return withProbability(normalised(intents), place, share, true).map((t) => total * t.probability);
}

/** The lines of a metric over the share of an intent. @param {Tables} followed @param {Page} page @param {string} metric
 * @param {string} intent @returns {Lines} */
export function linesAlone(followed, { topic: { intents }, lists }, metric, intent) {
  const { tables } = followed;
  const own = /** @type {Followed} */ (tables.metrics[metric]);
  const place = intents.findIndex(({ id }) => id === intent);
  const now = intents[place].probability / allOf(intents);
  /** @param {number} share @returns {Point} */
  const at = (share) => {
    const mix = followed.under(mixedAt(intents, place, share));
    const [a, b] = Object.values(lists).map((docs) => mix.score(own, docs));
    return [share, a, b];
  };
  const straight = own.mixed?.every((how) => typeof how === "boolean");
  const points = (straight ? [0, 1] : own.mixed ? sharesWith(now) : []).map(at);
  const runs = runsOf(followed, points);
  const words = tables.words.lines[`${runs.flat ? "flat " : ""}${runs.wins.join(" ")}`];
  if (!words || runs.unsure) return { words: filled(tables.words.beyond.lines, { metric }) };
  const crossings = runs.changes.map(([k, next]) => meeting(points[k][0], points[next][0], at));
  const told = toldBeside([0, ...crossings, 1], now);
  const [[, a0, b0], [, a1, b1]] = [points[0], points[points.length - 1]];
  return {
    words: filled(words, { intent, share: crossings.map(told).join("") }),
    points: [...points, ...crossings.map(at)].sort(([one], [other]) => one - other),
    ends: { A: [fixed(a0, 4), fixed(a1, 4)], B: [fixed(b0, 4), fixed(b1, 4)] },
    now: [now, told(now)],
    crossings: crossings.map((share) => [share, told(share)]),
  };
}

/** Shares at equal distances, and the one that a page has, ascending. @param {number} now */
function sharesWith(now) {
  const shares = Array.from({ length: POINTS }, (_, k) => k / (POINTS - 1));
  return [...new Set([...shares, BESIDE, 1 - BESIDE, now])].sort((a, b) => a - b);
}

/** What is preferred at both ends, "-" for neither, and where that changes; `unsure` where the lines come so near each other
 * that they may do so between two points, or more often than a sentence here can say. @param {Tables} followed @param {Point[]} points */
function runsOf(followed, points) {
  const wins = points.map(([, a, b]) => (followed.tied(a, b) ? "-" : a > b ? "A" : "B"));
  const ends = [wins[0], wins.at(-1) ?? ""];
  const far = points.map(([, a, b]) => Math.abs(a - b));
  const inner = wins.map((_, k) => k).slice(1, -1);
  const near = inner.some((k) => wins[k] !== "-" && wins[k - 1] === wins[k] && wins[k] === wins[k + 1]
    && far[k] <= Math.min(far[k - 1], far[k + 1]) && far[k] < Math.max(far[k - 1], far[k + 1]) - far[k]);
  const crossed = inner.filter((k) => wins[k] === "-" && new Set([wins[k - 1], "-", wins[k + 1]]).size === 3); // the very share
  const left = wins.map((_, k) => k).filter((k) => !crossed.includes(k));
  const changes = left.flatMap((k, i) => (i + 1 < left.length && wins[k] !== wins[left[i + 1]] ? [[k, left[i + 1]]] : []));
  const jumps = changes.some(([k, next]) => wins[k] !== "-" && wins[next] !== "-" && points[next][0] - points[k][0] < 2 * BESIDE);
  const within = inner.some((k) => wins[k] === "-" && !crossed.includes(k)) && wins.some((one) => one !== "-");
  const flat = ends[0] === ends[1] && [1, 2].every((of) => points.every((point) => followed.tied(point[of], points[0][of])));
  return { wins: ends, flat, changes: ends.includes("-") ? [] : changes, unsure: near || jumps || within || changes.length > 1 };
}

/** Where two lines meet, as near as can be told. @param {number} low @param {number} high @param {(share: number) => Point} at */
function meeting(low, high, at) {
  const ahead = (/** @type {number} */ share) => { const [, a, b] = at(share); return a - b; };
  const [first, last] = [ahead(low), ahead(high)];
  const straight = low + ((high - low) * first) / (first - last);
  if (low === 0 && high === 1) return exact(straight);
  let [from, to] = [low, high];
  while (to - from > MEET) {
    const middle = (from + to) / 2;
    if (ahead(middle) * first > 0) from = middle;
    else to = middle;
  }
  return exact((from + to) / 2);
}

/** Shares as text, with as many decimals as tell them apart. @param {number[]} named @param {number} now */
function toldBeside(named, now) {
  const all = named.every((share) => Math.abs(now - share) > NOTHING) ? [...named, now] : named;
  const apart = (/** @type {number} */ decimals) => new Set(all.map((share) => percent(share, decimals))).size === all.length;
  let decimals = 1;
  while (decimals < DECIMALS && !apart(decimals)) decimals += 1;
  return (/** @type {number} */ share) => percent(share, decimals);
}

/** @param {number} share @param {number} decimals */
function percent(share, decimals) {
  return `${fixed(100 * share, decimals).replace(/\.?0+$/, "")} %`;
}
