// @ts-check
// The reader mix: the intents as a ribbon with borders that can be moved. A border moves probability between its two
// neighbours, also where the other probabilities rescale: all other borders stay where the eye has them.

import { h, keepingFocus, mark, put, s, sum, when } from "./common.js";
import { byId, exact, mixable, withBorder, withIntents, withProbability } from "./edits.js";
import { acrossLines, drawing } from "./mix_lines.js";
import { handle, stand } from "./slider.js";
/** @import { Lab } from "./lab.js" */
/** @import { Intent, Lines, Page } from "./types.js" */

const APART = 26; // pixels between the middles of two handles
// Pixels of a letter of a name, of one of a share, and what a sign of percent has more, in the widest letters that a system may have.
const [NAME, SHARE, PERCENT] = [9.7, 7.3, 8];
const QUIET = 150; // milliseconds after an edit by other hands, before the lines are asked for

export class Mixing {
  constructor(/** @type {Lab} */ lab, /** @type {HTMLElement} */ box) {
    this.lab = lab;
    this.box = box;
    this.intent = ""; // in hand
    this.open = false; // are the lines shown?
    this.closed = false; // were they put away?
    this.wide = 600; // of the ribbon, until it is known
    this.asked = ""; // for which lines the kernel was asked last
    this.waits = 0; // a timer
    this.lines = /** @type {Lines | null} */ (null);
    this.bar = h("div", { class: "dm-mix-bar" });
    this.handles = h("div", { class: "dm-mix-handles" });
    this.beside = h("div", { class: "dm-mix-beside" });
    // The handle of the share stays the same element: a finger that holds it would lose another.
    this.head = h("div", { class: "dm-row dm-mix-head" });
    this.drawing = h("div");
    this.share = this.shareHandle();
    this.now = h("span");
    this.picture = h("div", { class: "dm-mix-picture" }, this.drawing, h("div", { class: "dm-mix-share" }, this.share, this.now));
    this.words = h("p", { class: "dm-mix-words" });
    this.linesBox = h("div", { class: "dm-mix-lines" }, this.head, this.picture, this.words);
    const toggle = () => {
      this.open = !this.open;
      this.closed = !this.open;
      this.draw();
    };
    this.toggle = h("button", { "data-key": "mix-lines", class: "dm-toggle", title: "which list wins as the share of readers with one intent changes", onclick: toggle }, "who wins?");
    box.append(h("div", { class: "dm-mix" }, h("div", { class: "dm-mix-ribbon", role: "group", "aria-label": "the reader mix" }, this.bar, this.handles), this.toggle), this.beside, this.linesBox);
    lab.ends.push(() => clearTimeout(this.waits));
  }

  get intents() {
    return this.lab.history.page.topic.intents;
  }

  get total() {
    return sum(this.intents.map((t) => t.probability));
  }

  /** Is there a mix, and so a ribbon, which is the legend? */
  get shown() {
    return mixable(this.intents) && this.total > 0;
  }

  /** The ribbon has another width. */
  fit() {
    this.wide = this.bar.clientWidth || this.wide;
    this.draw();
  }

  /** An intent is in hand: one whose border, segment or field was touched. @param {string} id */
  take(id) {
    if (id === this.intent) return;
    this.intent = id;
    this.redraw();
  }

  redraw() {
    keepingFocus(this.lab.root, () => this.draw());
  }

  draw() {
    const { intents, shown } = this;
    this.box.hidden = !shown;
    if (!shown) return;
    if (!intents.some(({ id }) => id === this.intent)) this.intent = mostLikely(intents).id;
    this.toggle.setAttribute("aria-expanded", String(this.open));
    when(this.handles, [intents.length], () => intents.slice(1).map((_, place) => this.border(place)));
    when(this.bar, [this.lab.history.page.topic, this.wide, this.intent, this.open], () => this.segments());
    this.place();
    this.drawLines();
  }

