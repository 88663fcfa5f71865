// @ts-check
// Every edit as a function from a page to the page after it. Nothing is changed in place.

import { sum } from "./common.js";
import { firstFree, placesOf, SHAPES, withMarks } from "./marks.js";
/** @import { Doc, Grades, Intent, Page, Side, Subtopic, Topic } from "./types.js" */

export const MOST_INTENTS = SHAPES.length;

const ONE_SUM = 1e-6; // between two sums of probabilities that are the same

/** A topic of more intents, or subtopics below them, than are read one by one: a reader looks for some of them. */
export function crowded(/** @type {Topic} */ topic) {
  return leaves(topic).length > 24;
}

/** What is judged: second-level subtopics, and intents without any; each with its key and p(t|q) p(e|t,q).
 * @param {Topic} topic */
export function leaves({ intents }) {
  return intents.flatMap((intent) => (intent.children.length
    ? intent.children.map((child) => ({ key: `${intent.id}/${child.id}`, intent, label: child.label, probability: intent.probability * child.probability }))
    : [{ key: intent.id, intent, label: intent.label, probability: intent.probability }]));
}

/** The keys of the labels that documents of the lists carry. @param {Page} page */
export function served({ docs, lists }) {
  const listed = new Set(Object.values(lists).flat());
  const labels = docs.flatMap(({ id, grades }) => (listed.has(id) ? Object.entries(grades ?? {}) : []));
  return new Set(labels.filter(([, grade]) => grade > 0).map(([key]) => key));
}

export function has(/** @type {{ id: string }[]} */ list, /** @type {string} */ id) {
  return list.some((item) => item.id === id);
}

/** Of several, the one with this id, which must be there. @template {{ id: string }} T @param {T[]} list @param {string} id */
export function byId(list, id) {
  const found = list.find((item) => item.id === id);
  if (!found) throw new Error(`${id} is not on the page`);
  return found;
}

export const intentIds = (/** @type {Topic} */ topic) => topic.intents.map((t) => t.id);

/** Move the document at one place of a list to another (places count from 0).
 * @param {Page} page @param {Side} side @param {number} from @param {number} to */
export function moved(page, side, from, to) {
  const docs = [...page.lists[side]];
  if (from === to || to < 0 || to >= docs.length) return page;
  docs.splice(to, 0, ...docs.splice(from, 1));
  return withList(page, side, docs);
}

export function withList(/** @type {Page} */ page, /** @type {Side} */ side, /** @type {string[]} */ docs) {
  return { ...page, lists: { ...page.lists, [side]: docs } };
}

export function without(/** @type {Page} */ page, /** @type {Side} */ side, /** @type {string} */ doc) {
  return withList(page, side, page.lists[side].filter((other) => other !== doc));
}

/** Put a document into a list, or move it there if the list has it.
 * @param {Page} page @param {Side} side @param {string} doc @param {number} at */
export function inserted(page, side, doc, at) {
  const docs = page.lists[side].filter((other) => other !== doc);
  docs.splice(Math.min(at, docs.length), 0, doc);
  return withList(page, side, docs);
}

/** A new document below this one, with the same labels: d3', then d3''.
 * @param {Page} page @param {Side} side @param {string} doc @returns {[Page, string]} */
export function copied(page, side, doc) {
  const original = byId(page.docs, doc);
  let id = `${doc}'`;
  while (has(page.docs, id)) id += "'";
  const copy = { ...original, id, about: original.about && `copy of ${doc}: ${original.about}` };
  return [inserted({ ...page, docs: [...page.docs, copy] }, side, id, page.lists[side].indexOf(doc) + 1), id];
}

/** A new document without labels at the end of a list. @param {Page} page @param {Side} side @returns {[Page, string]} */
export function invented(page, side) {
  let number = page.docs.length + 1;
  while (has(page.docs, `new${number}`)) number += 1;
  const doc = { id: `new${number}`, about: "", grades: {} };
  return [inserted({ ...page, docs: [...page.docs, doc] }, side, doc.id, page.lists[side].length), doc.id];
}

/** The keys of an intent's grades: its own, or those of its second-level subtopics too. @param {Intent} intent */
function keysOf(intent) {
  return [intent.id, ...intent.children.map((child) => `${intent.id}/${child.id}`)];
}

/** What is there under a key; an object has more names than its own, such as "constructor".
 * @param {Grades | null} grades @param {string} key */
export function gradeAt(grades, key) {
  return grades && Object.hasOwn(grades, key) ? grades[key] : 0;
}

/** The first-level grade: the largest of the second-level ones, or what was given itself.
 * @param {Pick<Doc, "grades">} doc @param {Intent} intent */
