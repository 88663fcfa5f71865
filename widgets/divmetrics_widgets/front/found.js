// What came out, beside what was predicted.

class Found {
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.told = h("p", { class: "dm-found", role: "status", "aria-live": "polite" });
    root.append(this.told);
  }

  start() {
    const { model, told } = this;
    const show = () => told.replaceChildren(h("b", {}, ...withCode(model.get("_words"))), " ", ...withCode(model.get("_why")));
    show();
    model.on("change:_words", show);
    return () => model.off("change:_words", show);
  }
}

export default widget("found", Found);
