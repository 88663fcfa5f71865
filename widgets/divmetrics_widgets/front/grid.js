// @ts-check
// One ranked list as a grid: documents down, intents across, each label a button.

import { attribute, fixed, h, mark, named, pictureOf, put, same, short, sum, tint, when } from "./common.js";
import { grabbed } from "./drag.js";
import { byId, gradeAt, gradeOf } from "./edits.js";
import { clicked, focused, pressed, rove } from "./hands.js";
/** @import { Bench } from "./bench.js" */
/** @import { Child, Doc, Intent, Label, Measured, Side, Subtopic, Topic } from "./types.js" */

const GAP = 32; // pixels between two lists
const [RANK, EARNS] = [44, 56]; // pixels of a row for its rank, and for what it earns
const [SLIM, SLIM_RANK, SLIM_EARNS] = [420, 39, 50]; // and where there are no more than so many
const ROOM = 76; // at least for the document
const TITLE = 110; // at least for a document that shows what it is about
const BESIDE = 130; // and where its list stands beside another
const ONE_LINE = 340; // for most of them on a single line: more than that is for the labels
const NUMBER = 50; // for a label with what it earns
const PASSAGE = 60; // letters: a longer text is a passage, where a tint behind some words would look like a quotation
const [LEAN, LEANEST] = [30, 26]; // for a mark and a grade alone
const BOTH_LEVELS = 190; // pixels for a label with its subtopics, before a title gets a line
const FIRST_LINE = 240; // pixels for the first line of a document whose labels stand below it: its rank, what it earns, its buttons
/** @type {Label} */
const NOTHING = { cells: [], sum: 0 };

/** How two lists fit into a width: side by side or stacked.
 * @param {number} width @param {Topic} topic @param {boolean} levels @param {boolean} titled do documents show what they are about? */
export function layoutOf(width, topic, levels, titled) {
  const beside = (width - GAP) / 2;
  const count = topic.intents.length;
  const stacked = levels || (titled ? beside - RANK - EARNS - count * LEAN < BESIDE : (beside - RANK - EARNS - ROOM) / count < 34);
  return { stacked, ...columnsOf(stacked ? width : beside, topic, levels, titled) };
}

/** How one list fits into a width: how wide a label is, how many decimals it holds, whether words are left out.
 * Labels are as wide as each other, but for where titles need what the shorter of their names can spare; where titles need
 * all, labels are lean: a mark and a grade, and what they earn stands in the row's block and below the list.
 * @param {number} width @param {Topic} topic @param {boolean} levels @param {boolean} [titled] may labels be narrower, so that titles are read? */
export function columnsOf(width, topic, levels, titled = false) {
  const count = topic.intents.length;
  const ends = width < SLIM ? [SLIM_RANK, SLIM_EARNS] : [RANK, EARNS];
  const all = width - sum(ends); // for the document and its labels
  const room = Math.floor((all - ROOM) / count);
  const names = topic.intents.map((t) => t.id.length * 8.4 + 26);
  const named = Math.max(...names);
  const wanted = Math.min(room, Math.max(room < named ? 0 : named, 56));
  const flat = titled && !levels;
  const owns = names.map((name) => Math.max(NUMBER, name));
  const own = flat && all - count * wanted < ONE_LINE && all - sum(owns) >= ONE_LINE;
  const numbers = flat && !own && all - count * wanted < ONE_LINE;
  const lean = numbers && all - count * NUMBER < ONE_LINE;
  const leanest = Math.max(LEANEST, Math.min(LEAN, Math.floor((all - TITLE) / count)));
  const family = room - Math.floor(60 / count);
  const column = levels ? Math.min(family, titled ? Math.max(BOTH_LEVELS, Math.floor((all - ONE_LINE) / count)) : family) : lean ? leanest : numbers ? NUMBER : wanted;
  const widths = own ? owns : names.map(() => column);
  const signs = numbers && column < named; // heads are marks alone, as in lean labels
  const upright = !own && !signs && column < named;
  const narrow = all - sum(widths) < TITLE;
  // With dozens of intents there is room for marks and grades: a label's tint and its title say what it earns.
  return { ...spelt(column), widths, ends, upright, narrow, lean, signs, levels, places: topic.intents.map((_, place) => place), folded: /** @type {string[]} */ ([]), lines: 1, scrolls: false, slim: false };
}

