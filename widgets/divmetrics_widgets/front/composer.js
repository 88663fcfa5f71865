// @ts-check
// Four menus, one for each column of Table 1. The kernel holds the metric; edits are sent to it in order.

import { guarded, h, keepingFocus, mark, named, put, setPending, short, sum, tint, toClipboard } from "./common.js";
import { widget } from "./kernel.js";
import { MATHML, parsed } from "./mathml.js";
import { View } from "./view.js";
/** @import { Given } from "./view.js" */
/** @import { Attributes, Card, Change, Child, Column, Composed, ComposerTraits, Formula, Parameter, Term, Value } from "./types.js" */

/** @typedef {(HTMLInputElement | HTMLSelectElement) & { sent?: string }} Entry with what it last told the kernel */

/** @type {Record<Column, { symbol: (string | Node)[], name: string, asks: string }>} */
const COLUMNS = {
  N: { symbol: ["N"], name: "normaliser", asks: "What is the sum divided by?" },
  f: { symbol: ["f(t", h("sub", {}, "i"), ")"], name: "intent weight", asks: "What is an intent worth?" },
  w: { symbol: ["w(k)"], name: "rank discount", asks: "What is a rank worth?" },
  M: { symbol: ["M", h("sub", {}, "i"), "(d", h("sub", {}, "k"), " | above)"], name: "marginal utility", asks: "What does a document add?" },
};
const ORDER = /** @type {const} */ (["N", "f", "w", "M"]);
/** @type {Record<string, string>} */
const GREEK = { alpha: "α", beta: "β", phi: "φ" };
const SMALLEST = 0.45; // of a formula that is made to fit, in its own size
const MOST_RANKS = 20; // shown one by one; what is earned below is summed up

/** @extends {View<ComposerTraits>} */
class Composer extends View {
  constructor(/** @type {Given<ComposerTraits>} */ given) {
    super(given);
    this.waiting = /** @type {Map<string, Change>} */ (new Map()); // edits that the kernel has not been told yet; of one control the last counts
    this.asked = ""; // the token of the edits that the kernel is at work on
    this.cards = /** @type {Partial<Record<Column, ReturnType<typeof card>>>} */ ({});
    this.codeOpen = false;
    this.width = 0; // not yet known
    this.needs = "select, input";
    this.words = { kept: "your metric is kept", follow: "the numbers follow", back: "your metric" };
    this.bar = bar(this);
    this.readerBox = h("section", { class: "dm-reader", "aria-label": "what the readers of this metric do" });
    this.formulaBox = h("div", { class: "dm-composer-formula" });
    this.cardsBox = h("div", { class: "dm-composer-cards" });
    this.verdictBox = h("div", { class: "dm-composer-verdict" });
    this.earnedBox = h("div", { class: "dm-composer-earned" });
    this.codeBox = h("div", { class: "dm-composer-code" });
    this.root.append(this.bar.box, this.readerBox, this.formulaBox, this.cardsBox, this.verdictBox, this.earnedBox, this.codeBox, this.status);
  }

  start() {
    const arrived = () => guarded(this.root, () => this.arrived());
    this.follow("change:_shown change:_menus change:_problem", arrived);
    this.follow("change:_starts", () => this.offer());
    this.followSize(() => guarded(this.root, () => this.resized()));
    this.draw();
  }

  /** Metrics to start from, one's own among them. */
  offer() {
    const { starts } = this.bar;
    const { value } = starts;
    starts.replaceChildren(...startOptions(this));
    starts.value = value;
  }

  /** Tell the kernel; while it is at work, edits wait, and of a slider's many only the last is sent.
   * @param {string} control @param {Change} change */
  edit(control, change) {
    this.waiting.delete(control);
    this.waiting.set(control, change);
    setPending(this.root, true);
    this.flush();
  }

  flush() {
    if (this.asked || !this.waiting.size) return;
    this.asked = `${Math.random()}`;
    this.model.send({ token: this.asked, edits: [...this.waiting.values()] });
    this.waiting.clear();
  }

