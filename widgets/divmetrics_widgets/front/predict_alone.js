// @ts-check
// A prediction without a kernel: the browser keeps it until its tab is closed. How it is compared with what came out: Python
// has written every sentence.

import { fixed } from "./common.js";
import { remember, storage } from "./kept.js";
/** @import { PageModel } from "./page_model.js" */
/** @import { FoundTable, Value } from "./types.js" */

/** @param {PageModel} model @param {unknown} _ @param {number} number of the prediction on its page, from 1 */
export function predictAlone(model, _, number) {
  const key = `divmetrics-predict ${location.pathname} ${number} ${model.get("_question")}`;
  const before = storage()?.getItem(key);
  if (before) model.tell("answer", JSON.parse(before));
  model.answer = () => remember(key, JSON.stringify(model.get("answer")));
}

/** @param {PageModel} model @param {FoundTable} tables @param {number} _ @param {Map<string, PageModel>} models by their ids */
export function foundAlone(model, { of, told, ...answer }, _, models) {
  const prediction = models.get(of);
  if (!prediction) return;
  const compare = () => {
    const given = prediction.get("answer");
    model.tell("_predicted", given !== null);
    model.tell("_words", wordsOf(given, answer, told));
  };
  prediction.on("change:answer", compare);
  if (prediction.get("answer") !== null) compare();
}

/** @param {Value | null} given @param {Omit<FoundTable, "of" | "told">} answer @param {Record<string, string>} told */
function wordsOf(given, { value, within, relative }, told) {
  if (given === null) return told.none;
  if (typeof given === "string" || value === null) return (told[`choice ${given}`] ?? told.text).replace("{given}", String(given));
  const off = Math.abs(given - value);
  const near = (/** @type {number} */ limit) => off <= Math.max(limit, relative * Math.max(Math.abs(given), Math.abs(value)));
  const words = told[near(0) ? "same" : near(within) ? "near" : "far"];
  return words.replace("{given}", sixDigits(given)).replace("{off}", sixDigits(off));
}

/** As Python's "g" writes it. @param {number} value */
function sixDigits(value) {
  const [digits, power] = value.toExponential(5).split("e");
  const whole = digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
  const exponent = Number(power);
  if (exponent < -4 || exponent > 5) return `${whole}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  const text = fixed(Number(value.toExponential(5)), Math.max(0, 5 - exponent));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