/** How many decimals a label holds, if any. @param {number} column */
function spelt(column) {
  return { column, decimals: column >= NUMBER ? 4 : column >= 42 ? 3 : 2, tight: column < 28 };
}

/** How two lists with dozens of labels fit: these on a line of their own, below the document; those that are folded away
 * have no column, and where the others have no room they scroll.
 * @param {number} width @param {Topic} topic @param {boolean} levels @param {string[]} folded */
export function crowdedLayout(width, topic, levels, folded) {
  const beside = (width - GAP) / 2;
  const stacked = levels || beside < FIRST_LINE || beside / unfolded(topic, folded).length < 34;
  return { stacked, ...crowdedColumns(stacked ? width : beside, topic, levels, folded) };
}

/** How one such list fits. @param {number} width @param {Topic} topic @param {boolean} levels @param {string[]} folded */
export function crowdedColumns(width, topic, levels, folded) {
  const places = unfolded(topic, folded);
  const least = levels ? 60 : 24;
  const column = Math.min(Math.max(least, Math.floor(width / places.length)), levels ? width : 56);
  const named = Math.max(...topic.intents.map((t) => t.id.length)) * 8.4 + 26;
  return { ...spelt(column), widths: places.map(() => column), ends: [RANK, EARNS], upright: column < named, narrow: false, lean: false, signs: false, levels, places, folded, lines: 2, scrolls: column * places.length > width, slim: width < 340 };
}

/** @param {Topic} topic @param {string[]} folded */
function unfolded(topic, folded) {
  return topic.intents.flatMap((intent, place) => (folded.includes(intent.id) ? [] : [place]));
}

/** A ranked list as a table that lasts: an edit changes what it must, so that a move costs no more than a move.
 * Where the view says `sameDocs`, documents move and are graded, but none comes or goes. */
export class Grid {
  constructor(/** @type {Bench<any>} */ view, /** @type {Side} */ side) {
    this.view = view;
    this.side = side;
    this.rows = /** @type {Map<string, ReturnType<typeof docRow>>} */ (new Map()); // by document
    this.frame = /** @type {unknown[]} */ ([]); // what all was drawn from
    this.drawn = /** @type {unknown[]} */ ([]); // and the rows
    this.docs = /** @type {string[]} */ ([]); // as they stand on the screen
    this.top = 0;
    this.head = h("thead");
    this.body = h("tbody");
    this.foot = h("tfoot");
    this.table = h("table", {
      class: "dm-grid",
      role: "grid",
      "data-list": side,
      onkeydown: (event) => pressed(event, view, side),
      onclick: (event) => clicked(event, view, side),
      onpointerdown: (event) => grabbed(event, view, side),
      onfocusin: (event) => focused(event, view, side),
    }, this.head, this.body, this.foot);
  }

