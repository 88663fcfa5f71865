// @ts-check
// How far the goal of a lab is reached, without a kernel: Python has written every sentence, here they are chosen.

/** @import { Tables } from "./followed.js" */
/** @import { GoalTable, Lists, Results } from "./types.js" */

/** @param {GoalTable} goal @param {Tables} followed @param {Lists} lists @returns {NonNullable<Results["goal"]>} */
export function progress({ metrics, before, start, turned, kept, edits, most }, followed, lists) {
  const after = metrics.map((name) => followed.row(name, Object.values(lists)).prefers);
  const turns = Boolean(after[0]) && after[0] !== before[0];
  const stays = kept.map((_, i) => after[i + 1] === before[i + 1]);
  const moves = Object.keys(start).reduce((all, side) => all + fewestMoves(start[/** @type {"A"} */ (side)], lists[/** @type {"A"} */ (side)]), 0);
  const few = most === null || moves <= most;
  /** @type {[boolean, string][]} */
  const marks = [[turns, turned[Number(turns)]], ...stays.map((stay, i) => /** @type {[boolean, string]} */ ([stay, kept[i][Number(stay)]])), [few, edits[moves]]];
  return { marks, reached: turns && few && stays.every(Boolean) };
}

/** Documents of the longest part that is in order already stay, and every other one is moved once.
 * @param {string[]} old @param {string[]} now */
function fewestMoves(old, now) {
  const rank = new Map(old.map((doc, k) => [doc, k]));
  const ends = /** @type {number[]} */ ([]); // the least rank at which a part in order of each length can end
  for (const doc of now) {
    const k = rank.get(doc) ?? 0;
    const at = ends.findIndex((end) => end >= k);
    ends[at < 0 ? ends.length : at] = k;
  }
  return old.length - ends.length;
}