  /** The metric as edits that compose it, from whatever there is. */
  get kept() {
    const { columns, stop, cutoff } = this.model.get("_shown");
    const each = ORDER.map((column) => ({ column, ...columns[column] }));
    return [
      { stop },
      { cutoff },
      ...each.map(({ column, place }) => ({ column, part: place })),
      ...each.flatMap(({ column, parameters }) => parameters.map(({ name, value }) => ({ column, parameter: name, value }))),
    ];
  }

  takeBack(/** @type {Change[]} */ edits) {
    for (const [i, change] of edits.entries()) this.waiting.set(`back|${i}`, change);
    setPending(this.root, true);
    this.flush();
  }

  /** What is shown stays that metric which has been measured. */
  stopped() {
    const unheard = this.asked || this.waiting.size;
    this.asked = "";
    this.waiting.clear();
    setPending(this.root, false);
    this.draw();
    put(this.status, unheard ? "the last change has not been measured and is taken back" : "");
  }

  arrived() {
    const shown = this.model.get("_shown");
    const answer = this.asked && shown.answered === this.asked;
    if (answer) this.asked = "";
    this.flush();
    if (this.asked) return;
    setPending(this.root, false);
    this.draw();
    if (answer) this.status.textContent = [this.model.get("_problem"), verdict(shown), shown.score && `Score ${shown.score}.`, ...shown.remarks].filter(Boolean).join(" ");
  }

  draw() {
    const shown = this.model.get("_shown");
    keepingFocus(this.root, () => {
      this.bar.starts.value = startOf(this.model.get("_starts"), shown);
      this.bar.stops.value = shown.stop ? "rp" : "";
      enter(this.bar.cutoff, shown.cutoff ?? "");
      for (const column of ORDER) this.drawCard(column, shown.columns[column]);
      this.verdictBox.replaceChildren(
        h("p", { class: "dm-verdict", "data-known": shown.known.join(" ") }, verdict(shown)),
        ...[this.model.get("_problem"), ...shown.remarks].filter(Boolean).map((text) => h("p", { class: "dm-problem", role: "alert" }, text)));
      this.earnedBox.replaceChildren(...earnedTable(this, shown));
      this.codeBox.replaceChildren(...code(this));
    });
    this.readerBox.replaceChildren(...reader(shown));
    this.formulaBox.replaceChildren(wholeFormula(shown.formula));
    this.fit();
  }

  /** A card keeps its controls while they are the same: a slider must not be taken out of the hand.
   * @param {Column} column @param {Card} data */
  drawCard(column, data) {
    const options = this.model.get("_menus")[column];
    const shape = JSON.stringify([options, data.parameters.map(({ name, slider, choices, says }) => [name, slider, choices, says])]);
    const before = this.cards[column];
    const now = before?.shape === shape ? before : card(this, column, options, data, shape);
    this.cards[column] = now;
    if (!before) this.cardsBox.append(now.element);
    else if (before !== now) before.element.replaceWith(now.element);
    now.menu.value = String(data.place);
    now.menu.title = [...data.words, data.formula.text].join("\n");
    data.parameters.forEach(({ value }, i) => {
      for (const input of now.controls[i].inputs) enter(input, value);
    });
    now.formula.replaceChildren(typeset(data.formula));
    now.words.replaceChildren(...data.words.map((line) => h("p", {}, line)));
  }

  /** Another width: formulas and table are made to fit it. */
  resized() {
    if (this.root.clientWidth === this.width) return;
    this.width = this.root.clientWidth;
    this.earnedBox.replaceChildren(...earnedTable(this, this.model.get("_shown")));
    this.fit();
  }

  /** Formulas have no line breaks: one that is too wide is drawn smaller. */
  fit() {
    for (const box of this.root.querySelectorAll(".dm-composer-formula, .dm-part-formula")) {
      const math = /** @type {HTMLElement} */ (box.firstElementChild);
      const { paddingLeft, paddingRight } = getComputedStyle(box);
      const room = box.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      math.style.fontSize = "";
      // Lines and letters below its terms stay as they are, so that the rest may have to give way more than once.
      for (let size = 1; math.scrollWidth > room && size > SMALLEST;) {
        size = Math.max(SMALLEST, (size * 0.98 * room) / math.scrollWidth);
        math.style.fontSize = `${size}em`;
      }
    }
  }
}

