// @ts-check
// One line below the scores: what the readers of a metric do, of the chosen one or of the row with the focus.

import { closest, h, put } from "./common.js";
/** @import { Lab } from "./lab.js" */

export class ReaderLine {
  constructor(/** @type {Lab} */ lab, /** @type {HTMLElement} */ box, /** @type {HTMLElement} */ rows) {
    this.lab = lab;
    this.metric = ""; // of the row with the focus, or under the mouse
    this.line = h("p", { role: "status" });
    this.longest = h("p", { class: "dm-longest", "aria-hidden": "true" });
    box.append(this.longest, this.line);
    const at = (/** @type {Event} */ { target }) => this.show(target instanceof HTMLElement ? closest(target, "[data-metric-row]")?.dataset.metricRow : "");
    rows.addEventListener("focusin", at);
    rows.addEventListener("mouseover", at);
    rows.addEventListener("focusout", () => this.show());
    rows.addEventListener("mouseleave", () => this.show());
  }

  show(metric = "") {
    this.metric = metric;
    this.draw();
  }

  draw() {
    const readers = Object.entries(this.lab.model.get("_readers")).map(([metric, reader]) => [metric, `${metric}: ${reader}`]);
    const words = new Map(/** @type {[string, string][]} */ (readers));
    put(this.line, words.get(this.metric) ?? words.get(this.lab.chosen) ?? "");
    put(this.longest, [...words.values()].reduce((long, text) => (text.length > long.length ? text : long), ""));
  }
}
