// A question before a result, in two lines; the kernel remembers the answer.

function render({ model, el }) {
  const root = frame("predict", el);
  return guarded(root, () => {
    const question = h("legend", {}, h("b", {}, "Predict."), " ", withCode(model.get("_question")));
    const status = h("span", { class: "dm-quiet", role: "status", "aria-live": "polite" });
    const answered = (answer) => {
      model.set("answer", answer);
      model.save_changes();
      status.textContent = answer === null ? "" : "noted";
    };
    const [inputs, show] = model.get("_kind") === "choice" ? choiceInputs(model, answered) : lineInput(model, answered, (text) => { status.textContent = text; });
    root.append(h("fieldset", { class: "dm-question" }, question, h("div", { class: "dm-row" }, inputs, status)));
    const changed = () => show(model.get("answer"));
    changed();
    model.on("change:answer", changed);
    return () => model.off("change:answer", changed);
  });
}

/** What can be clicked or typed, and a function that puts an answer there. */
function choiceInputs(model, answered) {
  const group = `dm-choice-${Math.random().toString(36).slice(2)}`; // of this view alone
  const radios = model.get("_choices").map((choice) => h("input", { type: "radio", name: group, value: choice, onchange: () => answered(choice) }));
  const labels = radios.map((radio) => h("label", { class: "dm-choice" }, radio, h("span", {}, withCode(radio.value))));
  return [labels, (answer) => radios.forEach((radio) => { radio.checked = radio.value === answer; })];
}

function lineInput(model, answered, say) {
  const number = model.get("_kind") === "number";
  const read = () => {
    const text = input.value.trim();
    return text === "" ? null : number ? Number(text.replace(",", ".")) : text; // some write 0,5
  };
  const done = () => {
    const answer = read();
    if (Number.isNaN(answer)) say(`${input.value} is no number; write one such as 0.25`);
    else if (answer !== model.get("answer")) answered(answer);
  };
  const input = h("input", {
    type: "text", ...(number ? { inputmode: "decimal", size: 8 } : { class: "dm-line" }),
    "aria-label": `your prediction ${model.get("_unit")}`.trim(),
    // Not "change", which comes neither with Enter in JupyterLab nor when the text is again what it was before.
    onblur: done,
    onkeydown: (event) => event.key === "Enter" && done(),
  });
  const show = (answer) => {
    if (read() !== answer) input.value = answer ?? "";
  };
  return [h("label", { class: "dm-choice dm-blank" }, input, model.get("_unit")), show];
}

export default { render };
