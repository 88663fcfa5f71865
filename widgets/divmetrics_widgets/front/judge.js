// @ts-check
// Pairs of lists, one question at a time; in the end, which metrics agree with the answers.

import { LabBelow } from "./below.js";
import { guarded, h, keepingFocus, listed, problemLine, setPending } from "./common.js";
import { widget } from "./kernel.js";
import { View } from "./view.js";
/** @import { Given } from "./view.js" */
/** @import { Agreement, Answer, JudgeTraits, Outcome, Pair } from "./types.js" */

/** @typedef {{ answer: Answer, words: string, key: string, arrow: string, sign: string }} Choice */

/** @type {Choice[]} */
const ANSWERS = [
  { answer: "left", words: "left", key: "1", arrow: "ArrowLeft", sign: "←" },
  { answer: "same", words: "about the same", key: "2", arrow: "ArrowDown", sign: "↓" },
  { answer: "right", words: "right", key: "3", arrow: "ArrowRight", sign: "→" },
];

/** @extends {View<JudgeTraits>} */
class Judge extends View {
  constructor(/** @type {Given<JudgeTraits>} */ given) {
    super(given);
    this.pairs = this.model.get("_pairs");
    this.questions = this.model.get("_questions");
    this.step = this.firstOpen(0);
    this.desk = h("div", { class: "dm-desk", tabindex: 0, role: "group", "aria-label": "judge pairs of lists" });
    this.below = new LabBelow(this);
    this.needs = "[data-pair]";
    this.waiting = 0; // the token of the pair that the kernel was asked to open
    this.tables = false; // are they open?
    this.words = { kept: "your answers are kept", follow: "the comparison follows", back: "your answers" };
    this.root.append(this.desk, problemLine(this), this.status);
    this.root.addEventListener("keydown", (event) => this.keys(event));
  }

  start() {
    const redraw = () => guarded(this.root, () => this.draw());
    const answered = () => { this.ask(); redraw(); };
    this.follow("change:answers", answered);
    this.follow("change:_found change:_compared", redraw);
    this.follow("change:_asked", () => this.opened());
    this.below.start();
    answered();
  }

  stopped() {
    this.waiting = 0;
    this.draw();
  }

  /** A pair in the lab below. @param {number} pair */
  open(pair) {
    this.waiting = 1 + Math.floor(Math.random() * 2 ** 31); // no other view of this widget has the same
    this.model.send({ open: pair, token: this.waiting });
    this.say(`opening pair ${pair} in the lab …`);
    this.awaited = pair;
  }

  opened() {
    if (this.model.get("_asked") !== this.waiting) return;
    this.waiting = 0;
    const problem = this.model.get("_problem");
    this.say(problem ? "not opened: see above" : `pair ${this.awaited} is open in the lab below; A is the list that stood on the left`);
    if (!problem) this.below.enter();
  }

  get kept() {
    return this.answers;
  }

  takeBack(/** @type {JudgeTraits["answers"]} */ answers) {
    this.write("answers", answers);
    this.go(this.firstOpen(0));
  }

  get answers() {
    return this.model.get("answers");
  }

  get over() {
    return this.step === this.answers.length;
  }

  /** The first question from here on without an answer; after the last one where all have one. @param {number} from */
  firstOpen(from) {
    const open = this.answers.indexOf("", from);
    return open < 0 ? this.answers.length : open;
  }

  /** In the end the kernel is asked which metrics agree. */
  ask() {
    if (!this.over) return;
    this.write("_ends", this.model.get("_ends") + 1);
  }

  answer(/** @type {"" | Answer} */ answer) {
    this.write("answers", this.answers.map((old, i) => (i === this.step ? answer : old)));
    this.keep();
  }

  /** @param {Choice} choice */
  choose({ answer, words }) {
    this.answer(answer);
    this.say(`${words}; Enter goes on`);
  }

  skip() {
    if (this.answers[this.step]) this.answer("");
    this.go(this.step + 1);
  }

  next() {
    if (this.answers[this.step]) this.go(this.step + 1);
    else this.say("choose one of the three first, or skip");
  }

