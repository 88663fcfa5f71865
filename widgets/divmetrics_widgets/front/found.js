// @ts-check
// What came out, beside what was predicted; closed until there is a prediction, or until it is opened.

import { h, withCode } from "./common.js";
import { widget } from "./kernel.js";
import { View } from "./view.js";
/** @import { Given } from "./view.js" */
/** @import { FoundTraits, } from "./types.js" */

/** @extends {View<FoundTraits>} */
class Found extends View {
  constructor(/** @type {Given<FoundTraits>} */ given) {
    super(given);
    this.summary = h("summary", {}, "show me the answer");
    this.told = h("p", { class: "dm-found", role: "status", "aria-live": "polite" });
    this.closed = h("details", {}, this.summary, this.told);
    const shown = given.model.get("_shown");
    if (shown) {
      const seen = h("div", { class: "dm-shown jp-RenderedHTMLCommon" });
      seen.innerHTML = shown; // what the kernel would show below the cell, had it been displayed there
      this.closed.append(seen);
    }
    this.root.append(this.closed);
  }

  start() {
    const { model } = this;
    const show = () => {
      const predicted = model.get("_predicted");
      this.summary.hidden = predicted;
      if (predicted) this.closed.open = true;
      this.told.replaceChildren(h("b", {}, ...withCode(model.get("_words"))), " ", ...withCode(model.get("_why")));
    };
    show();
    this.follow("change:_words", show);
  }
}

export default widget("found", Found);
