// @ts-check
// A field for the answer to an exercise, on a page without a kernel; in a notebook the answer is written as code.

import { h, put, withCode } from "./common.js";
import { liveLink, widget } from "./kernel.js";
import { View } from "./view.js";
/** @import { Given } from "./view.js" */
/** @import { CheckTraits } from "./types.js" */

/** @extends {View<CheckTraits>} */
class Check extends View {
  constructor(/** @type {Given<CheckTraits>} */ given) {
    super(given);
    const asks = given.model.get("_asks");
    this.verdict = h("p", { class: "dm-found", role: "status", "aria-live": "polite" });
    if (!asks) {
      this.root.append(h("p", {}, "Checking this answer needs Python, which this page does not have. ", liveLink()));
      return;
    }
    const fields = given.model.get("_fields");
    const before = given.model.get("answer").split("\n");
    const inputs = (fields.length ? fields : [{ name: "Your answer" }]).map((field, i) => ({ name: field.name, input: control(field, before[i] ?? "") }));
    const submitted = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.write("answer", inputs.map(({ input }) => input.value).join("\n"));
    };
    this.root.append(h("form", { class: "dm-check", onsubmit: submitted },
      inputs.map(({ name, input }) => h("label", { class: input instanceof HTMLSelectElement ? "dm-choice" : "dm-choice dm-blank" }, h("span", {}, name), input)),
      h("button", { "data-key": "check" }, "check")), this.verdict);
  }

  start() {
    this.show();
    this.follow("change:_told", () => this.show());
  }

  show() {
    const [verdict, reason] = this.model.get("_told");
    put(this.verdict, "");
    this.verdict.dataset.verdict = verdict;
    this.verdict.append(h("b", {}, verdict), ...(reason ? [": ", ...withCode(reason)] : []));
  }
}

/** @param {{ name: string, options?: string[] }} field @param {string} value */
function control({ options }, value) {
  if (!options) return h("input", { type: "text", value, autocomplete: "off", spellcheck: false });
  return h("select", {}, options.map((option) => h("option", { selected: option === value }, option)));
}

export default widget("check", Check);