  back() {
    if (this.step > 0) this.go(this.step - 1);
  }

  go(/** @type {number} */ step) {
    this.step = step;
    this.ask();
    this.draw();
    this.desk.focus({ preventScroll: true });
    this.say(this.over ? "the end: which metrics agree with you" : `${this.progress()}: ${this.question}`);
  }

  get place() {
    return [Math.floor(this.step / this.questions.length), this.step % this.questions.length];
  }

  get question() {
    return this.questions[this.place[1]];
  }

  progress() {
    const [pair, question] = this.place;
    return `pair ${pair + 1} of ${this.pairs.length}, question ${question + 1} of ${this.questions.length}`;
  }

  keys(/** @type {KeyboardEvent} */ event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = ANSWERS.find(({ key, arrow }) => event.key === key || event.key === arrow);
    if (chosen && !this.over) this.choose(chosen);
    else if (event.key === "Backspace") this.back();
    // Elsewhere Enter presses the button that has the focus.
    else if (event.key === "Enter" && !this.over && !(event.target instanceof Element && event.target.matches('button:not([aria-pressed="true"])'))) this.next();
    else return;
    event.preventDefault();
  }

  /** Is the comparison, which is seen at the end, that of other answers? */
  get pending() {
    return this.over && this.model.get("_compared") !== this.model.get("_ends");
  }

  draw() {
    setPending(this.root, this.pending);
    this.below.box.hidden = !this.over; // it shows what a judge should not see
    keepingFocus(this.root, () => this.desk.replaceChildren(h("div", {}, this.over ? verdict(this) : desk(this))));
  }
}

function desk(/** @type {Judge} */ judge) {
  const pair = judge.pairs[judge.place[0]];
  const given = judge.answers[judge.step];
  const intents = pair.intents.map(([label, share]) => h("li", {}, `${label} `, h("span", { class: "dm-quiet" }, `${Math.round(100 * share)} %`)));
  const answers = ANSWERS.map((choice) => h("button", {
    "data-key": choice.answer, "aria-pressed": String(choice.answer === given), "aria-keyshortcuts": `${choice.key} ${choice.arrow}`, onclick: () => judge.choose(choice),
  }, `${choice.sign} ${choice.words} `, h("kbd", {}, choice.key)));
  return [
    h("div", { class: "dm-row" }, h("span", { class: "dm-title" }, pair.title), h("span", { class: "dm-quiet" }, judge.progress()),
      h("progress", { max: judge.answers.length, value: judge.step, "aria-label": "questions so far" })),
    h("ul", { class: "dm-meant" }, h("li", { class: "dm-quiet" }, "Readers may mean:"), intents),
    h("p", { class: "dm-asked" }, judge.question),
    h("div", { class: "dm-pair" }, pair.sides.map(sideOf)),
    h("div", { class: "dm-answers" }, answers),
    h("div", { class: "dm-row dm-onwards" }, backButton(judge),
      h("button", { "data-key": "skip", onclick: () => judge.skip() }, "skip"),
      h("button", { "data-key": "next", disabled: !given, onclick: () => judge.next() }, "next ", h("kbd", {}, "Enter"))),
  ];
}

function backButton(/** @type {Judge} */ judge) {
  return h("button", { "data-key": "back", disabled: judge.step === 0, onclick: () => judge.back() }, "back ", h("kbd", {}, "Backspace"));
}

function sideOf(/** @type {Pair["sides"][number]} */ listed, /** @type {number} */ place) {
  const side = ["left", "right"][place];
  const entries = listed.map(([id, about, labels]) => h("li", {}, about || id,
    about ? h("span", { class: "dm-quiet" }, ` ${id}`) : null, labels ? h("div", { class: "dm-quiet" }, labels) : null));
  return h("section", { "aria-label": `${side} list` }, h("h4", { role: "presentation" }, side), h("ol", {}, entries));
}

