// @ts-check
// Rows glide to their new places. What a page shows is final at once: rows only look as if they were still on their way,
// so nothing waits for them. A row that is under way when its place changes again goes on from where it is.

/** @import { Bench } from "./bench.js" */
/** @import { Grid } from "./grid.js" */
/** @import { Side } from "./types.js" */

/** @typedef {{ id: string, top: number, height: number, x: number, y: number }} Stood a row: its place, and how far from it it was seen */

const GLIDE = 180; // milliseconds

export const still = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Flowing {
  constructor(/** @type {Bench<any>} */ view) {
    this.view = view;
    this.before = /** @type {Map<Side, { home: number, rows: Stood[] }> | null} */ (null);
    this.gliding = /** @type {Map<Element, Animation>} */ (new Map());
    this.frame = 0;
    view.ends.push(() => cancelAnimationFrame(this.frame));
  }

  /** Remember where rows stand, before a page is drawn that may move them; in the next frame they set out.
   * Only rows between the first and the last that change places are looked at, and after a drag all. */
  depart(all = false) {
    if (still.matches || this.before || !this.view.root.isConnected) return;
    this.before = new Map(this.view.sides.map(({ side, grid }) => {
      const [first, last] = all ? [0, grid.docs.length - 1] : changing(grid.docs, this.view.history.page.lists[side]);
      const rows = grid.docs.slice(first, last + 1).flatMap((id) => this.stood(id, grid.rows.get(id)?.element));
      return [side, { home: rows.length ? grid.table.getBoundingClientRect().top : 0, rows }];
    }));
    this.frame = requestAnimationFrame(() => this.glide());
  }

  /** @param {string} id @param {HTMLElement | undefined} row @returns {Stood[]} */
  stood(id, row) {
    if (!row) return [];
    const { top, height } = row.getBoundingClientRect();
    if (!this.gliding.has(row) && !row.style.transform) return [{ id, top, height, x: 0, y: 0 }];
    const { m41: x, m42: y } = new DOMMatrix(getComputedStyle(row).transform);
    return [{ id, top: top - y, height, x, y }];
  }

  glide() {
    const { before } = this;
    this.before = null;
    for (const { side, grid } of this.view.sides) {
      const { home = 0, rows = [] } = before?.get(side) ?? {};
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
    this.gliding.get(row)?.cancel();
    this.gliding.delete(row);
  }

  move(/** @type {HTMLElement} */ row, /** @type {number} */ x, /** @type {number} */ y) {
    if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
    const animation = row.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: GLIDE, easing: "ease-out" });
    this.gliding.set(row, animation);
    animation.onfinish = () => this.gliding.delete(row);
  }
}

/** Where rows stand now. Of the same documents in another order this follows from their heights: to measure it would have
 * all laid out in the midst of a frame. @param {Stood[]} stood @param {Grid} grid @param {number} home where the table stood */
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
  const moved = grid.table.getBoundingClientRect().top - home;
  return new Map(grid.docs.flatMap((id) => {
    const row = heights.has(id) && grid.rows.get(id)?.element;
    return row ? [[id, row.getBoundingClientRect().top - moved]] : [];
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
