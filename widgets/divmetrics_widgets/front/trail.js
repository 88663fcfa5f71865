// @ts-check
// In the table of scores above the lists: bars on one scale. An edit leaves a trail for a while: a mark where a bar ended
// before, and the difference of the two numbers that were shown. Beside them, for the document in hand, a line: its
// list's score at every rank that the document could take. A screen reader finds all this where it looks, and nothing calls it.

import { all, attribute, h, put, when } from "./common.js";
import { still } from "./flowing.js";
/** @import { Lab } from "./lab.js" */
/** @import { RankLine, Ranks, Scored, Side } from "./types.js" */

const TRAIL = 2000; // milliseconds that it is seen
const PAUSE = 120; // milliseconds that hands and kernel rest before the ranks are asked for
const [LINE_WIDE, LINE_HIGH] = [72, 26];


export class Trail {
  constructor(/** @type {Lab} */ lab) {
    this.lab = lab;
    this.words = h("p", { class: "dm-trail-words dm-quiet" });
    this.topic = ""; // that the scores shown last are of
    this.page = /** @type {string | undefined} */ ("");
    this.shown = /** @type {Map<string, string>} */ (new Map()); // the scores shown last, by metric and list
    this.fading = 0; // a timer
    this.asking = 0;
    this.ranks = /** @type {{ of?: string, side?: Side, doc?: string } & Partial<Ranks>} */ ({}); // what was told last
    this.hand = /** @type {{ side?: Side, doc?: string }} */ ({});
    this.goal = 0; // the rank at which the document would land, while it is dragged
    lab.ends.push(() => { clearTimeout(this.fading); clearTimeout(this.asking); });
    lab.root.addEventListener("focusout", ({ relatedTarget }) => {
      const to = relatedTarget instanceof Element && relatedTarget.closest(".dm-grid");
      if (!to && !lab.pressed && relatedTarget) this.hold({});
    });
  }

  /** A page has other numbers now. @param {string | undefined} of */
  forget(of) {
    if (this.ranks.of === of) this.ranks = {};
  }

  /** A document is in hand: with the focus, or lifted. @param {{ side?: Side, doc?: string }} hand */
  hold(hand) {
    if (hand.side === this.hand.side && hand.doc === this.hand.doc) return;
    this.hand = hand;
    this.drawLines();
  }

  /** It would land at this rank of its list, counted from 1; 0 for nowhere. @param {number} rank */
  aim(rank) {
    this.goal = rank;
    this.drawLines();
  }

  draw(/** @type {Scored[]} */ rows) {
    if (!this.lab.pending) this.leave(rows);
    this.drawLines();
  }

  /** The rows of the table of scores, as metrics are ordered. */
  get lines() {
    return all(this.lab.scoresBox, "tbody tr");
  }

  /** Bars as long as the scores and, where the last edit has changed them, what they were. @param {Scored[]} rows */
  leave(rows) {
    const { lab, shown } = this;
    const { name, page: { topic } } = lab.history;
    if (topic.id !== this.topic) shown.clear();
    const turned = name !== this.page;
    const trail = turned && shown.size > 0;
    [this.topic, this.page] = [topic.id, name];
    const before = new Map(shown);
    const { lines } = this;
    shown.clear();
    rows.forEach((row, at) => {
      if (!row.scores) return;
      const numbers = row.scores.map(Number);
      const was = row.scores.map((_, i) => before.get(`${row.metric}\n${i}`));
      const scale = scaleOf([...numbers, ...was.map((text) => Number(text ?? 0))]);
      const cells = all(lines[at], ".dm-score-cell");
      row.scores.forEach((text, i) => {
        shown.set(`${row.metric}\n${i}`, text);
        const [, , by, track] = cells[i].children;
        const [bar, ghost] = track.children;
        attribute(bar, "style", `--from:${scale(Math.min(0, numbers[i]))};--long:${scale(Math.abs(numbers[i])) - scale(0)}`);
        if (!turned) return;
        const old = trail && was[i] !== text ? was[i] : undefined;
        attribute(ghost, "style", old === undefined ? "" : `left:${100 * scale(Number(old))}%`);
        put(by, old === undefined ? "" : differenceShown(text, old));
      });
    });
    if (!trail || !turned) return;
    const { scoresBox } = this.lab;
    scoresBox.setAttribute("data-trail", "");
    clearTimeout(this.fading);
    if (!still.matches) this.fading = window.setTimeout(() => scoresBox.removeAttribute("data-trail"), TRAIL);
  }

  /** Are the ranks that are known those of the document in hand, and of this page? */
  asked() {
    const { lab, hand, ranks: { doc, of, side } } = this;
    const mine = hand.doc === doc && hand.side === side && doc !== undefined && lab.kernel.answers;
    return { mine, known: mine && of === lab.history.name && !lab.pending };
  }

