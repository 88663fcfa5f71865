// @ts-check
// Dragging a document of a grid to another place, in its own list or in the other one.

import { inserted } from "./edits.js";
import { move, placeOf } from "./hands.js";

/** Drag by mouse, pen or finger: the list changes when the document is let go. */
export function grabbed(event, view, side) {
  const grip = event.target.closest('[data-do="grip"]');
  const place = grip && placeOf(grip, view, side);
  if (!place || event.button) return;
  const table = event.currentTarget;
  const root = table.closest(".dm");
  let goal = null;
  const clear = () => root.querySelectorAll(".dm-drop, .dm-drop-after").forEach((row) => row.classList.remove("dm-drop", "dm-drop-after"));
  const drag = (now) => {
    if (!goal && Math.abs(now.clientY - event.clientY) + Math.abs(now.clientX - event.clientX) < 5) return;
    place.row.classList.add("dm-dragged");
    goal = goalAt(root, now);
    clear();
    if (goal?.row) goal.row.classList.add(goal.after ? "dm-drop-after" : "dm-drop");
  };
  const end = (now) => {
    for (const [name, f] of listeners) window.removeEventListener(name, f, true);
    clear();
    place.row.classList.remove("dm-dragged");
    if (now.type === "pointerup" && goal) drop(view, side, place, goal);
  };
  const cancel = (now) => { if (now.key === "Escape") { goal = null; end(now); } };
  const listeners = [["pointermove", drag], ["pointerup", end], ["pointercancel", end], ["keydown", cancel]];
  for (const [name, f] of listeners) window.addEventListener(name, f, true);
}

/** The list and the place in it under the pointer. */
function goalAt(root, { clientX, clientY }) {
  const under = document.elementFromPoint(clientX, clientY);
  const table = under?.closest(".dm-grid");
  if (!table || !root.contains(table)) return null;
  const row = under.closest("tr[data-doc]") ?? [...table.querySelectorAll("tr[data-doc]")].at(under.closest("thead") ? 0 : -1);
  if (!row) return { side: table.dataset.list, at: 0 };
  const { top, height } = row.getBoundingClientRect();
  const after = clientY > top + height / 2;
  return { side: table.dataset.list, at: Number(row.dataset.rank) - 1 + (after ? 1 : 0), row, after };
}

export function drop(view, side, { id, at }, goal) {
  if (goal.side === side) {
    const to = goal.at > at ? goal.at - 1 : goal.at;
    if (to !== at) move(view, side, id, at, to);
  } else {
    view.history.edit(inserted(view.history.page, goal.side, id, goal.at), `${id} is now at rank ${goal.at + 1} of list ${goal.side} too`);
  }
}
