// @ts-check
// What a reader had in a widget whose kernel has stopped is kept by the browser, until the widget stands in the
// same place again: in the same notebook, made by the same cell for the same topic. There it is offered.

import { h, when } from "./common.js";
/** @import { View } from "./view.js" */

const KEPT = "divmetrics-kept"; // an event: what is kept has changed

/** The browser's memory for this tab, which it may refuse. */
export function storage() {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} text */
export function remember(key, text) {
  try {
    storage()?.setItem(key, text);
  } catch {
    // There is no room: what a reader had is still in the widget.
  }
}

export class Keeper {
  constructor(/** @type {View<any>} */ view) {
    const { model } = view;
    const place = view.kept !== undefined && model.get("_place");
    const path = model.widget_manager?.context?.path ?? location.pathname;
    this.view = view;
    this.kernel = view.kernel;
    this.key = place ? `divmetrics ${path} ${place}` : null;
    this.first = "";
    this.written = false;
    this.box = h("div", { class: "dm-offer" });
    view.root.prepend(this.box);
  }

  start() {
    const look = () => this.offer();
    this.first = JSON.stringify(this.view.kept);
    window.addEventListener(KEPT, look);
    this.view.ends.push(() => window.removeEventListener(KEPT, look));
    this.offer();
  }

  /** The kernel has come or gone. */
  changed() {
    if (this.kernel.state !== "here") this.keep();
    else if (this.written) this.forget();
    this.offer();
  }

  keep() {
    if (!this.key || this.kernel.state === "here") return;
    const now = JSON.stringify(this.view.kept);
    if (now === this.first && this.stored() && !this.written) return; // what is offered is worth more
    this.written = true;
    remember(this.key, now);
  }

  stored() {
    return this.key === null ? null : storage()?.getItem(this.key) ?? null;
  }

  forget() {
    this.written = false;
    if (this.key !== null) storage()?.removeItem(this.key);
    window.dispatchEvent(new Event(KEPT));
  }

  offer() {
    const stored = this.kernel.state === "here" ? this.stored() : null;
    const open = stored === JSON.stringify(this.view.kept) ? null : stored;
    when(this.box, [open], () => (open === null ? [] : this.offered(JSON.parse(open))));
  }

  offered(/** @type {any} */ kept) {
    const { view } = this;
    const { back } = view.words;
    const take = () => {
      const before = view.kept;
      this.forget();
      view.takeBack(kept);
      if (!view.undoes) this.box.replaceChildren(...this.undoable(before));
    };
    return [h("span", {}, "Kept from before the kernel stopped:"),
      h("button", { "data-key": "take-back", onclick: take }, `take back ${back}`),
      h("button", { "data-key": "leave", onclick: () => this.forget() }, "no, thank you")];
  }

  undoable(/** @type {any} */ before) {
    const undo = () => {
      this.view.takeBack(before);
      this.box.replaceChildren();
    };
    return [h("button", { "data-key": "not-back", onclick: undo }, "undo: begin as the cell says")];
  }
}