/** Which metrics choose as the reader does. @param {Judge} judge */
function verdict(judge) {
  const open = judge.firstOpen(0);
  const skipped = judge.answers.filter((answer) => !answer).length;
  return [
    h("div", { class: "dm-row" }, h("span", { class: "dm-title" }, "Which metrics agree with you?"), backButton(judge),
      skipped ? h("button", { "data-key": "open", onclick: () => judge.go(open) }, `answer what you skipped (${skipped})`) : null),
    ...(judge.pending ? [h("p", {}, judge.kernel.state === "here" ? "comparing ..." : "Not compared: that needs the kernel.")] : compared(judge)),
  ];
}

/** @param {Judge} judge */
function compared(judge) {
  const found = judge.model.get("_found");
  return [
    ...found.map((of, i) => outcomes(judge, of, judge.questions[i])),
    h("p", { class: "dm-quiet" }, "A coin would choose as you do half the time. Where the 95 % interval (Clopper & Pearson 1934) includes one half (the dashed line), so few pairs cannot tell the metric from a coin."),
    h("details", { open: judge.tables, ontoggle: (event) => (judge.tables = event.target.open) },
      h("summary", { "data-key": "tables" }, "as tables, with tau"),
      found.map((of, i) => agreementTable(of, judge.questions[i])),
      h("p", { class: "dm-quiet" }, "tau = (agrees − disagrees) / all three columns: 1 where a metric always agrees with you, −1 where it never does. The 95 % interval of Sakai & Zeng (2019) needs seven pairs or more, and a tau between −1 and 1.")),
  ];
}

/** A sentence for each metric, and the pairs on which it chose the other list.
 * @param {Judge} judge @param {Agreement} agreement @param {string} question */
function outcomes(judge, { decided, same, rows }, question) {
  return h("section", { class: "dm-outcomes", "aria-label": question },
    h("h4", { role: "presentation" }, question, h("span", { class: "dm-quiet" }, ` ${preferred(decided, same)}`)),
    rows.length ? h("ul", {}, rows.map((outcome) => h("li", { "data-metric": outcome.metric },
      strip(outcome), h("p", {}, outcome.words, apart(judge, outcome, question))))) : null);
}

/** The share on a line from 0 to 1, with its interval. @param {Outcome} outcome */
function strip({ interval }) {
  if (!interval) return h("span", { class: "dm-strip dm-strip-none" });
  const [share, low, high] = interval.map((x) => `${(100 * x).toFixed(1)}%`);
  return h("span", { class: "dm-strip", "aria-hidden": "true", style: `--at:${share};--low:${low};--high:${high}` },
    h("span", { class: "dm-strip-half" }), h("span", { class: "dm-strip-range" }), h("span", { class: "dm-strip-at" }));
}

/** @param {Judge} judge @param {Outcome} outcome @param {string} question */
function apart(judge, { metric, pairs }, question) {
  if (!pairs.length) return null;
  const lists = pairs.length > 1 ? "It chose the other list of pairs" : "It chose the other list of pair";
  if (judge.model.alone) return ` ${lists} ${listed(pairs)}.`;
  const button = (/** @type {number} */ pair) => h("button", {
    "data-key": `${question}|${metric}|${pair}`, "data-pair": pair, title: `open pair ${pair} in the lab, below`, "aria-label": `pair ${pair}: open in the lab`, onclick: () => judge.open(pair),
  }, pair);
  return h("span", { class: "dm-chose-other" }, lists, pairs.map(button));
}

function preferred(/** @type {number} */ decided, /** @type {number} */ same) {
  return `${decided} ${decided === 1 ? "pair" : "pairs"} with a better list, ${same} about the same`;
}

/** @param {Agreement} agreement @param {string} question */
function agreementTable({ decided, same, rows }, question) {
  const head = ["metric", "agrees", "disagrees", "tied", "tau", "95 % interval"];
  return h("table", { class: "dm-agreement" }, h("caption", {}, h("b", {}, question), h("span", { class: "dm-quiet" }, ` ${preferred(decided, same)}`)),
    rows.length ? [h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows.map(({ metric, cells }) => h("tr", {}, h("th", { scope: "row" }, metric), cells.map((cell) => h("td", {}, String(cell))))))] : null);
}

export default widget("preference-judge", Judge);