  /** Lines of the page before stay until the new ones are there, as a shade. */
  shade() {
    const { known } = this.asked();
    for (const line of all(this.lab.scoresBox, ".dm-rank-line")) if (line.inert === known) line.inert = !known;
  }

  /** The lines of the document in hand, where they are those of this page. */
  drawLines() {
    const { lab, goal, ranks: { at, doc, first = 1, rows = [], side, words = "" } } = this;
    const { mine, known } = this.asked();
    for (const box of this.lines) {
      const lines = all(box, ".dm-rank-line")[0];
      const line = mine ? rows.find(({ metric }) => metric === box.dataset.metricRow) : undefined;
      if (lines && (known || !line)) when(lines, [line, first, at, goal], () => (line ? [lineOfRanks(line, first, at ?? 0, goal)] : []));
    }
    this.shade();
    const chosen = known ? rows.find(({ metric }) => metric === lab.chosen) : undefined;
    const there = goal && chosen && at !== goal ? chosen.scores[goal - first] : undefined;
    put(this.words, there !== undefined ? `${doc} at rank ${goal}: ${lab.chosen} of list ${side} would be ${there}.` : known ? [chosen?.words, words].filter(Boolean).join(" ") : "");
    if (!known) this.ask();
  }

  ask() {
    const { lab, hand: { side, doc } } = this;
    clearTimeout(this.asking);
    if (!side || !doc || lab.pending || !lab.kernel.answers || !lab.history.page.lists[side].includes(doc)) return;
    const of = lab.history.name;
    this.asking = window.setTimeout(() => {
      if (lab.pending || of !== lab.history.name) return; // asked again when the numbers are there
      lab.askAbout("ranks", { side, doc }, ({ result }) => {
        if (!result) return;
        this.ranks = { ...result, of, side, doc };
        this.drawLines();
      });
    }, PAUSE);
  }
}

/** By how much a number that is shown differs from the one before it. @param {string} now @param {string} before */
function differenceShown(now, before) {
  const by = (Number(now) - Number(before)).toFixed(4);
  return by.startsWith("-") ? by.replace("-", "−") : `+${by}`;
}

/** From a score to its place on a scale that has 0, and 1 or what is next to the largest of 1, 2, 5, 10, ...
 * @param {number[]} values @returns {(value: number) => number} */
function scaleOf(values) {
  const end = (/** @type {number} */ value) => {
    if (value <= 1) return value > 0 ? 1 : 0;
    const ten = 10 ** Math.floor(Math.log10(value));
    return ten * ([1, 2, 5].find((step) => step * ten >= value) ?? 10);
  };
  const [low, high] = [-end(-Math.min(...values)), Math.max(end(Math.max(...values)), 0)];
  const wide = high - low || 1;
  return (value) => Math.round(1e4 * (value - low) / wide) / 1e4;
}

/** A list's score over the ranks of the document in hand: where it stands is a dot, where it would land a line.
 * @param {RankLine} line @param {number} first @param {number} at @param {number} goal */
function lineOfRanks({ scores, heights, words }, first, at, goal) {
  const step = heights.length > 1 ? (LINE_WIDE - 8) / (heights.length - 1) : 0;
  const x = (/** @type {number} */ rank) => (4 + step * (rank - first)).toFixed(1);
  const y = (/** @type {number} */ rank) => (LINE_HIGH - 4 - (LINE_HIGH - 8) * heights[rank - first]).toFixed(1);
  const ranks = heights.map((_, i) => first + i);
  const best = ranks.filter((rank) => heights[rank - first] === 1);
  const told = `${words} By rank: ${ranks.map((rank, i) => `${rank}: ${scores[i]}`).join(", ")}.`;
  const drawn = h("div", { role: "img", "aria-label": told, title: told });
  drawn.innerHTML = `<svg viewBox="0 0 ${LINE_WIDE} ${LINE_HIGH}" width="${LINE_WIDE}" height="${LINE_HIGH}" aria-hidden="true">
    ${goal >= first && goal < first + heights.length ? `<line class="dm-line-goal" x1="${x(goal)}" x2="${x(goal)}" y1="0" y2="${LINE_HIGH}"/>` : ""}
    <polyline points="${ranks.map((rank) => `${x(rank)},${y(rank)}`).join(" ")}"/>
    ${best.map((rank) => `<path class="dm-line-best" d="M${x(rank)} ${Number(y(rank)) - 4}l3 4h-6z"/>`).join("")}
    <circle cx="${x(at)}" cy="${y(at)}" r="3.2"/></svg>`;
  return drawn;
}
