// @ts-check
// A lab that fills the screen in large letters, for a lecture. Page Down and Page Up, which a presenter's remote control
// sends, lead to the labs after and before it on the page.

import { all, h } from "./common.js";

const LABS = '.dm:is([data-widget="ranked-list-lab"], [data-widget="hierarchy-lab"])';
const KEYS = /** @type {Record<string, number>} */ ({ PageDown: 1, PageUp: -1 });

/** @param {HTMLElement} root of a lab */
export function fullScreenButton(root) {
  return h("button", { "data-key": "full", title: "large letters, for a lecture; Page Down and Page Up lead to the next lab and back, Escape leaves", onclick: () => fill(root) }, "full screen");
}

/** Put a lab into a dialog in its own place, so that it keeps its styles; a window that may not fill the screen is filled.
 * @param {HTMLElement} root @param {string} [focus] the data-key of the button that gets the focus */
function fill(root, focus = "full-next") {
  const labs = all(document.body, LABS).filter((lab) => lab.checkVisibility());
  const at = labs.indexOf(root);
  const open = new AbortController();
  const restore = () => {
    open.abort();
    dialog.replaceWith(root);
  };
  const leave = () => {
    restore();
    if (document.fullscreenElement) document.exitFullscreen();
    root.scrollIntoView({ block: "nearest" });
    all(root, "[data-key=full]")[0]?.focus();
  };
  const go = (/** @type {number} */ by) => {
    restore();
    fill(labs[at + by], by > 0 ? "full-next" : "full-back");
  };
  const button = (/** @type {string} */ key, /** @type {string} */ text, /** @type {() => void} */ onclick, disabled = false) =>
    h("button", { "data-key": `full-${key}`, onclick, disabled }, text);
  const place = `lab ${at + 1} of ${labs.length}`;
  const bar = h("div", { class: "dm dm-row dm-full-bar" },
    labs.length > 1 && [button("back", "◀ back", () => go(-1), at === 0), h("span", {}, place), button("next", "next ▶", () => go(1), at === labs.length - 1)],
    button("leave", "leave (Esc)", leave));
  const dialog = h("dialog", { class: "dm-full dm-large", "aria-label": `${place}, full screen` });
  root.replaceWith(dialog);
  dialog.append(root, bar);
  dialog.showModal();
  const [first] = [...all(bar, `[data-key=${focus}]:enabled`), ...all(bar, ":enabled")];
  first.focus();
  dialog.addEventListener("close", leave, { signal: open.signal });
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || leave(), { signal: open.signal });
  addEventListener("keydown", (event) => {
    const by = KEYS[event.key];
    const taken = event.defaultPrevented || (event.target instanceof Element && event.target.matches("input, select, textarea"));
    if (!by || taken || !labs[at + by]) return;
    event.preventDefault();
    go(by);
  }, { signal: open.signal });
  if (document.fullscreenElement) return;
  const late = () => { if (!document.querySelector(".dm-full")) document.exitFullscreen(); };
  document.documentElement.requestFullscreen?.().then(late, () => {});
}
