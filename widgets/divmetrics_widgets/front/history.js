// A page and its past. The browser changes the page at once and tells the kernel, which measures it.
// A page is a value: every edit makes a new one, and what it does not touch stays the same object.

const PAGE = { topic: "_topic", docs: "_docs", lists: "_lists", metrics: "_metrics" };
const histories = new WeakMap(); // one for each model, shared by its views

function historyOf(model) {
  if (!histories.has(model)) histories.set(model, new History(model));
  return histories.get(model);
}

class History {
  constructor(model) {
    this.model = model;
    this.page = this.received();
    this.first = this.page;
    this.past = [];
    this.future = [];
    this.removed = { A: [], B: [] }; // {doc, at}, to be brought back
    this.views = new Set();
    this.sending = false;
    model.on("change", () => this.listen());
  }

  received() {
    return Object.fromEntries(Object.entries(PAGE).map(([part, trait]) => [part, this.model.get(trait)]));
  }

  /** What the kernel has put on the page by itself is an edit like any other. */
  listen() {
    if (this.sending) return;
    const page = this.received();
    if (Object.keys(PAGE).some((part) => page[part] !== this.sent?.[part] && page[part] !== this.page[part])) {
      const same = JSON.stringify(page) === JSON.stringify(this.page);
      this.sent = page;
      if (!same) {
        this.enter(page);
        this.tell("");
      }
    }
  }

  /** The page after an edit; said: what happened, in words. */
  edit(page, said) {
    if (page === this.page) return;
    this.enter(page);
    this.send();
    this.tell(said);
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
    this.tell(said);
  }

  tell(said) {
    for (const view of this.views) view(said);
  }

  /** One message for an edit, with only those parts of the page that it has changed. */
  send() {
    this.sending = true;
    for (const [part, trait] of Object.entries(PAGE)) {
      if (this.page[part] !== this.sent?.[part]) this.model.set(trait, this.page[part]);
    }
    this.sent = { ...this.page };
    this.model.set("_edit", this.model.get("_edit") + 1);
    this.model.save_changes();
    this.sending = false;
  }
}
