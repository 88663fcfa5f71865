// @ts-check
// The topic: its intents with names, meanings, probabilities and kinds, and their second level.

import { field, h, mark, plainNumber } from "./common.js";
import {
  allOf, childAdded, childRemoved, crowded, childRenamed, intentAdded, intentRemoved, intentRenamed, MOST_INTENTS, normalised,
  withIntent, withIntents, withProbability,
} from "./edits.js";
/** @import { Lab } from "./lab.js" */
/** @import { Attributes, Intent, Subtopic } from "./types.js" */

const WANTS = { informational: "many pages", navigational: "one page" };

export function intentsPanel(/** @type {Lab} */ view) {
  const { intents } = view.history.page.topic;
  const dozens = crowded(view.history.page.topic);
  const chips = () => h("span", { class: "dm-legend" }, intents.map((intent, place) =>
    h("span", { class: "dm-chip", title: intent.label || null }, mark(view.marks, place), `${intent.id} ${percent(intent.probability)}`, intent.kind === "navigational" ? h("span", { class: "dm-quiet", title: `navigational: the reader wants ${WANTS.navigational}` }, "nav.") : null)));
  const toggled = (/** @type {boolean} */ open) => {
    if (open === view.intentsOpen) return;
    view.intentsOpen = open;
    view.draw(); // what is closed is made when it is asked for: most readers never do
  };
  return h("details", { class: "dm-intents", open: view.intentsOpen, ontoggle: (event) => toggled(event.target.open) },
    h("summary", { "data-key": "intents" }, dozens ? view.search.told() : view.mixing.shown ? "What a hundred readers want" : chips()),
    view.intentsOpen ? panelOf(view) : null);
}

/** What is below the line that opens. @param {Lab} view */
function panelOf(view) {
  const { topic } = view.history.page;
  const { intents } = topic;
  const total = allOf(intents);
  const rows = crowded(topic) ? manyRows(view) : intents.flatMap((intent, place) => [
    intentRow(view, intent, place),
    ...(view.levels ? intent.children.map((child, i) => childRow(view, intent, place, child, i)) : []),
  ]);
  const full = intents.length >= MOST_INTENTS;
  return [
    h("table", { class: "dm-panel" },
      h("thead", {}, h("tr", {}, ["", "intent", "what a reader wants", "probability", "kind", ""].map((name) => (name ? h("th", { scope: "col" }, name) : h("td"))))),
      h("tbody", {}, rows)),
    h("div", { class: "dm-row" },
      h("button", { "data-key": "intent-add", disabled: full, title: full ? `${MOST_INTENTS} intents are all that shapes can tell apart` : null, onclick: () => view.edit(intentAdded, "a new intent; the others share what is left") }, "+ intent"),
      h("label", {}, h("input", { type: "checkbox", checked: view.rescale, "data-key": "rescale", onchange: (event) => (view.rescale = event.target.checked) }), " the other probabilities rescale"),
      Math.abs(total - 1) > 1e-6
        ? h("button", { "data-key": "normalise", onclick: () => view.edit((now) => withIntents(now, normalised(now.topic.intents)), "probabilities divided by their sum") }, `they sum to ${total.toFixed(4)}: divide by the sum`)
        : h("span", { class: "dm-quiet" }, "they sum to 1"))];
}

/** The rows of dozens of intents: those that no list serves in one line, subtopics below their intent, as one line
 * each of which opens; what is being looked for is always there. @param {Lab} view */
function manyRows(view) {
  const { topic } = view.history.page;
  const { search, opened } = view;
  const away = new Set(search.folded());
  const seen = (/** @type {string} */ key) => !away.has(key) || search.found.has(key);
  const rows = topic.intents.flatMap((intent, place) => {
    if (!intent.children.length) return seen(intent.id) ? [intentRow(view, intent, place)] : [];
    const keys = intent.children.map((child) => `${intent.id}/${child.id}`);
    const open = opened.has(intent.id);
    const children = intent.children.flatMap((child, i) => (search.found.has(keys[i]) || (open && !away.has(keys[i])) ? [childRow(view, intent, place, child, i)] : []));
    const here = keys.filter((key) => search.here.has(key)).length;
    const toggle = () => {
      if (!opened.delete(intent.id)) opened.add(intent.id);
      view.draw();
    };
    return [intentRow(view, intent, place), lineOf(`${intent.children.length} subtopics, ${here} served here, probability ${intent.probability.toFixed(4)} together`, `group|${intent.id}`, open, toggle), ...children];
  });
  const folded = search.words();
  return folded ? [...rows, lineOf(folded, "fold-rows", search.open, () => search.toggle())] : rows;
}

/** A line of the panel that opens. @param {string} text @param {string} key @param {boolean} open @param {() => void} toggle */
function lineOf(text, key, open, toggle) {
  return h("tr", { class: "dm-line" }, h("td", {}), h("td", { colspan: 5 },
    h("button", { class: "dm-bare", "data-key": key, "aria-expanded": String(open), onclick: toggle }, open ? "▾ " : "▸ ", text)));
}

function percent(/** @type {number} */ value) {
  return value.toFixed(value > 0 && value < 0.005 ? 4 : 2).replace(/^0/, "");
}

/** What nuggets say are sentences: they take the lines that they need. @param {Lab} view */
function sentence(view) {
  return crowded(view.history.page.topic) ? "textarea" : "input";
}