  draw() {
    const { view, side } = this;
    const { page } = view.history;
    const docs = page.lists[side];
    const frame = [page.topic, JSON.stringify(view.layout)];
    if (!same(this.frame, frame)) {
      this.frame = frame;
      this.rows.clear();
      const { ends: [rank, earns], lean, signs, lines, scrolls, tight, widths } = view.layout;
      // Where no label can be given, those that there are stand beside each other, and titles have the room of the others.
      const packed = lean && view.alone;
      const labels = packed ? `repeat(${widths.length}, auto)` : widths.map((width) => `${width}px`).join(" ");
      this.table.classList.toggle("dm-tight", tight && !lean);
      this.table.classList.toggle("dm-lean", lean);
      this.table.classList.toggle("dm-packed", packed);
      this.table.classList.toggle("dm-signs", signs);
      this.table.classList.toggle("dm-lines", lines === 2);
      this.table.classList.toggle("dm-scrolls", scrolls);
      this.table.style.setProperty("--columns", lines === 2 ? labels : `${rank}px minmax(0, 1fr) ${labels} ${earns}px`);
      this.table.style.setProperty("--printed", `28px minmax(0, 1fr) repeat(${widths.length}, ${packed ? "auto" : "24px"}) 44px`);
      this.table.style.setProperty("--labels", `${(packed ? Math.min(2, widths.length) * LEANEST : sum(widths)) + earns}px`); // right of what is drawn behind the documents
    }
    const drawn = [...frame, docs, page.docs, view.cutoff];
    if (!same(this.drawn, drawn)) {
      this.drawn = drawn;
      this.docs = docs;
      this.table.setAttribute("aria-label", `list ${side}, ${docs.length} documents`);
      this.table.classList.toggle("dm-passages", page.docs.some(({ about }) => about.length > PASSAGE));
      const rows = docs.map((id, at) => this.row(id, at));
      for (const id of this.rows.keys()) if (!docs.includes(id)) this.rows.delete(id);
      order(this.body, rows.length ? rows : [emptyRow()]);
    }
    when(this.head, [...frame, view.chosen], () => [headRow(view)]);
    this.measure();
    if (!this.table.querySelector('tbody [tabindex="0"]')) rove(this.table, view.active[side]);
  }

  /** The row of a document, drawn anew only if more than its grades is another. @param {string} id @param {number} at */
  row(id, at) {
    const { view, side } = this;
    const { page } = view.history;
    const doc = byId(page.docs, id);
    const before = this.rows.get(id);
    const line = before && regraded(before, doc, view) ? before : docRow(view, side, doc);
    const { element, rank, grip, up, down } = line;
    this.rows.set(id, line);
    attribute(element, "class", view.cutoff && at === view.cutoff ? "dm-below" : "");
    if (element.dataset.rank !== String(at + 1)) {
      element.dataset.rank = String(at + 1);
      put(rank, at + 1);
      grip.setAttribute("aria-label", `${id}, rank ${at + 1} of list ${side}; Alt and arrow keys move it`);
    }
    attribute(up, "aria-disabled", at === 0);
    attribute(down, "aria-disabled", at === page.lists[side].length - 1);
    return element;
  }

  /** What each label earns, in its place. */
  measure() {
    const { view, side } = this;
    const measured = view.measured[side];
    const { intents } = view.history.page.topic;
    const sameTop = this.top === view.top; // else every tint is another
    this.top = view.top;
    for (const [id, row] of this.rows) {
      const found = measured?.docs.get(id) ?? NOTHING;
      const before = row.measured;
      if (before === found) continue;
      row.measured = found;
      row.labels.forEach((label, i) => {
        const place = view.layout.places[i];
        const earned = found.cells[place] ?? 0;
        const known = before && (before.cells[place] ?? 0) === earned && (sameTop || !earned);
        if (!known) tellLabel(label, view, row.doc, intents[place], earned, place);
      });
      put(row.sum, short(found.sum, 4));
    }
    const sums = sumsOf(view, measured);
    when(this.foot, [...this.frame, ...sums.map(({ name }) => name)], () => sums.map((row) => sumRow(view, row)));
    this.lay();
    sums.forEach(({ cells, sum: all }, at) => {
      const [, ...numbers] = this.foot.children[at].children;
      const texts = [...view.layout.places.map((place) => short(cells[place], view.layout.lean ? 4 : view.layout.decimals)), all];
      for (const [i, text] of texts.entries()) put(numbers[i], text);
    });
  }