/** What the readers do, a sentence for each part, under the letter that the part has in the formula. @param {Composed} shown */
function reader({ reader: parts }) {
  return [
    h("h4", {}, "What its readers do"),
    h("ul", {}, parts.map(([term, sentence]) => h("li", { "data-term": term }, letter(term), " ", sentence))),
  ];
}

/** The sign of a term: a letter in a frame of its colour and line. @param {Term} term */
function letter(term) {
  return h("b", { class: "dm-letter", title: term === "stop" ? "where the reader stops" : COLUMNS[term].name }, term);
}

/** MathML as the browser draws it by itself; where there is none, plain text. @param {Formula} formula */
function typeset({ mathml, text }) {
  const found = parsed(mathml);
  if (!found) return h("span", {}, text);
  const math = document.importNode(found, true);
  math.setAttribute("aria-label", text);
  return math;
}

/** The whole formula; under each term that a menu has made, its letter. @param {Composed["formula"]} formula */
function wholeFormula({ text, terms }) {
  const pieces = terms.map(([term, mathml]) => ({ term, math: parsed(mathml) }));
  if (!pieces.length || pieces.some(({ math }) => !math)) return h("span", {}, text);
  const make = (/** @type {string} */ name, /** @type {(Node | string)[]} */ ...children) => {
    const element = document.createElementNS(MATHML, name);
    element.append(...children);
    return element;
  };
  const row = make("mrow");
  for (const { term, math } of pieces) {
    const inside = make("mrow", ...[...(math?.childNodes ?? [])].map((node) => document.importNode(node, true)));
    if (term) {
      const lettered = make("munder", inside, make("mtext", term));
      lettered.setAttribute("data-term", term);
      const [before, after] = [make("mspace"), make("mspace")];
      for (const space of [before, after]) space.setAttribute("width", "0.2em");
      row.append(before, lettered, after);
    } else row.append(inside);
  }
  const whole = make("math", row);
  whole.setAttribute("display", "block");
  whole.setAttribute("aria-label", text);
  return whole;
}

/** Which metric it is; of a new one, which metrics are one column away. @param {Composed} shown */
function verdict({ known, name, near }) {
  const neighbours = near.map(([other, column]) => `${other} (another ${column})`).join(", ");
  if (!known.length) return `This metric is not in the tables; it is your own: ${name}.${neighbours && ` Its neighbours: ${neighbours}.`}`;
  return `This is ${known[0]}${known.length > 1 ? `, also called ${known.slice(1).join(" and ")}` : ""}.`;
}

/** The starting point that is composed now, "" where it is none: by the metric's own name, or a name it has.
 * @param {Record<string, string[]>} starts @param {Composed} shown */
function startOf(starts, { known, name }) {
  const all = Object.values(starts).flat();
  const bare = [name, ...known].map((other) => other.replace(/@\d+$/, ""));
  return known.length ? bare.find((other) => all.includes(other)) ?? "" : "";
}

function startOptions(/** @type {Composer} */ composer) {
  return [
    h("option", { value: "" }, "a known metric"),
    ...Object.entries(composer.model.get("_starts")).map(([table, names]) => h("optgroup", { label: table }, names.map((name) => h("option", { value: name }, name)))),
  ];
}

