// @ts-check
// Dragging a document of a grid to another place, in its own list or in the other one: its row follows the pointer, and
// where it would land the others make room. The list changes when it is let go.

import { all, closest, pointerZoomOf, zoomOf } from "./common.js";
import { move, placeOf, toOther } from "./hands.js";
/** @import { Bench } from "./bench.js" */
/** @import { Place } from "./hands.js" */
/** @import { On, Side } from "./types.js" */

/** @typedef {{ side: Side, at: number }} Goal the place in a list before which it would stand */
/** @typedef {{ id: string, element: HTMLElement, top: number, height: number }} Standing a row, in its table */

const EDGE = 48; // pixels from the edge of what scrolls, within which it does
const FASTEST = 0.7; // pixels a millisecond

/** Drag by mouse, pen or finger. @param {On<PointerEvent>} event @param {Bench<any>} view @param {Side} side */
export function grabbed(event, view, side) {
  const grip = closest(event.target, '[data-do="grip"]') ?? (event.pointerType === "touch" ? null : gripAround(event.target));
  const place = grip && placeOf(grip);
  if (!place || event.button) return;
  /** @type {Drag | null} */
  let drag = null;
  const ended = new AbortController();
  const how = { capture: true, signal: ended.signal };
  const moved = (/** @type {PointerEvent} */ now) => {
    if (!drag && Math.abs(now.clientY - event.clientY) + Math.abs(now.clientX - event.clientX) < 5) return;
    drag ??= new Drag(view, side, place, event);
    drag.follow(now);
  };
  const end = (/** @type {Event} */ now) => {
    ended.abort();
    const goal = drag?.end();
    if (now.type === "pointerup" && goal) drop(view, side, place.id, goal);
  };
  const cancel = (/** @type {KeyboardEvent} */ now) => {
    if (now.key !== "Escape") return;
    now.stopPropagation();
    now.preventDefault(); // or a lab that fills the screen would be left
    end(now);
  };
  window.addEventListener("pointermove", moved, how);
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, end, how);
  window.addEventListener("keydown", cancel, how);
  window.addEventListener("scroll", () => drag?.soon(), how);
  for (const name of ["selectstart", "dragstart"]) window.addEventListener(name, (now) => now.preventDefault(), how);
}

/** The grip of the row around what a mouse pressed, which is nothing that can be pressed by itself: a finger scrolls there.
 * @param {Element} target */
function gripAround(target) {
  return closest(target, "button, a, input, select, tr[data-doc]")?.querySelector('[data-do="grip"]') ?? null;
}

/** A row that is lifted. All is measured when it is, so that to follow the pointer is to move and not to lay out. */
class Drag {
  /** @param {Bench<any>} view @param {Side} side @param {Place} place @param {MouseEvent} from */
  constructor(view, side, place, from) {
    this.view = view;
    this.side = side;
    this.id = place.id;
    this.row = place.row;
    this.home = /** @type {HTMLElement} */ (closest(place.row, ".dm-grid"));
    this.list = /** @type {HTMLElement} */ (closest(place.row, ".dm-list") ?? this.home);
    this.scroller = scrollerOf(view.root);
    this.zoom = zoomOf(view.root); // of what is measured, against what is written
    this.pointerZoom = pointerZoomOf(view.root);
    this.from = from;
    this.now = from;
    this.goal = /** @type {Goal | null} */ (null);
    this.frame = 0;
    this.last = 0; // when the last frame was, while it scrolls
    const { left, top } = this.home.getBoundingClientRect();
    this.start = { left, top };
    this.standing = new Map(view.sides.map(({ side: of, grid }) => [of, standingIn(grid.table)]));
    this.own = place.row.getBoundingClientRect();
    view.root.classList.add("dm-dragging");
    this.list.classList.add("dm-lifting");
    place.row.classList.add("dm-lifted");
    view.inHand(side, place.id);
  }

  follow(/** @type {MouseEvent} */ now) {
    this.now = now;
    this.soon();
  }

  soon() {
    this.frame ||= requestAnimationFrame((time) => {
      this.frame = 0;
      this.scroll(time);
      this.aim();
      this.lift();
    });
  }

  /** Gently: the nearer to the edge, the faster. @param {number} time */
  scroll(time) {
    const { top, bottom } = edgesOf(this.scroller);
    const { clientY } = this.now;
    const away = clientY - this.from.clientY; // who lifts a row near an edge and goes away from it stays where it is
    const over = away < 0 ? Math.min(0, clientY - top - EDGE) : Math.max(0, clientY - bottom + EDGE);
    const far = Math.max(-1, Math.min(1, over / EDGE));
    const before = this.scroller.scrollTop;
    if (far && this.last) this.scroller.scrollTop += far * FASTEST * Math.min(50, time - this.last);
    const first = !this.last;
    this.last = far ? time : 0;
    if (far && (first || this.scroller.scrollTop !== before)) this.soon();
  }

  /** Where it would land. */
  aim() {
    const goal = this.goalAt(this.now);
    if (goal?.side === this.goal?.side && goal?.at === this.goal?.at) return;
    this.goal = goal;
    this.makeRoom();
    const from = this.standing.get(this.side)?.findIndex(({ id }) => id === this.id) ?? 0;
    this.view.aimed(goal?.side === this.side ? goal.at + (goal.at > from ? 0 : 1) : 0);
  }