function intentRow(/** @type {Lab} */ view, /** @type {Intent} */ intent, /** @type {number} */ place) {
  const { intents } = view.history.page.topic;
  const key = (/** @type {string} */ name) => `intent|${place}|${name}`;
  /** @param {Partial<Intent>} part @param {string} said */
  const change = (part, said) => view.edit((now) => withIntent(now, place, part), said);
  /** @param {string} name @param {string} title @param {() => void} onclick @param {Attributes<"button">} [more] */
  const button = (name, title, onclick, more = {}) => h("button", { class: "dm-bare", "data-key": key(name), title, "aria-label": title, onclick, ...more }, name === "child" ? "+ sub" : "✕");
  return h("tr", { "data-intent-row": intent.id, "data-of": intent.id },
    h("td", {}, mark(view.marks, place)),
    h("td", {}, field(key("name"), intent.id, `name of intent ${intent.id}`, (text) => view.edit((now) => intentRenamed(now, place, text), (now) => `${intent.id} is now called ${now.topic.intents[place].id}`))),
    h("td", { class: "dm-wide" }, field(key("label"), intent.label, `what a reader of ${intent.id} wants`, (text) => change({ label: text }, `${intent.id}: ${text}`), {}, sentence(view))),
    h("td", {}, chance(view, key("probability"), intent, intents.length,
      (wanted) => view.edit((now) => withIntents(now, withProbability(now.topic.intents, place, wanted, view.rescale)), `${intent.id}: probability ${wanted}`))),
    h("td", {}, h("select", { "data-key": key("kind"), "aria-label": `kind of ${intent.id}`, onchange: (event) => change({ kind: /** @type {Intent["kind"]} */ (event.target.value) }, `${intent.id} is ${event.target.value}`) },
      Object.entries(WANTS).map(([kind, wants]) => h("option", { value: kind, selected: kind === intent.kind }, `${kind}: ${wants}`)))),
    h("td", { class: "dm-nowrap" },
      view.levels ? button("child", `add a second-level subtopic to ${intent.id}`, () => view.edit((now) => childAdded(now, place), `a new subtopic of ${intent.id}`)) : null,
      button("remove", `remove intent ${intent.id}`, () => view.edit((now) => intentRemoved(now, place), `${intent.id} removed; the others rescaled`), { disabled: intents.length === 1 })));
}

/** @param {Lab} view @param {Intent} intent @param {number} place @param {Subtopic} child @param {number} i */
function childRow(view, intent, place, child, i) {
  const key = (/** @type {string} */ name) => `child|${place}|${i}|${name}`;
  const name = `${intent.id}/${child.id}`;
  /** @param {(all: Subtopic[]) => Subtopic[]} f @param {string} said */
  const change = (f, said) => view.edit((now) => withIntent(now, place, { children: f(now.topic.intents[place].children) }), said);
  return h("tr", { class: "dm-second", "data-child-row": name, "data-of": name },
    h("td", {}),
    h("td", {}, field(key("name"), child.id, `name of subtopic ${name}`, (text) => view.edit((now) => childRenamed(now, place, i, text), (now) => `${name} is now called ${intent.id}/${now.topic.intents[place].children[i].id}`))),
    h("td", { class: "dm-wide" }, field(key("label"), child.label, `what ${name} is about`, (text) => change((all) => all.map((e, j) => (j === i ? { ...e, label: text } : e)), `${name}: ${text}`), {}, sentence(view))),
    h("td", {}, chance(view, key("probability"), child, intent.children.length, (wanted) => change((all) => withProbability(all, i, wanted, view.rescale), `${name}: probability ${wanted}`))),
    h("td", { class: "dm-quiet" }, `within ${intent.id}`),
    h("td", {}, h("button", { class: "dm-bare", "data-key": key("remove"), title: `remove subtopic ${name}`, "aria-label": `remove subtopic ${name}`, onclick: () => view.edit((now) => childRemoved(now, place, i), `${name} removed`) }, "✕")));
}

/** The probability of one of `count`; the others rescale if the reader wants that.
 * @param {Lab} view @param {string} key @param {Subtopic} intent @param {number} count
 * @param {(wanted: number) => void} use */
function chance(view, key, intent, count, use) {
  const shown = String(Number(intent.probability.toPrecision(4)));
  return field(key, shown, `probability of ${intent.id}`, (text, input) => {
    const wanted = chanceOf(text);
    const refuse = (/** @type {string} */ why) => {
      view.say(why);
      input.value = input.defaultValue = shown;
    };
    if (!(wanted >= 0 && wanted <= 1)) refuse(`the probability of ${intent.id} is ${JSON.stringify(text)}, expected a number from 0 to 1 or a percentage; it stays ${shown}`);
    else if (count === 1 && view.rescale && wanted !== 1) refuse(`${intent.id} is the only intent, so its probability stays 1`);
    else use(wanted);
  }, { class: "dm-chance", inputmode: "decimal" });
}

/** A probability as people write it: 0.5, .5, 0,5 or 50 %; NaN for anything else. */
function chanceOf(/** @type {string} */ text) {
  const plain = plainNumber(text);
  const percentage = /^([0-9.]+)\s*%$/.exec(plain);
  if (percentage) return Number(percentage[1]) / 100;
  return plain === "" ? Number.NaN : Number(plain);
}