function bar(/** @type {Composer} */ composer) {
  const starts = h("select", { "data-key": "start", "data-start": "", onchange: (event) => event.target.value && composer.edit("start", { start: event.target.value }) }, startOptions(composer));
  const stops = h("select", { "data-key": "stop", "data-stop": "", title: "where the reader of an intent stops", onchange: (event) => composer.edit("stop", { stop: event.target.value === "rp" }) },
    h("option", { value: "" }, "the cutoff"), h("option", { value: "rp" }, "rp, the first best document"));
  // No cutoff where the field is empty; what is no number is the kernel's to refuse.
  const cut = (/** @type {HTMLInputElement} */ input) => (!input.value && !input.validity.badInput ? null : number(input));
  const cutoff = h("input", { type: "number", min: 1, step: 1, placeholder: "none", class: "dm-figure", "data-key": "cutoff", "data-cutoff": "", ...typing((input) => composer.edit("cutoff", { cutoff: cut(input) })) });
  const box = h("div", { class: "dm-composer-bar" },
    h("span", { class: "dm-title" }, "Metric composer"),
    h("label", {}, "start from ", starts),
    h("label", {}, "cutoff ", cutoff),
    h("label", {}, "readers go down to ", stops));
  return { box, starts, stops, cutoff };
}

/** What is typed counts once: when it is left, stepped, or confirmed by Enter. @param {(input: HTMLInputElement) => void} take */
function typing(take) {
  const heard = (/** @type {Entry & HTMLInputElement} */ input) => {
    if (input.value === input.sent) return;
    input.sent = input.value;
    take(input);
  };
  /** @type {Attributes<"input">} */
  const hears = {
    onchange: ({ target }) => heard(target),
    onkeydown: ({ key, currentTarget }) => { if (key === "Enter") heard(currentTarget); },
  };
  return hears;
}

/** Show a value, but not over what somebody is typing. @param {Entry} input @param {Value} value */
function enter(input, value) {
  if (input.type === "number" && input === document.activeElement && input.value !== input.sent) return;
  input.value = String(value);
  input.sent = input.value;
}

function number(/** @type {HTMLInputElement} */ input) {
  return input.value === "" ? "no number" : Number(input.value);
}

/** @param {Composer} composer @param {Column} column @param {string[]} options @param {Card} data @param {string} shape */
function card(composer, column, options, data, shape) {
  const { symbol, name, asks } = COLUMNS[column];
  const menu = h("select", { "data-key": `${column}|part`, "data-menu": column, "aria-label": `${name}: ${asks}`, onchange: (event) => composer.edit(`${column}|part`, { column, part: Number(event.target.value) }) },
    options.map((label, place) => h("option", { value: place }, label)));
  const formula = h("div", { class: "dm-part-formula" });
  const words = h("div", { class: "dm-part-words" });
  const controls = data.parameters.map((parameter) => control(composer, column, parameter));
  const element = h("section", { class: "dm-card", "data-column": column, "data-term": column, "aria-label": name },
    h("h4", {}, letter(column), " ", h("i", {}, symbol.map((piece) => (typeof piece === "string" ? piece : piece.cloneNode(true)))), ` ${name}`),
    h("p", { class: "dm-quiet" }, asks),
    menu,
    formula,
    controls.map(({ box }) => box),
    words);
  return { shape, element, menu, formula, words, controls };
}

/** A slider with a number beside it, or a menu of words.
 * @param {Composer} composer @param {Column} column @param {Parameter} parameter
 * @returns {{ box: HTMLElement, inputs: Entry[] }} */
function control(composer, column, { name, slider, choices, says }) {
  const key = `${column}|${name}`;
  const send = (/** @type {Value} */ value) => composer.edit(key, { column, parameter: name, value });
  const label = h("span", { title: says }, GREEK[name] ? `${GREEK[name]} ${name}` : name);
  if (choices.length) {
    const menu = h("select", { "data-key": key, "data-parameter": name, onchange: (event) => send(event.target.value) }, choices.map((word) => h("option", { value: word }, word)));
    return { box: h("label", { class: "dm-parameter" }, label, menu), inputs: [menu] };
  }
  const typed = h("input", { type: "number", step: "any", class: "dm-figure", "data-key": `${key}|number`, "data-parameter": name, "aria-label": `${name}, as a number`, ...typing((input) => send(number(input))) });
  if (!slider) return { box: h("label", { class: "dm-parameter" }, label, typed), inputs: [typed] };
  const [low, high, step] = slider;
  typed.step = String(step);
  typed.min = String(low - Math.ceil(low)); // steps from where the slider's are, without refusing what lies outside
  const slide = h("input", {
    type: "range", min: low, max: high, step, "data-key": key, "data-parameter": name, "aria-label": name,
    oninput: ({ target: { value } }) => { enter(typed, value); send(Number(value)); },
  });
  return { box: h("div", { class: "dm-parameter" }, label, slide, typed), inputs: [slide, typed] };
}

