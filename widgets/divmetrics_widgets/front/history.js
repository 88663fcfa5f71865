// @ts-check
// A page and its past. The browser changes the page at once and tells the kernel, which measures it.
// A page is a value: every edit makes a new one, and what it does not touch stays the same object.
//
// How the two sides agree, in whatever order messages and events come: a trait has one writer. The kernel writes
// `_shown`, a whole page with a name. The browser writes `_edit`: a new name, the name of the page in `_shown` on
// which it was made, and those parts that differ from it. The page is `_edit` over `_shown`, or `_shown` alone where
// the edit was made on another: of an edit and a page of the kernel that cross, the page stays and the edit is past.
// Numbers, also those measured in advance, say of which page they are, and are never shown on another.
// A front end whose connection was lost puts the kernel's state back into the model, which may be older than an
// edit under way: no name is given twice, so one that was left is known by it, and the edit is sent again.

/** @import { BenchTraits, Model, Page, Side } from "./types.js" */

/** @typedef {{ id: string, at: number }} Removed a document that may come back to where it was */

const PARTS = /** @type {const} */ (["topic", "docs", "lists", "metrics", "example"]);

/** The page, and its name, that a model holds. @param {Pick<Model<BenchTraits>, "get">} model */
export function agreed(model) {
  const shown = model.get("_shown");
  const edit = model.get("_edit");
  const { name, topic, docs, lists, metrics, example } = edit.on === shown.name ? { ...shown, ...edit } : shown;
  return { name, page: { topic, docs, lists, metrics, example } };
}

export class History {
  constructor(/** @type {Model<BenchTraits>} */ model) {
    this.model = model;
    const { name, page } = agreed(model);
    this.name = name;
    this.before = ""; // the name of the page before
    this.page = page;
    this.first = this.page;
    this.past = /** @type {Page[]} */ ([]);
    this.future = /** @type {Page[]} */ ([]);
    this.removed = /** @type {Record<Side, Removed[]>} */ ({ A: [], B: [] });
    this.sender = Math.random().toString(36).slice(2); // no other view of this page has the same
    this.sent = 0;
    this.left = /** @type {Set<string>} */ (new Set()); // names of pages that were left
    this.gesture = /** @type {object | null} */ (null); // that made the last edit
    /** @param {string} _said what happened, in words */
    this.onChange = (_said) => {}; // set by Bench.start; called after every change of the page
  }

  /** What the kernel or another view has put on the page is an edit like any other. */
  listen() {
    const { name, page } = agreed(this.model);
    if (name === this.name) return;
    if (this.left.has(name)) {
      this.send();
      return this.onChange("");
    }
    this.turn(name);
    if (JSON.stringify(page) === JSON.stringify(this.page)) this.page = page;
    else this.enter(page);
    this.onChange("");
  }

  /** Enter the page after an edit; said: what happened, in words. Undo takes back a whole gesture, such as the drag of
   * a border of the mix; a dragged document is one edit.
   * @param {Page} page @param {string} said @param {object | null} [gesture] */
  edit(page, said, gesture = null) {
    if (page === this.page) return;
    const refusal = this.model.refuses?.(page);
    if (refusal) return this.onChange(refusal);
    if (gesture !== null && gesture === this.gesture) this.page = page;
    else this.enter(page);
    this.gesture = gesture;
    this.send();
    this.onChange(said);
  }

  turn(/** @type {string} */ name) {
    this.left.add(this.name);
    this.before = this.name;
    this.name = name;
  }

  enter(/** @type {Page} */ page) {
    this.past.push(this.page);
    this.future = [];
    this.page = page;
    this.gesture = null;
  }

  /** The last edit was none: as if it had not been made. */
  retract() {
    const page = this.past.pop();
    if (!page) return;
    this.page = page;
    this.gesture = null;
    this.send();
    this.onChange("");
  }

  undo() {
    this.step(this.past, this.future, "undone");
  }

  redo() {
    this.step(this.future, this.past, "done again");
  }

  /** Has the page been edited, or is it another than at the beginning? */
  get away() {
    return this.past.length > 0 || (this.page !== this.first && JSON.stringify(this.page) !== JSON.stringify(this.first));
  }

  reset() {
    this.edit({ ...this.first }, "back at the beginning; undo brings your edits back");
  }

  step(/** @type {Page[]} */ from, /** @type {Page[]} */ to, /** @type {string} */ said) {
    const page = from.pop();
    if (!page) return;
    to.push(this.page);
    this.page = page;
    this.gesture = null;
    this.send();
    this.onChange(said);
  }

  /** One message for an edit, with only those parts of the page that it has changed. */
  send() {
    const { model, page } = this;
    const shown = model.get("_shown");
    this.sent += 1;
    this.turn(`${this.sender}.${this.sent}`);
    const changed = PARTS.filter((part) => page[part] !== shown[part]).map((part) => [part, page[part]]);
    model.set("_edit", { name: this.name, on: shown.name, ...Object.fromEntries(changed) });
    model.save_changes();
  }
}