  /** The list is a sum that is seen: each row lays down what it earns where the row above it ended, and below the list lies
   * all that there is. Where a document costs something, its block goes back and has no intent's colour. */
  lay() {
    const { view, side } = this;
    if (view.layout.lines === 2) return;
    const docs = view.measured[side]?.docs;
    const { marks, scale } = view;
    const drawn = (/** @type {[number, number, string][]} */ parts) => parts.map(([from, to, colour]) => `transparent ${from}%,${colour} ${from}% ${to}%,transparent ${to}%`).join();
    const at = (/** @type {number} */ value) => Number((100 * Math.max(0, value) / scale).toFixed(2));
    let sofar = 0;
    const whole = /** @type {[number, number, string][]} */ ([]);
    for (const id of this.docs) {
      const { cells, sum: all } = docs?.get(id) ?? NOTHING;
      const costs = cells.some((value) => value < 0);
      const own = /** @type {[number, number, string][]} */ ([]);
      if (costs && all) own.push([at(Math.min(sofar, sofar + all)), at(Math.max(sofar, sofar + all)), "var(--dm-loser)"]);
      else cells.reduce((end, value, place) => {
        if (value) own.push([at(end), at(end + value), blockColour(marks[place]?.[0] ?? "#767676")]);
        return end + value;
      }, sofar);
      sofar += all;
      whole.push(...own);
      attribute(/** @type {Element} */ (this.rows.get(id)?.element), "style", own.length ? `--block:${drawn(own)}` : "");
    }
    const foot = this.foot.lastElementChild;
    if (foot) attribute(foot, "style", whole.length ? `--block:${drawn(whole)}` : "");
  }
}

/** The colour of a block for a mark: a white mark has an edge, and a block has none. @param {string} colour */
function blockColour(colour) {
  return colour === "#FFFFFF" ? "color-mix(in srgb, var(--dm-ink) 22%, var(--dm-ground))" : colour;
}

/** Put rows into this order; where a move takes the focus away, the row that has it stays where it is, and the others
 * move around it. @param {Element} body @param {Element[]} rows */
function order(body, rows) {
  const kept = new Set(rows);
  for (const row of [...body.children]) if (!kept.has(row)) row.remove();
  const keeps = Reflect.has(body, "moveBefore"); // browsers that move an element with its focus and its styles
  let next = body.firstChild;
  for (const row of rows) {
    while (!keeps && next && next !== row && row.contains(document.activeElement)) {
      const later = next;
      next = next.nextSibling;
      body.append(later);
    }
    if (next === row) next = next.nextSibling;
    else if (keeps && row.parentElement === body) /** @type {any} */ (body).moveBefore(row, next);
    else body.insertBefore(row, next);
  }
}

/** Put new grades into a row that stands, so that the button under a hand stays the same one; false where the row has to be
 * drawn anew. @param {ReturnType<typeof docRow>} row @param {Doc} doc @param {Bench<any>} view */
function regraded(row, doc, view) {
  const { doc: before } = row;
  if (before === doc) return true;
  if (view.levels || !before.grades || !doc.grades || before.about !== doc.about) return false;
  row.doc = doc;
  row.measured = null;
  const { intents } = view.history.page.topic;
  row.labels.forEach((label, i) => {
    const place = view.layout.places[i];
    const grade = gradeOf(doc, intents[place]);
    if (label.dataset.grade === String(grade)) return;
    label.dataset.grade = String(grade);
    label.classList.toggle("dm-none", !grade);
    label.parentElement?.classList.toggle("dm-blank", !grade);
    gradeOn(label).replaceChildren(...gradeShown(view, doc, grade, place));
  });
  return true;
}

function headRow(/** @type {Bench<any>} */ view) {
  const { intents } = view.history.page.topic;
  const hidden = (/** @type {string} */ text) => h("span", { class: "dm-hidden" }, text);
  const head = (/** @type {Intent} */ intent, /** @type {number} */ place) =>
    h("th", { scope: "col", role: "columnheader", "data-of": intent.id, class: view.layout.upright ? "dm-upright" : null, title: intent.label || intent.id },
      h("div", {}, mark(view.marks, place), h("span", {}, intent.id)));
  return h("tr", { role: "row" },
    h("th", { role: "columnheader", class: "dm-rank" }, hidden("rank and handle")),
    h("th", { role: "columnheader" }, "document"),
    view.layout.places.map((place) => head(intents[place], place)),
    h("th", { role: "columnheader", class: "dm-number", title: `what the rank adds to ${view.chosen}` }, "earns"),
    h("th", { role: "columnheader" }, hidden("move, copy, remove")));
}

