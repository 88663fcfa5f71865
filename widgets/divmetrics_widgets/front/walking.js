// @ts-check
// A metric's readers walk down a list: step, back, play, and what every rank's basket holds. Python sends the
// numbers and the words of every step; here they are drawn, and a step needs no kernel.

import { all, attribute, closest, h, keepingFocus, mark, named, put, zoomOf } from "./common.js";
import { marksAt } from "./marks.js";
import { tile, tradeOff } from "./walk_pictures.js";
/** @import { Mark, On, Track, Walk } from "./types.js" */

const SPEEDS = { slow: 3000, normal: 1500, fast: 600 }; // milliseconds for a rank
const FLIGHT = 350;

export class Walking {
  /** @param {Mark[]} every mark that there is @param {(step: number) => void} moved told of each step that a reader makes */
  constructor(every, moved) {
    this.every = every;
    this.marks = /** @type {Mark[]} */ ([]); // of the walk's intents, in their order
    this.moved = moved;
    this.walk = /** @type {Walk | null} */ (null);
    this.step = 0;
    this.timer = 0;
    this.drawn = /** @type {((step: number) => void)[]} */ ([]);
    const button = (/** @type {string} */ key, /** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ onclick) =>
      h("button", { "data-key": `walk-${key}`, "aria-label": label, title: label, onclick }, sign);
    this.play = button("play", "play", "play or pause (space)", () => this.toggle());
    this.slider = h("input", { type: "range", min: 0, step: 1, "data-key": "walk-rank", "aria-label": "rank", oninput: ({ target }) => this.take(Number(target.value)) });
    this.speed = h("select", { "data-key": "walk-speed", "aria-label": "speed" }, Object.keys(SPEEDS).map((name) => h("option", { value: name, selected: name === "normal" }, name)));
    this.place = h("span", { class: "dm-quiet dm-walk-place" });
    this.reader = h("p", { class: "dm-reader" });
    this.stage = h("div", { class: "dm-stage" });
    this.list = h("div", {});
    this.told = h("p", { class: "dm-words dm-walk-words", role: "status", "aria-live": "polite" });
    this.box = h("div", { class: "dm-walk", role: "group", tabindex: 0, "aria-label": "a walk down the list; arrow keys step, space plays", "data-key": "walk", onkeydown: (event) => this.pressed(event) },
      this.reader,
      h("div", { class: "dm-row dm-walk-hands" },
        button("first", "|◀", "before the first rank (Home)", () => this.take(0)),
        button("back", "◀ back", "one rank back (arrow left)", () => this.take(this.step - 1)),
        this.play,
        button("next", "step ▶", "one rank on (arrow right)", () => this.take(this.step + 1)),
        button("last", "▶|", "to the end (End)", () => this.take(this.last)),
        this.speed, this.slider, this.place),
      this.told, this.stage, this.list);
  }

  get last() {
    return this.walk?.ranks ?? 0;
  }

  /** Another walk, of which the reader has seen so many ranks. @param {Walk} walk @param {number} step */
  show(walk, step) {
    if (this.walk !== walk) keepingFocus(this.box, () => this.draw(walk));
    this.go(Math.min(step, this.last), false);
  }

  draw(/** @type {Walk} */ walk) {
    this.walk = walk;
    this.marks = marksAt(this.every, walk.intents.map((intent) => intent.mark));
    this.drawn = [];
    put(this.reader, walk.reader);
    attribute(this.slider, "max", walk.ranks);
    this.stage.replaceChildren(...walk.tracks.map((track) => this.track(walk, track)));
    if (walk.gamma) {
      const { box, at } = tradeOff(walk.gamma, walk.totals);
      this.drawn.push(at);
      this.stage.append(box);
    }
    this.list.replaceChildren(this.table(walk));
  }

  track(/** @type {Walk} */ walk, /** @type {Track} */ track) {
    const tiles = track.groups.map((group, g) => {
      const { box, at } = tile(this.marks, track, g, walk.ranks);
      this.drawn.push(at);
      return { box, in: group.box };
    });
    const state = h("span", { class: "dm-walk-state", "data-state": "" });
    const said = h("span", {});
    const meter = h("span", { class: "dm-meter-bar" });
    const costs = track.costs.length ? h("span", { class: "dm-meter", "data-meter": "" }, said, h("span", { class: "dm-meter-box" }, meter)) : null;
    this.drawn.push((step) => {
      put(state, track.state[step]);
      if (!costs) return;
      put(said, `effort so far ${track.costs[step]}`);
      meter.style.width = `${100 * track.effort[step] / Math.max(track.effort[walk.ranks], 1e-12)}%`;
    });
    const boxes = [...new Set(tiles.map((each) => each.in))];
    const inside = boxes.map((box) => {
      const mine = tiles.filter((each) => each.in === box).map((each) => each.box);
      if (box === null) return h("div", { class: "dm-tiles" }, mine);
      return h("div", { class: "dm-box" }, h("div", { class: "dm-box-name" }, mark(this.marks, box), " ", walk.intents[box].id), h("div", { class: "dm-tiles" }, mine));
    });
    return h("section", { class: "dm-track", "data-picture": track.picture, "aria-label": track.heading || walk.metric },
      h("div", { class: "dm-track-head" }, track.heading ? h("b", {}, track.heading) : null, state, costs), h("div", { class: "dm-boxes" }, inside), this.legend(walk, track));
  }

  /** What is drawn beside the readers' own. @param {Walk} walk @param {Track} track */
  legend(walk, track) {
    const closed = walk.closed.length && track.groups[0].place === null ? h("span", { "data-closed": "" }) : null;
    if (closed) {
      this.drawn.push((step) => {
        const names = walk.intents.filter((_, place) => walk.closed[place][step]).map(({ id }) => id);
        put(closed, names.length ? `Closed, because a page was found: ${names.join(", ")}.` : "No navigational intent is closed yet.");
      });
    }
    /** @type {Record<string, string>} */
    const told = {
      leave: "each mark is one of a hundred readers; an outline is one who has left",
      fade: "each mark is one of a hundred readers; it shrinks with the interest that is left",
      counters: track.found.length ? "a mark for each relevant document; below, what has been found (filled) beside what the ideal list has by then (outline)" : "a mark for each relevant document",
      piles: track.ideals.length ? "left, what each rank adds; right, the same for the ideal list" : "what each rank adds",
      stop: "the larger the mark, the higher the grade; the line is where the reader would stop, given what has been read",
      doors: "a door for each intent",
      blocks: "the page: the height of a block is the effort of reading it",
    };
    return h("div", { class: "dm-quiet dm-legend-line" }, told[track.picture], closed ? [". ", closed] : null, walk.rule ? `. ${walk.rule}` : null);
  }

  table(/** @type {Walk} */ walk) {
    const best = walk.tracks.find((track) => track.best.length)?.best ?? [];
    const sums = Array.from({ length: walk.ranks }, (_, k) => walk.filled.reduce((sum, row) => sum + Math.max(row[k], 0), 0));
    const top = Math.max(...sums, ...walk.costs, ...best.map(({ value }) => value), 1e-12);
    const width = (/** @type {number} */ value) => `width:${(100 * value / top).toFixed(3)}%`;
    const parts = (/** @type {number} */ k) => walk.filled.map((row, place) => {
      if (row[k] <= 0) return null;
      const part = h("span", { class: "dm-part", style: width(row[k]), title: walk.intents[place].id });
      part.style.setProperty("--colour", this.marks[place][0]);
      part.style.setProperty("--mark", mark(this.marks, place).style.backgroundImage); // as far as there is room for it
      return part;
    });
    const ideal = (/** @type {number} */ k) => best[k] && h("td", { class: "dm-best-cell", "data-ideal": k + 1 },
      h("div", { class: "dm-best-doc" }, h("span", {}, best[k].doc), h("span", { class: "dm-number" }, best[k].text)),
      h("span", { class: "dm-basket" }, h("span", { class: "dm-part dm-best-part", style: width(best[k].value) })));
    const rows = walk.docs.map((doc, k) => {
      const cost = walk.costs[k] > 0 ? h("span", { class: "dm-part dm-cost-part", style: width(walk.costs[k]), title: "effort" }) : null;
      const labels = doc.grades.map((grade, place) => (grade ? h("span", { class: "dm-nowrap dm-chip", title: walk.intents[place].label || walk.intents[place].id }, mark(this.marks, place), grade) : null));
      return h("tr", { "data-rank": k + 1 },
        h("th", { scope: "row" }, h("span", { class: "dm-here-sign", "aria-hidden": "true" }, "▸"), k + 1),
        h("td", { class: "dm-walk-doc", title: doc.about || null }, doc.id ? [named(doc.id, doc.about), " ", labels] : h("i", {}, "the list has ended")),
        walk.worth.length ? h("td", { class: "dm-number dm-worth", "data-worth": k + 1 }, walk.worth[k]) : null,
        h("td", { class: "dm-basket-cell" }, h("span", { class: "dm-basket" }, parts(k)), cost ? h("span", { class: "dm-basket dm-cost-basket" }, cost) : null),
        h("td", { class: "dm-number", "data-basket": k + 1 }, walk.baskets[k]),
        best.length ? ideal(k) ?? h("td", {}) : null);
    });
    const sum = h("td", { class: "dm-number", "data-walk-score": "" });
    this.drawn.push((step) => {
      put(sum, walk.running[step]);
      rows.forEach((row, k) => {
        attribute(row, "class", k < step ? (k === step - 1 ? "dm-walked dm-at-rank" : "dm-walked") : "dm-ahead");
      });
    });
    return h("table", { class: "dm-walk-list", "aria-label": "the list and its baskets" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "rank"), h("th", { scope: "col", class: "dm-walk-doc" }, "document"), walk.worth.length ? h("th", { scope: "col", class: "dm-number dm-worth", title: "what the rank counts for" }, "worth") : null, h("th", { scope: "col", class: "dm-basket-cell" }, "basket"), h("th", { scope: "col", class: "dm-number" }, "holds"), best.length ? h("th", { scope: "col", class: "dm-best-cell" }, "the ideal list") : null)),
      h("tbody", {}, rows),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: walk.worth.length ? 4 : 3 }, `the sum so far; in the end ${walk.metric} = ${walk.score}`), sum, best.length ? h("td", {}) : null)));
  }

  /** A step that the reader makes by hand. */
  take(/** @type {number} */ step) {
    this.pause();
    this.go(step, true);
  }

  /** Show the state after so many ranks; everything is there at once, and what flies only follows.
   * @param {number} to @param {boolean} told */
  go(to, told) {
    const { walk } = this;
    if (!walk) return;
    const step = Math.max(0, Math.min(walk.ranks, to));
    const from = this.step;
    this.step = step;
    for (const late of all(this.box, ".dm-flying")) late.remove();
    for (const at of this.drawn) at(step);
    this.slider.value = String(step);
    attribute(this.slider, "aria-valuetext", step ? `rank ${step} of ${walk.ranks}` : "before the first rank");
    put(this.place, step ? `rank ${step} of ${walk.ranks}` : `${walk.ranks} ranks`);
    put(this.told, walk.words[step]);
    attribute(this.box, "data-step", step);
    if (told && step !== from) this.moved(step);
    // Where things are is asked when all is drawn: the step itself does not wait for it.
    if (told && step === from + 1) requestAnimationFrame(() => { if (this.step === step) this.fly(step); });
  }

  /** Who is satisfied goes into the basket. */
  fly(/** @type {number} */ step) {
    const basket = this.list.querySelector(`tr[data-rank="${step}"] .dm-basket`);
    if (!this.walk || !basket || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const to = basket.getBoundingClientRect();
    const home = this.box.getBoundingClientRect();
    const zoom = zoomOf(this.box);
    const tracks = all(this.stage, ".dm-track");
    this.walk.tracks.forEach((track, t) => {
      if (track.picture !== "leave") return;
      all(tracks[t], ".dm-tile").forEach((tile, g) => {
        const share = track.satisfied[g][step - 1];
        if (share <= 0) return;
        const from = /** @type {Element} */ (tile.querySelector("svg")).getBoundingClientRect();
        const { place } = track.groups[g];
        const flying = h("span", { class: "dm-flying", "aria-hidden": "true" });
        flying.style.width = flying.style.height = `${8 + 40 * Math.sqrt(share)}px`;
        flying.style.background = place === null ? "#0072B2" : this.marks[place][0];
        this.box.append(flying);
        const at = (/** @type {DOMRect} */ { left, top, width, height }) => `translate(${(left - home.left + width / 2) / zoom}px, ${(top - home.top + height / 2) / zoom}px)`;
        const flight = flying.animate([{ transform: at(from), opacity: 0.9 }, { transform: at(to), opacity: 0.4 }], { duration: FLIGHT, easing: "ease-in" });
        flight.onfinish = () => flying.remove();
        flight.oncancel = () => flying.remove();
      });
    });
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.step === this.last) this.go(0, true);
    else this.go(this.step + 1, true);
    this.wait();
  }

  wait() {
    put(this.play, "pause");
    const speed = /** @type {keyof typeof SPEEDS} */ (this.speed.value);
    this.timer = setTimeout(() => {
      this.go(this.step + 1, true);
      if (this.step < this.last) this.wait();
      else this.pause();
    }, SPEEDS[speed]);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    put(this.play, "play");
  }

  pressed(/** @type {On<KeyboardEvent>} */ event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
    const onButton = closest(event.target, "button");
    if (onButton && (event.key === " " || event.key === "Enter")) return;
    /** @type {Record<string, () => void>} */
    const does = {
      ArrowRight: () => this.take(this.step + 1), ArrowDown: () => this.take(this.step + 1),
      ArrowLeft: () => this.take(this.step - 1), ArrowUp: () => this.take(this.step - 1),
      Home: () => this.take(0), End: () => this.take(this.last), " ": () => this.toggle(),
    };
    if (!(event.key in does)) return;
    event.preventDefault();
    event.stopPropagation();
    does[event.key]();
  }
}
