// @ts-check
// Dragging a document of a grid to another place, in its own list or in the other one.

import { all, closest } from "./common.js";
import { inserted } from "./edits.js";
import { move, placeOf } from "./hands.js";
/** @import { Bench } from "./bench.js" */
/** @import { Place } from "./hands.js" */
/** @import { On, Side } from "./types.js" */

/** @typedef {{ side: Side, at: number, row?: HTMLElement, after?: boolean }} Goal */

/** Drag by mouse, pen or finger: the list changes when the document is let go.
 * @param {On<PointerEvent>} event @param {Bench<any>} view @param {Side} side */
export function grabbed(event, view, side) {
  const grip = closest(event.target, '[data-do="grip"]');
  const place = grip && placeOf(grip);
  if (!place || event.button) return;
  const { root } = view;
  /** @type {Goal | null} */
  let goal = null;
  const clear = () => {
    for (const row of all(root, ".dm-drop, .dm-drop-after")) row.classList.remove("dm-drop", "dm-drop-after");
  };
  const drag = (/** @type {PointerEvent} */ now) => {
    if (!goal && Math.abs(now.clientY - event.clientY) + Math.abs(now.clientX - event.clientX) < 5) return;
    place.row.classList.add("dm-dragged");
    goal = goalAt(root, now);
    clear();
    if (goal?.row) goal.row.classList.add(goal.after ? "dm-drop-after" : "dm-drop");
  };
  const ended = new AbortController();
  const end = (/** @type {Event} */ now) => {
    ended.abort();
    clear();
    place.row.classList.remove("dm-dragged");
    if (now.type === "pointerup" && goal) drop(view, side, place, goal);
  };
  const cancel = (/** @type {KeyboardEvent} */ now) => { if (now.key === "Escape") { goal = null; end(now); } };
  const how = { capture: true, signal: ended.signal };
  window.addEventListener("pointermove", drag, how);
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, end, how);
  window.addEventListener("keydown", cancel, how);
}

/** The list and the place in it under the pointer. @param {Element} root @param {MouseEvent} at @returns {Goal | null} */
function goalAt(root, { clientX, clientY }) {
  const under = document.elementFromPoint(clientX, clientY);
  const table = under && closest(under, ".dm-grid");
  if (!table || !root.contains(table)) return null;
  const side = /** @type {Side} */ (table.dataset.list);
  const middle = (/** @type {HTMLElement} */ row) => { const { top, height } = row.getBoundingClientRect(); return top + height / 2; };
  const far = (/** @type {HTMLElement} */ row) => Math.abs(clientY - middle(row));
  // Between two rows a ghost may stand; above and below all there are the head and the sums.
  const row = closest(under, "tr[data-doc]") ?? all(table, "tr[data-doc]").sort((one, other) => far(one) - far(other)).at(0);
  if (!row) return { side, at: 0 };
  const after = clientY > middle(row);
  return { side, at: Number(row.dataset.rank) - 1 + (after ? 1 : 0), row, after };
}

/** @param {Bench<any>} view @param {Side} side @param {Place} place @param {Goal} goal */
function drop(view, side, { id, at }, goal) {
  if (goal.side === side) {
    const to = goal.at > at ? goal.at - 1 : goal.at;
    if (to !== at) move(view, side, id, at, to);
  } else {
    view.history.edit(inserted(view.history.page, goal.side, id, goal.at), `${id} is now at rank ${goal.at + 1} of list ${goal.side} too`);
  }
}