  /** The list and the place in it under the pointer. @param {MouseEvent} at @returns {Goal | null} */
  goalAt({ clientX, clientY }) {
    const under = document.elementFromPoint(clientX, clientY);
    const table = under && closest(under, ".dm-grid");
    if (!table || !this.view.root.contains(table)) return null;
    const side = /** @type {Side} */ (table.dataset.list);
    const rows = this.standing.get(side) ?? [];
    if (!rows.length) return { side, at: 0 };
    // WebKit divides what it measures from the top of the page, not of the window.
    const y = (clientY + window.scrollY) / this.pointerZoom - window.scrollY - table.getBoundingClientRect().top;
    const far = (/** @type {Standing} */ { top, height }) => (y < top ? top - y : Math.max(0, y - top - height));
    const nearest = rows.reduce((best, row) => (far(row) < far(best) ? row : best));
    return { side, at: rows.indexOf(nearest) + (y > nearest.top + nearest.height / 2 ? 1 : 0) };
  }

  makeRoom() {
    const { goal, id, own } = this;
    for (const [side, rows] of this.standing) {
      const here = goal?.side === side;
      const ids = rows.map((row) => row.id);
      const order = here && goal ? landed(ids, id, goal.at) : ids;
      const heights = new Map(rows.map((row) => [row.id, row.height]));
      if (!heights.has(id)) heights.set(id, own.height);
      const [before, after] = [stacked(ids, heights), stacked(order, heights)];
      for (const row of rows) {
        const by = (after.get(row.id) ?? 0) - (before.get(row.id) ?? 0);
        if (row.element !== this.row) row.element.style.transform = by ? `translateY(${by / this.zoom}px)` : "";
      }
      const body = this.view.sides.find((each) => each.side === side)?.grid.body;
      if (body) body.style.paddingBottom = order.length > ids.length ? `${own.height / this.zoom}px` : "";
    }
  }

  /** The row below the pointer, as far as the widget goes; labels that scroll in a list of their own keep it there. */
  lift() {
    const { from, now, own, pointerZoom, start, zoom } = this;
    const home = this.home.getBoundingClientRect();
    const bound = this.home.matches(".dm-lines") ? home : this.view.root.getBoundingClientRect();
    const [down, right] = [home.top - start.top, home.left - start.left]; // what has scrolled
    const clamp = (/** @type {number} */ by, /** @type {number} */ low, /** @type {number} */ high) => Math.max(Math.min(by, Math.max(high, low)), low);
    const x = clamp((now.clientX - from.clientX) / pointerZoom - right, bound.left - own.left - right, bound.right - own.right - right);
    const y = clamp((now.clientY - from.clientY) / pointerZoom - down, bound.top - own.top - down, bound.bottom - own.bottom - down);
    this.row.style.transform = `translate(${this.home.matches(".dm-lines") ? 0 : x / zoom}px, ${y / zoom}px)`;
  }

  /** Let go: rows go on from where they are, to where the page has them. @returns {Goal | null} where it was */
  end() {
    cancelAnimationFrame(this.frame);
    if (this.frame) this.aim(); // what is let go before the next frame has been here, too
    const { view } = this;
    view.flowing.depart(true);
    for (const rows of this.standing.values()) for (const { element } of rows) element.style.transform = "";
    for (const { grid } of view.sides) grid.body.style.paddingBottom = "";
    this.row.style.transform = "";
    this.row.classList.remove("dm-lifted");
    this.list.classList.remove("dm-lifting");
    view.root.classList.remove("dm-dragging");
    view.aimed(0);
    return this.goal;
  }
}

/** Its rows, as they stand when nothing moves. @param {HTMLElement} table @returns {Standing[]} */
function standingIn(table) {
  const home = table.getBoundingClientRect();
  const rows = all(table, "tr[data-doc]");
  for (const animation of rows.flatMap((row) => row.getAnimations())) animation.finish();
  return rows.map((element) => {
    const { top, height } = element.getBoundingClientRect();
    return { id: element.dataset.doc ?? "", element, top: top - home.top, height };
  });
}

/** The order with a document put before this place. @param {string[]} ids @param {string} id @param {number} at */
function landed(ids, id, at) {
  const others = ids.filter((other) => other !== id);
  const from = ids.indexOf(id);
  others.splice(from >= 0 && from < at ? at - 1 : at, 0, id);
  return others;
}

/** How far down each stands. @param {string[]} order @param {Map<string, number>} heights */
function stacked(order, heights) {
  let top = 0;
  return new Map(order.map((id) => {
    const at = top;
    top += heights.get(id) ?? 0;
    return [id, at];
  }));
}

/** What scrolls a widget: a notebook does it within an element of its own. @param {Element} element @returns {Element} */
function scrollerOf(element) {
  for (let up = element.parentElement; up; up = up.parentElement) {
    const { overflowY } = getComputedStyle(up);
    if ((overflowY === "auto" || overflowY === "scroll") && up.scrollHeight > up.clientHeight + 1) return up;
  }
  return document.scrollingElement ?? document.documentElement;
}

/** What of it is seen. @param {Element} scroller */
function edgesOf(scroller) {
  if (scroller === document.scrollingElement) return { top: 0, bottom: window.innerHeight };
  const { top, bottom } = scroller.getBoundingClientRect();
  return { top: Math.max(0, top), bottom: Math.min(window.innerHeight, bottom) };
}

/** @param {Bench<any>} view @param {Side} side @param {string} id @param {Goal} goal */
function drop(view, side, id, goal) {
  const { page } = view.history;
  if (goal.side === side) {
    const at = page.lists[side].indexOf(id);
    const to = goal.at > at ? goal.at - 1 : goal.at;
    if (at >= 0 && to !== at) move(view, side, id, at, to);
  } else {
    const from = page.lists[goal.side].indexOf(id);
    toOther(view, side, id, from >= 0 && from < goal.at ? goal.at - 1 : goal.at);
  }
}
