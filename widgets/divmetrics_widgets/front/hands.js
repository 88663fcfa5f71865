// @ts-check
// The hands on a grid: what a click, a key or the focus does to a document, its rank and its labels.
// Keys: arrows walk, Alt+arrows move the document, a digit or +/- or Enter grades, Delete removes.

import { all, closest } from "./common.js";
import { byId, copied, gradeAt, graded, inserted, moved, nextGrade, without } from "./edits.js";
/** @import { Bench } from "./bench.js" */
/** @import { On, Side } from "./types.js" */

/** @typedef {{ id: string, at: number, row: HTMLElement }} Place a document in a list */

/** @type {Record<Side, Side>} */
export const OTHER = { A: "B", B: "A" };
/** @type {Record<string, number>} */
const STEPS = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1 };

/** One place of the grid is in the tab order: where the focus was last.
 * @param {HTMLElement} table @param {string | undefined} key */
export function rove(table, key) {
  const buttons = all(table, "button[data-key]");
  for (const button of buttons) if (button.tabIndex !== -1) button.tabIndex = -1;
  const last = buttons.find((button) => button.dataset.key === key) ?? buttons[0];
  if (last) last.tabIndex = 0;
}

export function focused(/** @type {On<FocusEvent>} */ event, /** @type {Bench<any>} */ view, /** @type {Side} */ side) {
  const key = event.target.dataset?.key;
  if (!key) return;
  const place = placeOf(event.target);
  if (place) view.inHand(side, place.id);
  if (view.active[side] === key) return;
  view.active[side] = key;
  rove(event.currentTarget, key);
}

/** @param {Element} element @returns {Place | null} */
export function placeOf(element) {
  const row = closest(element, "tr[data-doc]");
  return row && { id: row.dataset.doc ?? "", at: Number(row.dataset.rank) - 1, row };
}

export function clicked(/** @type {On<MouseEvent>} */ event, /** @type {Bench<any>} */ view, /** @type {Side} */ side) {
  const button = closest(event.target, "button[data-do]");
  const place = button && placeOf(button);
  if (place) act(view, side, button, place, button.dataset.do);
}

/** @param {Bench<any>} view @param {Side} side @param {HTMLElement} button @param {Place} place
 * @param {string | undefined} what */
function act(view, side, button, { id, at }, what) {
  const { history } = view;
  if (what === "up") move(view, side, id, at, at - 1);
  else if (what === "down") move(view, side, id, at, at + 1);
  else if (what === "copy") {
    const [page, copy] = copied(history.page, side, id);
    view.focusNext = `${side}|${copy}|grip`;
    history.edit(page, `${copy}, a copy of ${id}, is at rank ${at + 2} of list ${side}`);
  } else if (what === "remove") remove(view, side, id, at);
  else if (what === "grade") {
    setGrade(view, button, id, nextGrade(Number(button.dataset.grade), history.page.topic));
  }
}

/** @param {Bench<any>} view @param {Side} side @param {string} id @param {number} from @param {number} to */
export function move(view, side, id, from, to) {
  const { history } = view;
  const count = history.page.lists[side].length;
  if (to < 0 || to >= count) return view.say(`${id} is at the ${to < 0 ? "top" : "end"} of list ${side} already`);
  history.edit(moved(history.page, side, from, to), `${id} moved to rank ${to + 1} of list ${side}`);
}

/** @param {Bench<any>} view @param {Side} side @param {string} id @param {number} at */
function remove(view, side, id, at) {
  const { history } = view;
  history.removed[side].push({ id, at });
  const docs = history.page.lists[side];
  const next = docs[at + 1] ?? docs[at - 1];
  const said = `${id} removed from list ${side}; bring it back below the list`;
  view.focusNext = next ? `${side}|${next}|remove` : `${side}|back`;
  history.edit(without(history.page, side, id), said);
}

/** @param {Bench<any>} view @param {HTMLElement} button @param {string} id @param {number} grade */
function setGrade(view, button, id, grade) {
  const { history } = view;
  const intent = byId(history.page.topic.intents, button.dataset.intent ?? "");
  const page = graded(history.page, id, intent, button.dataset.child, grade);
  const after = byId(page.docs, id).grades;
  const below = intent.children.map((child) => child.id).filter((child) => gradeAt(after, `${intent.id}/${child}`));
  const detail = below.length && !button.dataset.child ? ` (${below.join(", ")})` : "";
  const name = [intent.id, button.dataset.child].filter(Boolean).join("/");
  history.edit(page, `${id}, ${name}: ${grade ? `grade ${grade}` : "not relevant"}${detail}`);
}

export function pressed(/** @type {On<KeyboardEvent>} */ event, /** @type {Bench<any>} */ view, /** @type {Side} */ side) {
  const button = closest(event.target, "button[data-do]");
  const place = button && placeOf(button);
  if (!place || event.ctrlKey || event.metaKey) return;
  const handled = () => { event.preventDefault(); event.stopPropagation(); };
  const { id, at } = place;
  const { scale } = view.history.page.topic;
  const step = STEPS[event.key] ?? 0;
  if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    handled();
    move(view, side, id, at, at + step);
  } else if (event.altKey && step) {
    handled();
    if (!view.sameDocs) toOther(view, side, id, at);
  } else if (step || event.key === "Home" || event.key === "End") {
    handled();
    walk(event, button, place, step);
  } else if (event.key === "Delete" || event.key === "Backspace") {
    handled();
    if (!view.sameDocs) remove(view, side, id, at);
  } else if (button.dataset.do === "grade" && /^[0-9+-]$/.test(event.key)) {
    handled();
    const now = Number(button.dataset.grade);
    const wanted = event.key === "+" ? now + 1 : event.key === "-" ? now - 1 : Number(event.key);
    if (wanted < 0 || wanted > scale) view.say(`grades go from 0 to ${scale} here`);
    else setGrade(view, button, id, wanted);
  }
}

/** The same document into the other list. @param {Bench<any>} view @param {Side} side @param {string} id @param {number} at */
export function toOther(view, side, id, at) {
  const other = OTHER[side];
  const next = inserted(view.history.page, other, id, at);
  view.history.edit(next, `${id} is now at rank ${next.lists[other].indexOf(id) + 1} of list ${other} too`);
}

/** @param {KeyboardEvent} event @param {HTMLElement} button @param {Place} place @param {number} step */
function walk(event, button, { row }, step) {
  const inRow = all(row, "button[data-do]");
  let target;
  if (event.key === "Home") target = inRow[0];
  else if (event.key === "End") target = inRow.at(-1);
  else if (event.key === "ArrowLeft" || event.key === "ArrowRight") target = inRow[inRow.indexOf(button) + step];
  else {
    const rows = row.parentElement ? all(row.parentElement, "tr[data-doc]") : [];
    const next = rows[rows.indexOf(row) + step];
    target = next && all(next, "button[data-do]")[inRow.indexOf(button)];
  }
  target?.focus();
}
