// @ts-check
// A question before a result, in two lines; the kernel remembers the answer.

import { h, plainNumber, problemLine, withCode } from "./common.js";
import { widget } from "./kernel.js";
import { View } from "./view.js";
/** @import { Given } from "./view.js" */
/** @import { Attributes, PredictTraits, Value } from "./types.js" */

/** @typedef {[inputs: HTMLElement | HTMLElement[], show: (answer: Value | null) => void]} Ways to answer */

/** @extends {View<PredictTraits>} */
class Predict extends View {
  constructor(/** @type {Given<PredictTraits>} */ given) {
    super(given);
    const { model } = given;
    this.needs = "fieldset";
    this.words = { ...this.words, kept: "your answer is kept", back: "your answer" };
    const question = h("legend", {}, h("b", {}, "Predict."), " ", withCode(model.get("_question")));
    this.status = h("span", { class: "dm-quiet", role: "status", "aria-live": "polite" });
    const [inputs, show] = model.get("_kind") === "choice" ? choiceInputs(this) : lineInput(this);
    this.show = () => show(model.get("answer"));
    this.root.append(h("fieldset", { class: "dm-question" }, question, h("div", { class: "dm-row" }, inputs, this.status)), problemLine(this));
  }

  start() {
    const refused = () => { if (this.model.get("_problem")) this.say(""); }; // what was said to be noted was not
    this.show();
    this.follow("change:answer", this.show);
    this.follow("change:_problem", refused);
  }

  answered(/** @type {Value | null} */ answer) {
    this.takeBack(answer);
    this.say(answer === null ? "" : "noted");
  }

  get kept() {
    return this.model.get("answer");
  }

  takeBack(/** @type {Value | null} */ answer) {
    this.write("answer", answer);
  }
}

/** What can be clicked or typed, and a function that puts an answer there. @param {Predict} predict @returns {Ways} */
function choiceInputs(predict) {
  const group = `dm-choice-${Math.random().toString(36).slice(2)}`; // of this view alone
  const radios = predict.model.get("_choices").map((choice) => h("input", { type: "radio", name: group, value: choice, onchange: () => predict.answered(choice) }));
  const labels = radios.map((radio) => h("label", { class: "dm-choice" }, radio, h("span", {}, withCode(radio.value))));
  return [labels, (answer) => radios.forEach((radio) => { radio.checked = radio.value === answer; })];
}

/** @param {Predict} predict @returns {Ways} */
function lineInput(predict) {
  const { model } = predict;
  const number = model.get("_kind") === "number";
  const read = () => {
    const text = input.value.trim();
    return text === "" ? null : number ? Number(plainNumber(text)) : text;
  };
  const done = () => {
    const answer = read();
    if (Number.isNaN(answer)) predict.say(`${input.value} is not a number; write one such as 0.25`);
    else if (answer !== model.get("answer")) predict.answered(answer);
  };
  const input = h("input", {
    type: "text", ...(number ? { inputmode: "decimal", size: 8 } : { class: "dm-line" }),
    "aria-label": `your prediction ${model.get("_unit")}`.trim(),
    // Not "change", which comes neither with Enter in JupyterLab nor when the text is again what it was before.
    onblur: done,
    onkeydown: (event) => event.key === "Enter" && done(),
  });
  const show = (/** @type {Value | null} */ answer) => {
    if (read() !== answer) input.value = String(answer ?? "");
  };
  return [h("label", { class: "dm-choice dm-blank" }, input, model.get("_unit")), show];
}

export default widget("predict", Predict);