function emptyRow() {
  return h("tr", { role: "row" }, h("td", { role: "gridcell", class: "dm-quiet dm-whole" }, "no documents: add one below"));
}

/** The row of a document: what it is drawn from, and the parts that change.
 * @param {Bench<any>} view @param {Side} side @param {Doc} doc */
function docRow(view, side, doc) {
  const { id } = doc;
  const button = (/** @type {string} */ name, /** @type {Child} */ text, /** @type {string} */ label) =>
    h("button", { class: "dm-bare", tabindex: -1, "data-do": name, "data-key": `${side}|${id}|${name}`, "aria-label": label, title: label }, text);
  const rank = h("span", { class: "dm-rank-number" });
  const grip = h("button", { class: "dm-bare dm-grip", tabindex: -1, "data-do": "grip", "data-key": `${side}|${id}|grip`, title: "drag, or Alt+Up and Alt+Down" }, rank);
  const up = button("up", "▲", `move ${id} up`);
  const down = button("down", "▼", `move ${id} down`);
  const fixedDocs = view.sameDocs || view.alone;
  const { intents } = view.history.page.topic;
  const cells = view.layout.places.map((place) => labelCell(view, side, doc, intents[place], place));
  const sum = h("td", { role: "gridcell", class: "dm-number dm-sum", "data-earned": id });
  const element = h("tr", { role: "row", "data-doc": id },
    h("td", { role: "gridcell", class: "dm-rank" }, grip),
    h("td", { role: "gridcell", class: "dm-doc", title: doc.about || null },
      named(id, doc.about),
      doc.grades === null ? h("span", { class: "dm-quiet", title: "never judged: counts as not relevant" }, " ?") : null),
    cells.map(({ cell }) => cell),
    sum,
    h("td", { role: "gridcell", class: "dm-actions" }, up, down,
      fixedDocs ? null : button("copy", h("span", { class: "dm-copy", "aria-hidden": "true" }), `copy ${id}: a new document with the same labels`),
      fixedDocs ? null : button("remove", "✕", `remove ${id} from list ${side}`)));
  return { doc, element, rank, grip, up, down, labels: cells.map(({ label }) => label), sum, measured: /** @type {Label | null} */ (null) };
}

/** @param {Bench<any>} view @param {Side} side @param {Doc} doc @param {Intent} intent @param {number} place */
function labelCell(view, side, doc, intent, place) {
  const grade = gradeOf(doc, intent);
  const { lean } = view.layout;
  const shown = gradeShown(view, doc, grade, place);
  const label = h("button", {
    class: `dm-label${lean ? " dm-grade" : ""}${grade ? "" : " dm-none"}${view.levels && intent.children.length ? " dm-low" : ""}`,
    tabindex: -1,
    "data-do": "grade",
    "data-intent": intent.id,
    "data-grade": grade,
    "data-key": `${side}|${doc.id}|${intent.id}`,
  }, lean ? shown : [h("span", { class: "dm-grade" }, shown), h("small")]);
  const children = view.levels ? intent.children.filter((child) => !view.layout.folded.includes(`${intent.id}/${child.id}`)).map((child) => childButton(side, doc, intent, child)) : null;
  return { label, cell: h("td", { role: "gridcell", class: grade ? "dm-cell" : "dm-cell dm-blank" }, label, children && h("div", { class: "dm-children" }, children)) };
}

/** The id of an intent, and its label where the id is only a number. @param {Intent} intent */
export function withLabel({ id, label }) {
  return label && !Number.isNaN(Number(id)) ? `${id} (${label})` : id;
}

