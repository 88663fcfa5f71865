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
    const input = h("input", { type: "text", value: given.model.get("answer"), autocomplete: "off", spellcheck: false });
    const submitted = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.write("answer", input.value);
    };
    this.root.append(h("form", { class: "dm-check", onsubmit: submitted },
      h("label", { class: "dm-choice dm-blank" }, h("span", {}, "Your answer"), input), h("button", { "data-key": "check" }, "check")), this.verdict);
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

export default widget("check", Check);
