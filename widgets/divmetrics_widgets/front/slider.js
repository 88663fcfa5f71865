// @ts-check
// A handle that is moved along a line: by mouse, pen and finger, and by keys.

import { attribute, h, pointerZoomOf, zoomOf } from "./common.js";
/** @import { On } from "./types.js" */

const SLIDES = /** @type {Record<string, number>} */ ({ ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01, PageDown: -0.05, PageUp: 0.05 });
const STILL = 3; // pixels that a pointer goes before it moves anything

/** What a handle stands for now, and how it is called. @typedef {{ value: number, most: number, label: string, text: string }} Standing */

/** What a handle needs. `wide`: pixels that a value of 1 takes; `move`: told of a new value, and of the gesture that
 * it is part of; `done`: the gesture is over, or was given up.
 * @typedef {object} Hands
 * @property {() => Standing} standing
 * @property {() => number} wide
 * @property {(value: number, gesture: object) => void} move
 * @property {(gesture: object, givenUp: boolean) => void} done */

/** @param {string} key @param {Hands} hands */
export function handle(key, hands) {
  let held = {}; // a key that stays down is one gesture
  return h("div", {
    class: "dm-handle", role: "slider", tabindex: 0, "data-key": key,
    onpointerdown: (event) => { if (!event.button) slid(event, hands); },
    onkeydown: (event) => {
      const wanted = event.altKey || event.ctrlKey || event.metaKey ? undefined : valueAt(event, hands.standing());
      if (wanted === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) held = {};
      hands.move(wanted, held);
      if (!event.repeat) hands.done(held, false);
    },
  });
}

/** Say what a handle stands for. @param {HTMLElement} element @param {Standing} standing */
export function stand(element, { value, most, label, text }) {
  attribute(element, "aria-label", label);
  attribute(element, "aria-valuemin", 0);
  attribute(element, "aria-valuemax", Number((100 * most).toFixed(2)));
  attribute(element, "aria-valuenow", Number((100 * value).toFixed(2)));
  attribute(element, "aria-valuetext", text);
  attribute(element, "title", `${text}; drag it, or use the arrow keys`);
}

/** Values that keys and pointers reach: of two decimals, and the ends. @param {number} value @param {number} most */
function reached(value, most) {
  return Math.min(Math.max(Math.round(100 * value) / 100, 0), most);
}

/** @param {KeyboardEvent} event @param {Standing} standing */
function valueAt({ key, shiftKey }, { value, most }) {
  if (key === "Home") return 0;
  if (key === "End") return most;
  const step = SLIDES[key];
  return step && reached(value + (shiftKey ? Math.sign(step) * 0.05 : step), most);
}

/** @param {On<PointerEvent, HTMLElement, HTMLElement>} event @param {Hands} hands */
function slid(event, hands) {
  const { value, most } = hands.standing();
  const gesture = {};
  const zoom = zoomOf(event.currentTarget) * pointerZoomOf(event.currentTarget);
  const ended = new AbortController();
  let moved = false;
  event.preventDefault(); // no text is selected, and the focus is put by hand
  event.currentTarget.focus({ preventScroll: true });
  const follow = (/** @type {PointerEvent} */ now) => {
    if (now.pointerId !== event.pointerId) return;
    const way = (now.clientX - event.clientX) / zoom;
    moved ||= Math.abs(way) >= STILL;
    if (moved) hands.move(reached(value + way / hands.wide(), most), gesture);
  };
  const end = (/** @type {boolean} */ givenUp) => {
    ended.abort();
    if (moved) hands.done(gesture, givenUp);
  };
  const how = { capture: true, signal: ended.signal };
  window.addEventListener("pointermove", follow, how);
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, () => end(false), how);
  window.addEventListener("keydown", (now) => {
    if (now.key !== "Escape") return;
    now.stopPropagation();
    now.preventDefault(); // or a lab that fills the screen would be left
    end(true);
  }, how);
}
