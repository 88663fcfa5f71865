// @ts-check
// Rows glide to their new places. What a page shows is final at once: rows only look as if they were still on their way,
// so nothing waits for them. A row that is under way when its place changes again goes on from where it is.

/** @import { Bench } from "./bench.js" */

const GLIDE = 180; // milliseconds

export const still = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Flowing {
  constructor(/** @type {Bench<any>} */ view) {
    this.view = view;
    this.before = /** @type {Map<string, DOMRect> | null} */ (null); // where rows stood, by list and document
    this.gliding = /** @type {Map<Element, Animation>} */ (new Map());
    this.frame = 0;
    view.ends.push(() => cancelAnimationFrame(this.frame));
  }

  /** Remember where rows stand, before a page is drawn that may move them; in the next frame they set out. */
  depart() {
    if (still.matches || this.before || !this.view.root.isConnected) return;
    this.before = new Map(this.places().map(([key, row, home]) => [key, within(row, home)]));
    this.frame = requestAnimationFrame(() => this.glide());
  }

  /** Every row, by its list and document, and the table that it is seen in. @returns {[string, HTMLElement, DOMRect][]} */
  places() {
    return this.view.sides.flatMap(({ side, grid }) => {
      const home = grid.table.getBoundingClientRect();
      return [...grid.rows].map(([id, { element }]) => /** @type {[string, HTMLElement, DOMRect]} */ ([`${side}\n${id}`, element, home]));
    });
  }

  glide() {
    const { before } = this;
    this.before = null;
    if (!before) return;
    for (const animation of this.gliding.values()) animation.cancel();
    this.gliding.clear();
    const moves = this.places().map(([key, row, home]) => ({ row, was: before.get(key), is: within(row, home) }));
    for (const { row, was, is } of moves) {
      if (!was || !is.height || !was.height) continue; // new, or not seen
      const [x, y] = [was.left - is.left, was.top - is.top];
      if (Math.abs(x) < 1 && Math.abs(y) < 1) continue;
      const animation = row.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: GLIDE, easing: "ease-out" });
      this.gliding.set(row, animation);
      animation.onfinish = () => this.gliding.delete(row);
    }
  }
}

/** A row's place in its table: of a page that scrolls meanwhile nothing is to be seen. @param {Element} row @param {DOMRect} home */
function within(row, home) {
  const { left, top, width, height } = row.getBoundingClientRect();
  return new DOMRect(left - home.left, top - home.top, width, height);
}
