// @ts-check
// Where a score comes from: intents down, ranks across, and the words of the cell in hand.

import { all, closest, guarded, h, keepingFocus, mark, put, setPending, short, sum, tint } from "./common.js";
import { widget } from "./kernel.js";
import { View } from "./view.js";
/** @import { Given } from "./view.js" */
/** @import { ContributionsTraits, On, Picture, Row } from "./types.js" */

/** @extends {View<ContributionsTraits>} */
class Contributions extends View {
  constructor(/** @type {Given<ContributionsTraits>} */ given) {
    super(given);
    this.bar = h("div", { class: "dm-row" });
    this.table = h("div", {});
    this.problem = h("div", {});
    this.told = h("p", { class: "dm-words", role: "status", "aria-live": "polite" });
    this.needs = "select";
    this.words = { ...this.words, follow: "the numbers follow" };
    this.decimals = 0;
    this.names = 110; // pixels for the names of the rows
    this.top = 0;
    this.open = false; // are the rows shown that no document serves?
    this.root.append(this.bar, this.table, this.problem, this.told);
  }

  start() {
    const drawn = () => guarded(this.root, () => keepingFocus(this.root, () => this.draw()));
    this.follow("change:_picture change:_chosen change:_problem", drawn);
    this.follow("change:selected", () => guarded(this.root, () => (this.hidden() ? this.draw() : this.mark())));
    this.followSize(() => {
      const { names } = this;
      if (this.room() !== this.decimals || this.names !== names) drawn();
    });
    this.draw();
  }

  /** Decimals that a cell has room for; 0: a tint only, and the number where it is told in words. */
  room() {
    const picture = this.model.get("_picture");
    const columns = picture.docs.length + (picture.after ? 1 : 0);
    const whole = (this.root.clientWidth || 700) - 22 - 58;
    this.names = picture.fold ? Math.max(whole < 330 ? 64 : 110, Math.min(440, whole - columns * 48)) : 110;
    const width = (whole - this.names - 2) / columns;
    return width >= 44 ? 4 : width >= 37 ? 3 : width >= 30 ? 2 : 0;
  }

  /** Is the cell in hand folded away? */
  hidden() {
    const [intent] = this.model.get("selected");
    return !this.open && this.model.get("_picture").rows.some((row) => row.folded && row.id === intent);
  }

  /** Is there room for what an intent means beside its name? */
  get wide() {
    return this.names > 200;
  }

  draw() {
    const picture = this.model.get("_picture");
    this.open ||= this.hidden();
    setPending(this.root, this.chosen !== picture.metric && !this.model.get("_problem"));
    this.decimals = this.room();
    this.top = Math.max(...picture.rows.flatMap((row) => [...row.cells, row.rest]).map(Math.abs), 1e-12);
    this.bar.replaceChildren(h("span", { class: "dm-title" }, picture.title), `list ${picture.list} under`, this.menu());
    const problem = this.model.get("_problem");
    this.problem.replaceChildren(problem ? h("p", { class: "dm-problem", role: "alert" }, problem) : "");
    this.table.replaceChildren(this.grid(picture));
    this.mark();
  }

  stopped() {
    this.draw();
  }

  /** The metric in the menu: that of the picture, where no other picture comes. */
  get chosen() {
    return this.kernel.answers ? this.model.get("_chosen") : this.model.get("_picture").metric;
  }

  ask(/** @type {string} */ metric) {
    this.write("_chosen", metric);
  }

  menu() {
    const { chosen } = this;
    const names = this.model.get("_names");
    if (names.length === 1) return h("b", {}, chosen);
    return h("select", { "data-key": "metric", "aria-label": "metric", onchange: ({ target }) => this.ask(target.value) },
      names.map((name) => h("option", { value: name, selected: name === chosen }, name)));
  }

  grid(/** @type {Picture} */ picture) {
    const { rows, docs, totals } = picture;
    const after = picture.after ? 1 : 0;
    const columns = docs.length + after + 2;
    const open = this.open || !picture.fold;
    const shown = rows.filter((row) => open || !row.folded);
    const head = h("tr", { role: "row" },
      h("th", { role: "columnheader", style: `width:${this.names}px` }, "rank"),
      docs.map((doc, k) => h("th", { role: "columnheader", title: doc }, k + 1)),
      after ? h("th", { role: "columnheader", title: picture.after }, this.decimals > 2 ? picture.after : "+") : null,
      h("th", { role: "columnheader", style: "width:52px" }, "sum"));
    /** @param {number} value @param {number} [decimals] */
    const number = (value, decimals = this.decimals) => (decimals ? short(value, decimals) : "");
    const total = (/** @type {number} */ value) => h("td", { role: "gridcell", class: "dm-total" }, number(value));
    return h("table", { class: "dm-earnings", role: "grid", "aria-label": `what each intent earns under ${picture.metric}`, onkeydown: (event) => this.pressed(event) },
      h("thead", {}, head),
      h("tbody", {},
        shown.map((row, i) => [row.group && row.group !== shown[i - 1]?.group ? this.group(row, columns) : null, this.row(row, after)]),
        picture.fold ? this.fold(picture.fold, columns) : null),
      h("tfoot", {}, h("tr", { role: "row" },
        h("th", { role: "rowheader" }, "all"),
        totals.map(total),
        after ? total(picture.rest) : null,
        h("td", { role: "gridcell", class: "dm-total dm-score", "data-score": "" }, picture.score))));
  }