  segments() {
    const { lab, wide, total } = this;
    const beside = /** @type {Node[]} */ ([]); // what has no room in its segment
    const segments = this.intents.map(({ id, probability, label, kind }, place) => {
      const share = probability / total;
      const [colour] = lab.marks[place] ?? ["#767676"];
      const told = [h("b", {}, id), h("span", {}, kind === "navigational" ? `${inPercent(share)} nav.` : inPercent(share))];
      const [name, percent] = told.map((line) => line.textContent?.length ?? 0);
      const roomy = Math.max(name * NAME, percent * SHARE + PERCENT) + 28 <= share * wide;
      const signed = share * wide >= 17;
      if (!roomy) beside.push(h("span", { class: "dm-chip" }, mark(lab.marks, place), " ", told[0], " ", told[1]));
      return h("div", { class: roomy ? "dm-segment" : "dm-segment dm-segment-sign", style: `width:${(100 * share).toFixed(3)}%;--colour:${colour}`, "data-segment": id, "data-in-hand": this.open && id === this.intent, title: `${id} ${inPercent(share)}${label ? `: ${label}` : ""}${kind === "navigational" ? "; navigational: a reader wants one page" : ""}`, onclick: () => this.use(id) },
        signed ? mark(lab.marks, place) : null, roomy ? h("span", { class: "dm-segment-words" }, told) : null);
    });
    this.beside.replaceChildren(...beside);
    return segments;
  }

  /** The handles below their borders, and beside each other where borders are close. */
  place() {
    const { intents, total, wide } = this;
    let sofar = 0;
    const borders = intents.slice(1).map((_, place) => {
      sofar += intents[place].probability / total;
      return sofar * wide;
    });
    const places = apart(borders, wide);
    const handles = /** @type {HTMLElement[]} */ ([...this.handles.querySelectorAll("[role=slider]")]);
    handles.forEach((element, place) => {
      element.style.left = `${places[place].toFixed(1)}px`;
      stand(element, this.standing(place));
    });
    this.handles.querySelector("svg")?.remove();
    this.handles.prepend(s("svg", { width: wide, height: 8, "aria-hidden": "true" },
      ...borders.map((x, i) => s("path", { d: `M${x.toFixed(1)},0L${places[i].toFixed(1)},8` }))));
  }

  /** @param {number} place of the intent before it */
  standing(place) {
    const [first, second] = this.intents.slice(place);
    const told = (/** @type {Intent} */ { id, probability }) => `${id} ${inPercent(probability)}`;
    return { value: first.probability, most: exact(first.probability + second.probability), label: `border between ${first.id} and ${second.id}`, text: `${told(first)}, ${told(second)}` };
  }

  border(/** @type {number} */ place) {
    const moved = (/** @type {number} */ value) => (/** @type {Page} */ page) => withIntents(page, withBorder(page.topic.intents, place, value));
    const element = handle(`border|${place}`, {
      standing: () => this.standing(place),
      wide: () => this.wide / this.total,
      move: (value, gesture) => this.moved(moved(value), gesture),
      done: (gesture, givenUp) => this.done(gesture, givenUp, () => this.standing(place).text),
    });
    const touched = () => {
      const near = this.intents.slice(place, place + 2).map(({ id }) => id);
      if (!near.includes(this.intent)) this.take(near[0]);
    };
    element.addEventListener("focus", touched);
    return element;
  }

  /** The handle below the lines: the share of the intent in hand, while the others keep their proportions. */
  shareHandle() {
    const moved = (/** @type {number} */ value) => (/** @type {Page} */ page) =>
      withIntents(page, withProbability(page.topic.intents, this.intents.findIndex(({ id }) => id === this.intent), value, true));
    return handle("mix-share", {
      standing: () => this.shareNow(),
      wide: () => acrossLines(this.wideLines).across,
      move: (value, gesture) => { if (value !== this.shareNow().value) this.moved(moved(value), gesture); },
      done: (gesture, givenUp) => this.done(gesture, givenUp, () => this.shareNow().text),
    });
  }

  shareNow() {
    const value = byId(this.intents, this.intent).probability / this.total;
    return { value, most: 1, label: `share of ${this.intent} readers`, text: `${inPercent(value)} ${this.intent} readers` };
  }

  get wideLines() {
    return Math.max(0, Math.min(this.lab.width, 620)); // a lab that is not shown has no room
  }

  /** @param {(page: Page) => Page} edit @param {object} gesture */
  moved(edit, gesture) {
    const { history } = this.lab;
    const page = edit(history.page);
    const before = history.page.topic.intents;
    if (page.topic.intents.every(({ probability }, i) => probability === before[i].probability)) return;
    if (!this.closed) this.open = true;
    history.edit(page, "", gesture);
  }

