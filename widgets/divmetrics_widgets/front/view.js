// @ts-check
// One view of a widget: a model of traits that the kernel shares, and an element that is filled and kept up to date.

import { h } from "./common.js";
/** @import { Kernel } from "./kernel.js" */
/** @import { Changes, Model, Traits } from "./types.js" */

/** @template {Traits} T @typedef {{ model: Model<T>, root: HTMLElement, kernel: Kernel }} Given what a view is made of */

/** A widget's views extend this. What is set here is that of a view that needs nothing of a kernel. @template {Traits} T */
export class View {
  constructor(/** @type {Given<T>} */ { model, root, kernel }) {
    this.model = model;
    this.root = root;
    this.kernel = kernel;
    this.drawn = model.get("_marks"); // every mark that there is
    // What happened, also to screen readers.
    this.status = /** @type {HTMLElement} */ (h("p", { class: "dm-status", role: "status", "aria-live": "polite" }));
    this.ends = /** @type {(() => void)[]} */ ([]); // to be done when the view is closed
    this.needs = ""; // a selector of the controls that are nothing without a kernel
    this.beyond = ""; // and of those that are nothing on a page that never had one
    this.within = "every reordering"; // what such a page answers
    this.without = "what is dimmed"; // and what it does not
    this.words = { kept: "", follow: "the answer follows", back: "" }; // what it holds and waits for
    this.undoes = false; // has it an undo of its own?
    this.keep = () => {}; // keeps what a reader would miss; put here by kernel.js
  }

  /** Show what the model holds now, and follow it. */
  start() {}

  /** What is shown or waited for needs a kernel, which is not there now. */
  stopped() {}

  /** What a reader would miss, as plain values; see kept.js. @returns {any} */
  get kept() {
    return undefined;
  }

  /** Put back what was kept. @param {any} _kept */
  takeBack(_kept) {}

  say(/** @type {string} */ text) {
    this.status.textContent = text;
  }

  /** Write a trait, and tell the kernel. @template {keyof T & string} Name @param {Name} name @param {T[Name]} value */
  write(name, value) {
    this.kernel.unheard.wrote(name);
    this.model.set(name, value);
    this.model.save_changes();
  }

  /** Hear of changes of the model for as long as the view is open. @param {Changes<T>} names @param {() => void} f */
  follow(names, f) {
    this.model.on(names, f);
    this.ends.push(() => this.model.off(names, f));
  }

  /** Hear of another size for as long as the view is open. @param {() => void} f */
  followSize(f) {
    const watcher = new ResizeObserver(f);
    watcher.observe(this.root);
    this.ends.push(() => watcher.disconnect());
  }
}
