// @ts-check
// A page as text, as divmetrics/notebook/textformat/lab_text.py writes it; written here as well, so that a reader can take her lists with
// her when there is no kernel. A test holds the two together.

/** @import { Doc, Page } from "./types.js" */

/** @param {Page} page */
export function written({ topic, docs, lists, metrics }) {
  const line = (/** @type {string[]} */ ...words) => words.filter(Boolean).join(" ");
  /** @param {Doc} doc */
  const judged = ({ grades }) => (grades === null ? ["?"] : Object.entries(grades).map(([key, grade]) => word(`${key}:${grade}`)));
  return [
    line("topic", word(topic.id), quoted(topic.title)),
    line("scale", String(topic.scale), topic.adhoc > 1 ? String(topic.adhoc) : ""),
    ...topic.intents.flatMap((t) => [
      line("intent", word(t.id), share(t.probability), t.kind, t.mark ?? "", quoted(t.label)),
      ...t.children.map((e) => `  ${line("subtopic", word(e.id), share(e.probability), quoted(e.label))}`),
    ]),
    ...docs.map((doc) => {
      const labels = judged(doc);
      // Where a quoted label comes last, even an empty text keeps it from being read as the text.
      return line("doc", word(doc.id), ...labels, quoted(doc.about) || (labels.at(-1)?.startsWith('"') ? '""' : ""));
    }),
    ...Object.entries(lists).map(([side, listed]) => line(side, ...listed.map(word))),
    line("metrics", ...metrics.map(word)),
  ].join("\n");
}

function quoted(/** @type {string} */ text) {
  return text ? JSON.stringify(text) : "";
}

/** Quoted only where it has to be; what counts as a blank is Python's to say. @param {string} text */
function word(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are blanks in Python, but not in JavaScript
  return /^[^\s"\x1c-\x1f\x85]+$/.test(text) ? text : JSON.stringify(text);
}

/** The shortest text that reads back as the very same number: 1/3 rather than 0.3333333333333333. @param {number} value */
function share(value) {
  const whole = value < 1e-4 && value ? value.toExponential().replace(/e-(\d)$/, "e-0$1") : String(value);
  for (let below = 1; below < 100; below += 1) {
    const above = Math.round(value * below);
    const text = below === 1 ? String(above) : `${above}/${below}`;
    if (above / below === value) return text.length < whole.length ? text : whole;
  }
  return whole;
}