  /** The intent above its second-level subtopics. @param {Row} row @param {number} columns */
  group(row, columns) {
    return h("tr", { role: "row", class: "dm-group" },
      h("th", { role: "rowheader", colspan: columns }, mark(this.drawn, row.mark), " ", row.group, this.about(row)));
  }

  /** What an intent is about and how many of its subtopics are served, where there are too many to know by heart. @param {Row} row */
  about(row) {
    const { fold, rows } = this.model.get("_picture");
    if (!fold) return null;
    const within = rows.filter((other) => other.group === row.group);
    return h("span", { class: "dm-quiet" }, ` ${row.about} `, h("span", { class: "dm-nowrap" }, `(${within.filter((other) => !other.folded).length} of ${within.length} served)`));
  }

  /** All that no document serves, in one line that opens. @param {NonNullable<Picture["fold"]>} fold @param {number} columns */
  fold(fold, columns) {
    const { rows } = this.model.get("_picture");
    const toggle = () => {
      const [intent, rank] = this.model.get("selected");
      const first = rows.find((row) => !row.folded);
      if (this.open && first && rows.find((row) => row.id === intent)?.folded) this.write("selected", [first.id, rank]);
      this.open = !this.open;
      keepingFocus(this.root, () => this.draw());
    };
    return h("tr", { role: "row", class: "dm-fold" },
      h("th", { role: "rowheader", colspan: columns - 1 },
        h("button", { class: "dm-bare", "data-key": "fold", "aria-expanded": String(this.open), onclick: toggle }, this.open ? "▾ " : "▸ ", fold.words)),
      h("td", { role: "gridcell", class: "dm-total", "data-fold": "" }, this.open ? "" : short(sum(rows.filter((row) => row.folded).map((row) => row.sum)), 4) || "0"));
  }

  row(/** @type {Row} */ row, /** @type {number} */ after) {
    return h("tr", { role: "row", "data-intent": row.id },
      h("th", { role: "rowheader", scope: "row", title: row.label || null }, row.group ? "\u2003" : [mark(this.drawn, row.mark), " "], row.name, this.wide && row.label ? h("span", { class: "dm-quiet" }, ` ${row.label}`) : null),
      row.cells.map((value, k) => this.cell(row, value, k)),
      after ? h("td", { role: "gridcell", class: "dm-total", "data-rest": "", style: tint(row.rest, this.top) }, this.decimals ? short(row.rest, this.decimals) : "") : null,
      h("td", { role: "gridcell", class: "dm-total", "data-sum": "" }, short(row.sum, 4)));
  }

  cell(/** @type {Row} */ row, /** @type {number} */ value, /** @type {number} */ k) {
    const choose = () => this.choose(row.id, k + 1);
    return h("td", {
      role: "gridcell", tabindex: -1, style: tint(value, this.top), "data-rank": k + 1, "data-key": `${row.id}|${k + 1}`,
      "aria-label": row.words[k], onfocus: choose, onclick: (event) => event.currentTarget.focus(),
      onpointerenter: () => this.tell(this.wordsOf(row, k)), onpointerleave: () => this.mark(),
    }, this.decimals ? short(value, this.decimals) : "");
  }

  choose(/** @type {string} */ intent, /** @type {number} */ rank) {
    const [before, at] = this.model.get("selected");
    if (before === intent && at === rank) return;
    this.write("selected", [intent, rank]);
    this.mark();
  }

  /** The chosen cell, which alone is in the tab order, and its words. */
  mark() {
    const [intent, rank] = this.model.get("selected");
    for (const cell of all(this.table, "td[data-key]")) {
      const chosen = cell.dataset.key === `${intent}|${rank}`;
      cell.setAttribute("tabindex", chosen ? "0" : "-1");
      cell.setAttribute("aria-selected", String(chosen));
    }
    const row = this.model.get("_picture").rows.find((other) => other.id === intent);
    this.tell(row ? this.wordsOf(row, rank - 1) : "");
  }

  /** The words of a cell; of an intent among many also what it means. @param {Row} row @param {number} k */
  wordsOf(row, k) {
    const meaning = this.model.get("_picture").fold && row.label ? ` ${row.group ? "Subtopic" : "Intent"} ${row.id}: ${row.label}.` : "";
    return `${row.words[k] ?? ""}${meaning}`;
  }

  tell(/** @type {string} */ words) {
    put(this.told, words);
  }

  pressed(/** @type {On<KeyboardEvent>} */ event) {
    const cell = closest(event.target, "td[data-key]");
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = all(this.table, "tr[data-intent]").map((row) => all(row, "td[data-key]"));
    const at = rows.findIndex((row) => row.includes(cell));
    const k = rows[at].indexOf(cell);
    /** @type {Record<string, HTMLElement | undefined>} */
    const target = {
      ArrowUp: rows[at - 1]?.[k], ArrowDown: rows[at + 1]?.[k], ArrowLeft: rows[at][k - 1], ArrowRight: rows[at][k + 1],
      Home: rows[at][0], End: rows[at].at(-1),
    };
    if (!(event.key in target)) return;
    event.preventDefault();
    event.stopPropagation();
    target[event.key]?.focus();
  }
}

export default widget("contributions-view", Contributions);
