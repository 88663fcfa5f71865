// What came out, beside what was predicted; closed until there is a prediction, or until it is opened.

function render({ model, el }) {
  const root = frame("found", el);
  return guarded(root, () => {
    const words = h("p", { class: "dm-found", role: "status", "aria-live": "polite" });
    const summary = h("summary", {}, "show me the answer");
    const answer = h("details", {}, summary, words);
    root.append(answer);
    const show = () => {
      const predicted = model.get("_predicted");
      summary.hidden = predicted;
      if (predicted) answer.open = true;
      words.replaceChildren(h("b", {}, ...withCode(model.get("_words"))), " ", ...withCode(model.get("_why")));
    };
    show();
    model.on("change:_words", show);
    return () => model.off("change:_words", show);
  });
}

export default { render };