/** Where a label has its mark and its grade: a lean one has nothing else. @param {HTMLElement} label */
export function gradeOn(label) {
  return label.querySelector(".dm-grade") ?? label;
}

/** @param {Bench<any>} view @param {Doc} doc @param {number} grade @param {number} place @returns {(Node | string)[]} */
function gradeShown(view, doc, grade, place) {
  return grade ? [mark(view.marks, place), String(grade)] : [doc.grades === null ? "?" : "·"];
}

/** What a label is and earns, in figures, as a tint, and in words.
 * @param {HTMLElement} button @param {Bench<any>} view @param {Doc} doc @param {Intent} intent
 * @param {number} earned @param {number} place of the intent */
function tellLabel(button, view, doc, intent, earned, place) {
  const grade = gradeOf(doc, intent);
  const what = doc.grades === null ? "never judged" : grade ? `grade ${grade}` : "not relevant";
  const name = withLabel(intent);
  const tells = earned ? `${name}: ${what}, earns ${fixed(earned, 4)}` : `${name}: ${what}`;
  if (!view.layout.lean) put(/** @type {Node} */ (button.lastChild), short(earned, view.layout.decimals));
  if (button.title !== tells) {
    button.title = tells;
    button.setAttribute("aria-label", `${doc.id}, ${tells}`);
  }
  attribute(button, "style", tint(earned, view.top, view.marks[place]?.[0]) ?? "");
}

/** @param {Side} side @param {Doc} doc @param {Intent} intent @param {Subtopic} child */
function childButton(side, doc, intent, child) {
  const key = `${intent.id}/${child.id}`;
  const grade = gradeAt(doc.grades, key);
  const what = `${doc.id}, ${intent.id}, ${child.id}: ${grade ? `grade ${grade}` : "not relevant"}`;
  return h("button", {
    class: `dm-child${grade ? "" : " dm-none"}`,
    tabindex: -1,
    "data-do": "grade",
    "data-intent": intent.id,
    "data-child": child.id,
    "data-grade": grade,
    "data-key": `${side}|${doc.id}|${key}`,
    "aria-label": what,
    title: child.label ? `${what} (${child.label})` : what,
  }, grade ? `${child.id} ${grade}` : "·");
}

/** @typedef {{ name: string, cells: number[], sum: string, title: string | null }} Sums a row below the list */

/** What every intent earned, and the score, which is their sum.
 * @param {Bench<any>} view @param {Measured | undefined} measured @returns {Sums[]} */
function sumsOf(view, measured) {
  const { intents } = view.history.page.topic;
  const { folded } = view.layout;
  const none = intents.map(() => 0);
  if (!measured) return [{ name: view.chosen || "", cells: none, sum: "", title: null }];
  const rows = [{ name: `${view.chosen} =`, cells: measured.intents, sum: measured.score, title: `all that the list earns under ${view.chosen}: the sum of its cells` }];
  if (measured.after.some((value) => value)) {
    rows.unshift({ name: "below the list", cells: measured.after, sum: short(sum(measured.after), 4), title: "charged where the list has ended" });
  }
  const away = sum(measured.intents.filter((_, place) => folded.includes(intents[place].id)));
  if (away) rows.unshift({ name: "intents folded away", cells: none, sum: short(away, 4), title: "what the intents without a column here earn" });
  return rows;
}

/** Its numbers are put in later. @param {Bench<any>} view @param {Sums} sums */
function sumRow(view, { name, title }) {
  const { intents } = view.history.page.topic;
  return h("tr", { role: "row", class: "dm-sums", title },
    h("th", { role: "rowheader", class: "dm-two", scope: "row" }, name),
    view.layout.places.map((place) => h("td", { role: "gridcell", class: "dm-number", "data-of": intents[place].id, style: view.layout.lean ? `background-image:${pictureOf(view.marks, place)}` : null })),
    h("td", { role: "gridcell", class: "dm-number dm-sum" }),
    h("td", { role: "gridcell" }));
}
