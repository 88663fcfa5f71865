// @ts-check
// Rows glide to their new places. What a page shows is final at once: rows only look as if they were still on their way,
// so nothing waits for them. A row that is under way when its place changes again goes on from where it is.

import { zoomOf } from "./common.js";
/** @import { Bench } from "./bench.js" */
/** @import { Grid } from "./grid.js" */
/** @import { Side } from "./types.js" */

/** @typedef {{ id: string, top: number, height: number, x: number, y: number }} Stood a row: its place, and how far from it it was seen */
/** @typedef {{ animation: Animation, x: number, y: number }} Gliding a row that is under way, and from how far */

const GLIDE = 180; // milliseconds

export const still = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Flowing {
  constructor(/** @type {Bench<any>} */ view) {
    this.view = view;
    this.before = /** @type {Map<Side, { home: number | null, rows: Stood[] }> | null} */ (null);
    this.gliding = /** @type {Map<Element, Gliding>} */ (new Map());
    this.frame = 0;
    this.heights = /** @type {WeakMap<Element, number>} */ (new WeakMap()); // of rows, as in the last frame
    const watcher = new ResizeObserver((rows) => {
      for (const { target, borderBoxSize: [{ blockSize }] } of rows) this.heights.set(target, blockSize);
    });
    this.watcher = watcher;
    view.ends.push(() => { cancelAnimationFrame(this.frame); watcher.disconnect(); });
  }

  /** Remember where rows stand, before a page is drawn that may move them; in the next frame they set out.
   * Only rows between the first and the last that change places are looked at, and after a drag all. */
  depart(all = false) {
    if (still.matches || this.before || !this.view.root.isConnected) return;
    this.before = new Map(this.view.sides.map(({ side, grid }) => [side, this.standing(grid, this.view.history.page.lists[side], all)]));
    this.frame = requestAnimationFrame(() => this.glide());
  }

  /** @param {Grid} grid @param {string[]} next the list as it will be @param {boolean} all */
  standing({ docs, rows, table }, next, all) {
    const [first, last] = all ? [0, docs.length - 1] : changing(docs, next);
    const ids = docs.slice(first, last + 1);
    const reordered = !all && ids.every((id) => next.includes(id)) && docs.length === next.length;
    const home = reordered || !ids.length ? null : boxOf(table).top; // null: places count from the first of them
    let below = 0;
    const stood = ids.flatMap((id) => {
      const row = rows.get(id)?.element;
      if (!row) return [];
      const top = below;
      below += reordered ? this.height(row) : 0;
      return [reordered ? { id, top, height: below - top, ...this.away(row) } : this.stood(id, row)];
    });
    return { home, rows: stood };
  }

  /** What a row takes of its list: to measure it between two changes of a page would have all laid out anew. */
  height(/** @type {HTMLElement} */ row) {
    let height = this.heights.get(row);
    if (height === undefined) {
      ({ height } = boxOf(row));
      this.heights.set(row, height);
      this.watcher.observe(row, { box: "border-box" });
    }
    return height;
  }

  /** How far from its place a row is seen. @param {HTMLElement} row */
  away(row) {
    const { animation, x = 0, y = 0 } = this.gliding.get(row) ?? {};
    const left = 1 - (animation?.effect?.getComputedTiming().progress ?? 1);
    return { x: left * x, y: left * y };
  }

  /** @param {string} id @param {HTMLElement} row @returns {Stood} */
  stood(id, row) {
    const { top, height } = boxOf(row);
    const { m41: x, m42: y } = new DOMMatrix(this.gliding.has(row) || row.style.transform ? getComputedStyle(row).transform : "none");
    return { id, top: top - y, height, x, y };
  }

  glide() {
    const { before } = this;
    this.before = null;
    for (const { side, grid } of this.view.sides) {
      const { home = null, rows = [] } = before?.get(side) ?? {};
      if (!rows.length) continue;
      const there = rows.map((stood) => ({ stood, row: grid.rows.get(stood.id)?.element }));
      for (const { row } of there) if (row) this.settle(row);
      const places = newPlaces(rows, grid, home);
      for (const { row, stood: { id, top, x, y } } of there) {
        const place = places.get(id);
        if (row && place !== undefined) this.move(row, x, top + y - place);
      }
    }
  }

  settle(/** @type {HTMLElement} */ row) {
    this.gliding.get(row)?.animation.cancel();
    this.gliding.delete(row);
  }

  move(/** @type {HTMLElement} */ row, /** @type {number} */ x, /** @type {number} */ y) {
    if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
    const animation = row.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: GLIDE, easing: "ease-out" });
    this.gliding.set(row, { animation, x, y });
    animation.onfinish = () => this.gliding.delete(row);
  }
}

/** Where an element stands, in its own pixels. @param {Element} element */
function boxOf(element) {
  const { top, height } = element.getBoundingClientRect();
  const zoom = zoomOf(element);
  return { top: top / zoom, height: height / zoom };
}

/** Where rows stand now. Of the same documents in another order this follows from their heights: to measure it would have
 * all laid out in the midst of a frame. @param {Stood[]} stood @param {Grid} grid @param {number | null} home where the table stood */
function newPlaces(stood, grid, home) {
  const heights = new Map(stood.map(({ id, height }) => [id, height]));
  const at = grid.docs.findIndex((id) => heights.has(id));
  const now = grid.docs.slice(at, at + stood.length);
  if (now.length === stood.length && now.every((id) => heights.has(id))) {
    let { top } = stood[0];
    return new Map(now.map((id) => {
      const place = top;
      top += heights.get(id) ?? 0;
      return [id, place];
    }));
  }
  if (home === null) return new Map(); // changed again within the frame: nothing was seen to set out
  const moved = boxOf(grid.table).top - home;
  return new Map(grid.docs.flatMap((id) => {
    const row = heights.has(id) && grid.rows.get(id)?.element;
    return row ? [[id, boxOf(row).top - moved]] : [];
  }));
}

/** The first and the last place of a list whose document is another one after an edit. @param {string[]} were @param {string[]} are */
function changing(were, are) {
  let first = 0;
  while (first < were.length && were[first] === are[first]) first += 1;
  if (were.length !== are.length) return [first, were.length - 1];
  let last = were.length - 1;
  while (last > first && were[last] === are[last]) last -= 1;
  return [first, last];
}
