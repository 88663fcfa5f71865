// @ts-check
// A lab that the kernel makes when it is asked for, as a view of its own below another widget.

import { all, guarded, h } from "./common.js";
/** @import { View } from "./view.js" */
/** @import { LabBelowTraits } from "./types.js" */

const MODEL = "IPY_MODEL_"; // before the id of a widget that a trait holds

/** @template {LabBelowTraits} T */
export class LabBelow {
  constructor(/** @type {View<T>} */ view) {
    this.view = view;
    this.box = h("div", { class: "dm-lab-below" });
    this.shown = /** @type {Promise<void> | null} */ (null); // of the one view that is made
    this.closed = false;
    view.root.after(this.box);
  }

  start() {
    const { view } = this;
    view.follow("change:_opened change:_lab", () => guarded(view.root, () => this.show()));
    view.ends.push(() => {
      this.closed = true;
      this.lab?.remove();
    });
    this.show();
  }

  /** A view of the lab's own widget; made once. */
  show() {
    const { model } = this.view;
    const id = model.get("_lab");
    if (model.get("_opened") && id) this.shown ??= this.make(id);
  }

  async make(/** @type {string} */ id) {
    const { model, root } = this.view;
    try {
      const manager = model.widget_manager;
      if (!manager) throw new Error("this front end shows no widget inside another");
      const view = await manager.create_view(await manager.get_model(id.slice(MODEL.length)));
      if (this.closed) return view.remove();
      this.lab = view;
      this.box.replaceChildren(view.el);
      await drawn(this.box);
    } catch (error) {
      guarded(root, () => { throw error; }); // what is awaited fails outside of the caller's guard
    }
  }

  /** Take who has opened the lab into it, unless she is somewhere else by now. */
  async enter() {
    await this.shown;
    const { activeElement } = document;
    const left = activeElement && activeElement !== document.body && ![this.view.root, this.box].some((own) => own.contains(activeElement));
    if (left) return;
    this.box.scrollIntoView({ block: "nearest" });
    all(this.box, '[role=grid] [tabindex="0"]')[0]?.focus({ preventScroll: true });
  }
}

/** When a list stands in a box: a widget is unpacked before it is drawn. @param {HTMLElement} box @returns {Promise<void>} */
function drawn(box) {
  return new Promise((done) => {
    const look = () => {
      if (!box.querySelector("[role=grid]")) return;
      watcher.disconnect();
      done();
    };
    const watcher = new MutationObserver(look);
    watcher.observe(box, { childList: true, subtree: true });
    look();
  });
}