export function gradeOf(doc, intent) {
  if (doc.grades === null) return 0;
  return Math.max(0, ...keysOf(intent).map((key) => gradeAt(doc.grades, key)));
}

/** Are these the same labels, in whatever order? @param {Grades | null} a @param {Grades | null} b */
export function sameGrades(a, b) {
  if (!a || !b) return a === b;
  const entries = Object.entries(a);
  return entries.length === Object.keys(b).length && entries.every(([key, grade]) => Object.hasOwn(b, key) && b[key] === grade);
}

/** The grade that a click brings: the next one, and none after the largest. @param {number} grade @param {Topic} topic */
export function nextGrade(grade, { scale }) {
  return (grade + 1) % (scale + 1);
}

function withGrades(/** @type {Page} */ page, /** @type {string} */ id, /** @type {Grades} */ grades) {
  return { ...page, docs: page.docs.map((doc) => (doc.id === id ? { ...doc, grades } : doc)) };
}

/** The grade of a document for an intent or, with `child`, for one of its second-level subtopics.
 * @param {Page} page @param {string} id @param {Intent} intent @param {string | undefined} child
 * @param {number} grade */
export function graded(page, id, intent, child, grade) {
  const grades = { ...(byId(page.docs, id).grades ?? {}) };
  const put = (/** @type {string} */ key) => {
    if (grade) grades[key] = grade;
    else delete grades[key];
  };
  if (child) {
    const below = intent.children.map((other) => gradeAt(grades, `${intent.id}/${other.id}`));
    if (gradeAt(grades, intent.id) > Math.max(0, ...below)) delete grades[intent.id];
    put(`${intent.id}/${child}`);
  } else if (!intent.children.length) {
    put(intent.id);
  } else {
    // The subtopics that hold the largest grade carry it; a document without any begins with the first one.
    const now = gradeOf({ grades }, intent);
    const keys = keysOf(intent).slice(1);
    const holders = keys.filter((key) => now && grades[key] === now);
    delete grades[intent.id];
    if (!grade) for (const key of keys) delete grades[key];
    for (const key of keys) if (gradeAt(grades, key) > grade) put(key);
    for (const key of holders.length ? holders : keys.slice(0, 1)) put(key);
  }
  return withGrades(page, id, grades);
}

export function withIntents(/** @type {Page} */ page, /** @type {Intent[]} */ intents) {
  return { ...page, topic: { ...page.topic, intents } };
}

export function withIntent(/** @type {Page} */ page, /** @type {number} */ place, /** @type {Partial<Intent>} */ change) {
  return withIntents(page, page.topic.intents.map((t, i) => (i === place ? { ...t, ...change } : t)));
}

/** Can these intents be drawn as a ribbon of readers? @param {Intent[]} intents */
export function mixable({ length }) {
  return length > 1 && length <= MOST_INTENTS;
}

/** The sum of the probabilities. @param {Subtopic[]} intents */
export function allOf(intents) {
  return sum(intents.map((t) => t.probability));
}

/** Are two topics the same but for the probabilities of their intents, and these of one sum? @param {Topic} one @param {Topic} other */
export function onlyMixed(one, other) {
  const plain = (/** @type {Topic} */ topic) => JSON.stringify({ ...topic, intents: topic.intents.map((t) => ({ ...t, probability: 0 })) });
  return one === other || (plain(one) === plain(other) && Math.abs(allOf(one.intents) - allOf(other.intents)) < ONE_SUM);
}

/** One of several probabilities set; with `rescale` the others share what is left as they did before.
 * @template {Subtopic} T @param {T[]} intents @param {number} place @param {number} value @param {boolean} rescale
 * @returns {T[]} */
export function withProbability(intents, place, value, rescale) {
  const rest = allOf(intents.filter((_, i) => i !== place));
  return intents.map((t, i) => {
    if (i === place) return { ...t, probability: value };
    if (!rescale) return t;
    return { ...t, probability: rest ? (t.probability / rest) * (1 - value) : (1 - value) / (intents.length - 1) };
  });
}

/** The border between an intent and the next one moved: what these two have together stays, and so do all others.
 * @template {Subtopic} T @param {T[]} intents @param {number} place @param {number} value of the first of the two @returns {T[]} */
export function withBorder(intents, place, value) {
  const both = intents[place].probability + intents[place + 1].probability;
  const first = exact(Math.min(Math.max(value, 0), both));
  const changed = [first, exact(both - first)];
  return intents.map((t, i) => ({ ...t, probability: changed[i - place] ?? t.probability }));
}

