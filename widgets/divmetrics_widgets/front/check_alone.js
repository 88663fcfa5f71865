// @ts-check
// What is said of an answer to an exercise without a kernel: Python was asked of every answer, here it is looked up.

import { brokenRule } from "./check_lists.js";
import { plainNumber } from "./common.js";
import { remember, storage } from "./kept.js";
/** @import { PageModel } from "./page_model.js" */
/** @import { CheckTables, NumberForm, Runs, Verdict } from "./types.js" */

/** @param {PageModel} model @param {CheckTables | {}} tables @param {number} number of the check on its page, from 1 */
export function checkAlone(model, tables, number) {
  if (!("right" in tables)) return;
  const key = `divmetrics-check ${location.pathname} ${number}`;
  const look = () => model.tell("_told", toldOf(model.get("answer"), tables));
  model.answer = () => {
    look();
    remember(key, model.get("answer"));
  };
  const before = storage()?.getItem(key);
  if (!before) return;
  model.tell("answer", before);
  look();
}

/** @param {string} text what is in the fields, line by line @param {CheckTables} tables @returns {Verdict} */
function toldOf(text, tables) {
  if (!text.trim()) return tables.none;
  return ("texts" in tables ? tried(text, tables) : ruled(text.split("\n"), tables)) ?? [tables.malformed, tables.expected];
}

/** What was said of an answer when it was tried; undefined where there is none like it.
 * @param {string} text @param {Extract<CheckTables, { texts: unknown }>} tables @returns {Verdict | undefined} */
function tried(text, tables) {
  if (!("each" in tables)) {
    const place = "options" in tables ? placeOfSeveral(text, tables) : placeOfNumber(text, tables);
    return tables.texts[at(tables.runs, place)];
  }
  const lines = text.split("\n");
  const found = tables.runs.map((runs, i) => tables.texts[at(runs, placeOfNumber(lines[i] ?? "", tables.each))]);
  if (!found.every(Boolean)) return undefined;
  return found.find(([verdict]) => verdict !== tables.right[0]) ?? tables.right;
}

/** @param {string[]} lines @param {Extract<CheckTables, { rules: unknown }>} tables @returns {Verdict | undefined} */
function ruled(lines, tables) {
  const broken = brokenRule(lines, tables);
  if (broken === null) return undefined;
  return broken ? [tables.malformed, broken] : tables.right;
}

/** Which text stands at a place of the runs; -1 for none. @param {Runs} runs @param {number} place */
function at(runs, place) {
  let seen = 0;
  for (const [count, told] of place < 0 ? [] : runs) {
    seen += count;
    if (place < seen) return told;
  }
  return -1;
}

/** Among all numbers of the form, ascending; -1 for none of them.
 * @param {string} text @param {NumberForm} form */
function placeOfNumber(text, { low, high, decimals }) {
  const read = /^([+\-\u2212]?)(\d*)(?:\.(\d*))?$/.exec(plainNumber(text));
  if (!read || !(read[2] || read[3])) return -1;
  const [, sign, whole, behind = ""] = read;
  const exact = behind.replace(/0+$/, "");
  if (exact.length > decimals || whole.length > 9) return -1;
  const steps = Number(whole + exact.padEnd(decimals, "0")) * (sign === "-" || sign === "\u2212" ? -1 : 1);
  const scale = 10 ** decimals;
  return steps > high * scale ? -1 : Math.max(-1, steps - low * scale);
}

/** Among all things in order, the last changing first; -1 where one is no option. As in Python, they may stand in
 * quotes and brackets; letters may stand together. @param {string} text @param {{ options: string[][], word: string }} form */
function placeOfSeveral(text, { options, word }) {
  const words = text.match(new RegExp(word, "g")) ?? [];
  const letters = words.length === 1 && options.length > 1 && options.flat().every((option) => option.length === 1);
  const things = letters ? [...words[0]] : words;
  if (things.length !== options.length) return -1;
  return things.reduce((place, thing, i) => {
    const at = options[i].indexOf(thing);
    return place < 0 || at < 0 ? -1 : place * options[i].length + at;
  }, 0);
}
