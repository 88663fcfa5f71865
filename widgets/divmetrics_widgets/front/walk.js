// @ts-check
// A metric's readers walk down one list.

import { guarded, h, keepingFocus, setPending } from "./common.js";
import { widget } from "./kernel.js";
import { View } from "./view.js";
import { Walking } from "./walking.js";
/** @import { Given } from "./view.js" */
/** @import { WalkTraits } from "./types.js" */

/** @extends {View<WalkTraits>} */
class ReaderWalk extends View {
  constructor(/** @type {Given<WalkTraits>} */ given) {
    super(given);
    this.needs = "select[data-key=metric]";
    this.words = { ...this.words, follow: "the walk follows" };
    this.bar = h("div", { class: "dm-row" });
    this.problem = h("div", {});
    this.walking = new Walking(this.drawn, (rank) => this.write("rank", rank));
    this.root.append(this.bar, this.problem, this.walking.box);
    this.ends.push(() => this.walking.pause());
  }

  start() {
    this.follow("change:_picture change:_chosen change:_problem", () => guarded(this.root, () => keepingFocus(this.root, () => this.draw())));
    this.follow("change:rank", () => guarded(this.root, () => this.walking.go(this.model.get("rank"), false)));
    this.draw();
  }

  draw() {
    const { model } = this;
    const picture = model.get("_picture");
    const problem = model.get("_problem");
    setPending(this.root, this.chosen !== picture.metric && !problem);
    this.bar.replaceChildren(h("span", { class: "dm-title" }, picture.title), `list ${picture.list} under`, this.menu());
    this.problem.replaceChildren(problem ? h("p", { class: "dm-problem", role: "alert" }, problem) : "");
    this.walking.show(picture, model.get("rank"));
  }

  stopped() {
    this.draw();
  }

  /** The metric in the menu: that of the walk, where no other comes. */
  get chosen() {
    return this.kernel.answers ? this.model.get("_chosen") : this.model.get("_picture").metric;
  }

  menu() {
    const { chosen } = this;
    const names = this.model.get("_names");
    if (names.length === 1) return h("b", {}, chosen);
    return h("select", { "data-key": "metric", "aria-label": "metric", onchange: ({ target }) => this.write("_chosen", target.value) },
      names.map((name) => h("option", { value: name, selected: name === chosen }, name)));
  }
}

export default widget("reader-walk", ReaderWalk);