/** What every intent earns at every rank of the list; all cells together are the score.
 * @param {Composer} composer @param {Composed} shown */
function earnedTable(composer, { name, score, cells, list: { docs, intents, name: list, title } }) {
  if (!score) return [];
  const depth = cells[0]?.length ?? 0;
  const room = ((composer.width || 700) - 140) / (intents.length + 1);
  const decimals = room >= 54 ? 4 : room >= 44 ? 3 : 2;
  const upright = room < 24 + 7.2 * Math.max(...intents.map(({ id }) => id.length));
  const top = Math.max(...cells.flat().map(Math.abs), Number.MIN_VALUE);
  const cell = (/** @type {number} */ value) => h("td", { class: "dm-number dm-earned", style: tint(value, top) }, short(value, decimals));
  /** @param {Child} head @param {number[]} values @param {Attributes<"tr">} [more] */
  const row = (head, values, more = {}) => h("tr", more, head, values.map(cell), h("td", { class: "dm-number" }, short(sum(values), decimals)));
  const apart = room < 54; // a title has a line of its own
  const rows = Array.from({ length: Math.min(depth, MOST_RANKS) }, (_, k) => {
    const { id, about } = docs[k] ?? { id: "(no document)", about: "" };
    const name = !about ? id : apart ? h("span", { class: "dm-id" }, id) : named(id, about);
    const line = row(h("th", { scope: "row" }, h("div", { class: "dm-earned-doc" }, h("span", { class: "dm-quiet" }, `${k + 1} `), h("div", {}, name))), cells.map((values) => values[k]));
    return apart && about ? [h("tr", {}, h("td", { class: "dm-earned-title", colspan: intents.length + 2 }, about)), line] : [line];
  }).flat();
  if (depth > MOST_RANKS) rows.push(row(h("th", { scope: "row", class: "dm-quiet" }, `${MOST_RANKS + 1} to ${depth}`), cells.map((values) => sum(values.slice(MOST_RANKS)))));
  return [
    h("p", {}, h("b", {}, name), ` of list ${list} for ${title}: `, h("b", { class: "dm-score", "data-score": "" }, score)),
    h("table", { class: `dm-earned-table${room < 44 ? " dm-tight" : ""}${upright ? " dm-upright" : ""}` },
      h("caption", { class: "dm-quiet" }, "what each document earns for each intent; the cells add up to the score"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "document"),
        intents.map((intent) => h("th", { scope: "col", class: "dm-number", title: intent.label || null }, mark(composer.drawn, intent.mark), h("span", {}, ` ${intent.id}`))),
        h("th", { scope: "col", class: "dm-number" }, "earns"))),
      h("tbody", {}, rows),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "sum"), cells.map((values) => h("td", { class: "dm-number" }, short(sum(values), decimals))), h("td", { class: "dm-number" }, h("b", {}, score)))))];
}

/** The metric as Python, to be pasted into a cell. @param {Composer} composer */
function code(composer) {
  const lines = ["from divmetrics import Metric", "from divmetrics.parts import *", "", composer.model.get("state")];
  const text = h("pre", { class: "dm-code", "data-code": "", tabindex: 0, "data-key": "code", "aria-label": "the metric as Python" }, lines.join("\n"));
  const open = composer.codeOpen;
  return [h("details", { open, ontoggle: (event) => (composer.codeOpen = event.target.open) },
    h("summary", { "data-key": "code-open" }, "as Python"),
    text,
    h("button", { "data-key": "copy", onclick: () => copy(composer, text) }, "copy"))];
}

async function copy(/** @type {Composer} */ composer, /** @type {HTMLElement} */ text) {
  const select = () => window.getSelection()?.selectAllChildren(text);
  composer.status.textContent = await toClipboard(text.textContent, "paste it into a cell", select);
}

export default widget("metric-composer", Composer);
