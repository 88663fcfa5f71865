// @ts-check
// One view of a widget: a model of traits that the kernel shares, and an element that is filled and kept up to date.

/** @import { Kernel } from "./kernel.js" */
/** @import { Changes, Model, Traits } from "./types.js" */

/** A widget's views extend this. What is set here is that of a view that needs nothing of a kernel.
 * @template {Traits} T */
export class View {
  /** @param {Model<T>} model @param {HTMLElement} root @param {Kernel} kernel */
  constructor(model, root, kernel) {
    this.model = model;
    this.root = root;
    this.kernel = kernel;
    this.ends = /** @type {(() => void)[]} */ ([]); // to be done when the view is closed
    this.needs = ""; // a selector of the controls that are nothing without a kernel
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
