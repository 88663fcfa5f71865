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

const PARTS = ["topic", "docs", "lists", "metrics"];

export class History {
  constructor(model) {
    this.model = model;
    Object.assign(this, this.agreed());
    this.first = this.page;
    this.past = [];
    this.future = [];
    this.removed = { A: [], B: [] }; // {doc, at}, to be brought back
    this.sender = Math.random().toString(36).slice(2); // no other view of this page has the same
    this.sent = 0;
    this.left = new Set(); // names of pages that were left
    this.told = () => {};
  }

  /** The page, and its name, that the model holds. */
  agreed() {
    const shown = this.model.get("_shown");
    const edit = this.model.get("_edit");
    const { name, ...parts } = edit.on === shown.name ? { ...shown, ...edit } : shown;
    return { name, page: Object.fromEntries(PARTS.map((part) => [part, parts[part]])) };
  }

  /** What the kernel or another view has put on the page is an edit like any other. */
  listen() {
    const { name, page } = this.agreed();
    if (name === this.name) return;
    if (this.left.has(name)) {
      this.send();
      return this.told("");
    }
    this.turn(name);
    if (JSON.stringify(page) === JSON.stringify(this.page)) this.page = page;
    else this.enter(page);
    this.told("");
  }

  /** The page after an edit; said: what happened, in words. */
  edit(page, said) {
    if (page === this.page) return;
    this.enter(page);
    this.send();
    this.told(said);
  }

  turn(name) {
    this.left.add(this.name);
    this.before = this.name;
    this.name = name;
  }

  enter(page) {
    this.past.push(this.page);
    this.future = [];
    this.page = page;
  }

  undo() {
    this.step(this.past, this.future, "undone");
  }

  redo() {
    this.step(this.future, this.past, "done again");
  }

  reset() {
    this.edit({ ...this.first }, "back at the beginning; undo brings your edits back");
  }

  step(from, to, said) {
    if (!from.length) return;
    to.push(this.page);
    this.page = from.pop();
    this.send();
    this.told(said);
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
