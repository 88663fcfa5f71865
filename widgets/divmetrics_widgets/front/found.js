// What came out, beside what was predicted.

function render({ model, el }) {
  const root = frame("found", el);
  return guarded(root, () => {
    const words = h("p", { class: "dm-found", role: "status", "aria-live": "polite" });
    root.append(words);
    const show = () => words.replaceChildren(h("b", {}, ...withCode(model.get("_words"))), " ", ...withCode(model.get("_why")));
    show();
    model.on("change:_words", show);
    return () => model.off("change:_words", show);
  });
}

export default { render };