/** Without what adding and subtracting leaves in the last digits. @param {number} value */
export function exact(value) {
  return Number(value.toFixed(12));
}

/** Probabilities divided by their sum, so that they sum to 1. @template {Subtopic} T @param {T[]} intents @returns {T[]} */
export function normalised(intents) {
  const total = allOf(intents);
  return intents.map((t) => ({ ...t, probability: total ? t.probability / total : 1 / intents.length }));
}

/** A name that a label can carry: no blanks, colons, slashes or quotation marks, and no other's.
 * @param {string} wanted @param {string[]} taken */
function freeName(wanted, taken) {
  const name = wanted.trim().replace(/[\s:/"]+/g, "-") || "intent";
  let free = name;
  for (let number = 2; taken.includes(free); number += 1) free = `${name}${number}`;
  return free;
}

/** Grades under other keys: rename(key) gives the new key, or null to drop it.
 * @param {Page} page @param {(key: string) => string | null} rename */
function rekeyed(page, rename) {
  const docs = page.docs.map((doc) => {
    if (doc.grades === null || Object.keys(doc.grades).every((key) => rename(key) === key)) return doc;
    const entries = Object.entries(doc.grades).map(([key, grade]) => [rename(key), grade]);
    return { ...doc, grades: Object.fromEntries(entries.filter(([key]) => key !== null)) };
  });
  return { ...page, docs };
}

export function intentRenamed(/** @type {Page} */ page, /** @type {number} */ place, /** @type {string} */ wanted) {
  const { intents } = page.topic;
  const old = intents[place].id;
  const name = freeName(wanted, intents.filter((_, i) => i !== place).map((t) => t.id));
  const rename = (/** @type {string} */ key) => (key === old ? name : key.startsWith(`${old}/`) ? name + key.slice(old.length) : key);
  return withIntent(rekeyed(page, rename), place, { id: name });
}

export function intentAdded(/** @type {Page} */ page) {
  const { intents } = page.topic;
  const share = 1 / (intents.length + 1);
  const id = freeName("new", intents.map((t) => t.id));
  const children = intents.some((t) => t.children.length) ? [{ id: "aspect", label: "", probability: 1 }] : [];
  const others = intents.map((t) => ({ ...t, probability: t.probability * (1 - share) }));
  const more = [...others, { id, label: "", probability: share, kind: /** @type {const} */ ("informational"), children }];
  const places = placesOf(intents);
  return withIntents(page, withMarks(more, [...places, firstFree(places)]));
}

export function intentRemoved(/** @type {Page} */ page, /** @type {number} */ place) {
  const { intents } = page.topic;
  const old = intents[place].id;
  const left = (/** @type {any[]} */ all) => all.filter((_, i) => i !== place);
  const dropped = rekeyed(page, (key) => (key === old || key.startsWith(`${old}/`) ? null : key));
  return withIntents(dropped, normalised(withMarks(left(intents), left(placesOf(intents)))));
}

export function childAdded(/** @type {Page} */ page, /** @type {number} */ place) {
  const intent = page.topic.intents[place];
  const share = 1 / (intent.children.length + 1);
  const id = freeName("aspect", intent.children.map((e) => e.id));
  const others = intent.children.map((e) => ({ ...e, probability: e.probability * (1 - share) }));
  const children = [...others, { id, label: "", probability: share }];
  // The first subtopic takes over what was said of the whole intent.
  const taken = intent.children.length ? page : rekeyed(page, (key) => (key === intent.id ? `${key}/${id}` : key));
  return withIntent(taken, place, { children });
}

export function childRemoved(/** @type {Page} */ page, /** @type {number} */ place, /** @type {number} */ child) {
  const intent = page.topic.intents[place];
  const key = `${intent.id}/${intent.children[child].id}`;
  const left = intent.children.filter((_, i) => i !== child);
  // What was said of the last one is said of the intent.
  const kept = rekeyed(page, (other) => (other === key ? (left.length ? null : intent.id) : other));
  return withIntent(kept, place, { children: left.length ? normalised(left) : [] });
}

/** @param {Page} page @param {number} place @param {number} child @param {string} wanted */
export function childRenamed(page, place, child, wanted) {
  const intent = page.topic.intents[place];
  const old = `${intent.id}/${intent.children[child].id}`;
  const name = freeName(wanted, intent.children.filter((_, i) => i !== child).map((e) => e.id));
  const children = intent.children.map((e, i) => (i === child ? { ...e, id: name } : e));
  return withIntent(rekeyed(page, (key) => (key === old ? `${intent.id}/${name}` : key)), place, { children });
}