  /** @param {object} gesture @param {boolean} givenUp @param {() => string} told */
  done(gesture, givenUp, told) {
    const { lab } = this;
    const { history } = lab;
    if (history.gesture !== gesture) return;
    const before = history.past.at(-1)?.topic.intents;
    const none = before?.every(({ probability }, i) => probability === this.intents[i]?.probability);
    if (givenUp || none) history.retract();
    lab.say(givenUp ? "the mix is as it was" : told());
  }

  /** A segment was touched. @param {string} id */
  use(id) {
    this.open = true;
    this.closed = false;
    this.intent = id;
    this.redraw();
  }

  /** A page has other numbers now. @param {string | undefined} of */
  forget(of) {
    if (this.lines?.of !== of) return;
    this.lines = null;
    this.asked = "";
  }

  drawLines() {
    const { lab, intent, intents, open } = this;
    this.linesBox.hidden = !open;
    if (!open) return;
    this.ask();
    const lines = this.lines?.intent === intent && this.lines.metric === lab.chosen ? this.lines : null;
    const here = lab.kernel.answers;
    const known = lines && (here || lines.of === lab.history.name) ? lines : null;
    when(this.head, [intent, lab.chosen, ...intents.map(({ id }) => id)], () => [
      h("span", {}, `${lab.chosen || "A metric"} over the share of`),
      h("select", { "data-key": "mix-intent", "aria-label": "the intent whose share is drawn", onchange: (event) => this.take(event.target.value) },
        intents.map(({ id }) => h("option", { value: id, selected: id === intent }, id))),
      h("span", {}, "readers; the others keep their proportions")]);
    this.drawPicture(known);
    put(this.words, known?.words ?? (here ? "…" : "The lines need a kernel."));
    this.linesBox.toggleAttribute("data-pending", here && Boolean(lab.chosen) && known?.of !== lab.history.name);
  }

  /** @param {Lines | null} lines */
  drawPicture(lines) {
    const { wideLines: wide, share } = this;
    this.picture.hidden = !lines?.points;
    if (!lines?.points) return;
    const standing = this.shareNow();
    const { left, across } = acrossLines(wide);
    const at = left + standing.value * across;
    when(this.drawing, [lines, wide, standing.value], () => [drawing(/** @type {Required<Lines>} */ (lines), wide, standing.value)]);
    this.picture.style.width = `${wide}px`;
    stand(share, standing);
    share.style.left = `${at.toFixed(1)}px`;
    put(this.now, `now ${inPercent(standing.value)}`);
    this.now.style.cssText = standing.value > 0.5 ? `right:${(wide - at + 16).toFixed(1)}px` : `left:${(at + 16).toFixed(1)}px`;
  }

  /** Ask for the lines of this page, when its scores are there, and once. */
  ask() {
    const { lab, intent } = this;
    const { name, gesture } = lab.history;
    const { chosen: metric } = lab;
    const question = [name, metric, intent].join("\n");
    if (lab.pending || !metric || !lab.kernel.answers || question === this.asked) return;
    this.asked = question;
    clearTimeout(this.waits);
    const send = () => {
      if (lab.history.name !== name || lab.pending) return;
      // Lines of a page that is past stand, marked as such, until those of the next are there: a mix is followed while it moves.
      lab.request("lines", { of: name, metric, intent }, ({ result, error }) => lab.soon(() => {
        if (intent !== this.intent || metric !== lab.chosen) return;
        this.lines = { of: name, metric, intent, words: error, ...result };
        this.drawLines();
      }));
    };
    // A mix is followed while it moves; by a key held down elsewhere the scores are to be had first.
    this.waits = window.setTimeout(send, gesture ? 0 : QUIET);
  }
}

/** @param {Intent[]} intents */
function mostLikely(intents) {
  return intents.reduce((most, one) => (one.probability > most.probability ? one : most));
}

/** Places as near to those wanted as may be, so far from each other, and within the width.
 * @param {number[]} wanted ascending @param {number} wide */
function apart(wanted, wide) {
  const places = wanted.map((x) => Math.min(Math.max(x, APART / 2), wide - APART / 2));
  for (let i = 1; i < places.length; i += 1) places[i] = Math.max(places[i], places[i - 1] + APART);
  for (let i = places.length - 1, end = wide - APART / 2; i >= 0; i -= 1, end = places[i + 1] - APART) places[i] = Math.min(places[i], end);
  return places;
}

/** @param {number} share */
function inPercent(share) {
  return `${Number((100 * share).toFixed(1))} %`;
}
