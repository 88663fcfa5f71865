// @ts-check
// Examples as questions: a menu of them, and the question that the page of an example answers.

import { h } from "./common.js";
/** @import { Lab } from "./lab.js" */

/** @param {Lab} lab */
export function menuOfQuestions(lab) {
  const examples = lab.model.get("_examples");
  const show = (/** @type {string} */ name) => lab.request("preset", { name }, () => {}); // the page follows by itself
  const groups = [...new Set(examples.map(({ group }) => group))];
  return h("select", { class: "dm-examples", "data-key": "preset", "aria-label": "start with another example", onchange: ({ target }) => target.value && show(target.value) },
    h("option", { value: "" }, "questions"),
    groups.map((label) => h("optgroup", { label }, examples.filter(({ group }) => group === label).map(({ name, question }) => h("option", { value: name }, question)))));
}

/** The question of a page, its source, and what to try first. @param {Lab} lab */
export function questionOf({ model, history: { page } }) {
  const asked = model.get("_examples").find(({ name }) => name === page.example);
  if (!asked) return [];
  return [h("div", { class: "dm-example" }, h("p", {}, h("b", {}, asked.question)), h("p", {}, asked.first), h("p", { class: "dm-quiet" }, `Source: ${asked.source}.`))];
}
