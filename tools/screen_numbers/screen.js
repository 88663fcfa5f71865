// What the screen shows of one widget of the page, `arguments[0]` among all of them, as text by its place. No attribute
// that only the program reads is used for a number.
const root = document.querySelectorAll("[data-widget]")[arguments[0]];
const all = (selector, within = root) => [...within.querySelectorAll(selector)].filter((e) => e.checkVisibility());
const text = (e) => (e?.checkVisibility({ visibilityProperty: true }) ? e.innerText.replace(/\s+/g, " ").trim() : "");
const texts = (selector, within) => all(selector, within).map(text);
const cells = (row) => [...row.children].map(text);
const only = (selector, within = root) => text(within.querySelector(selector));
const choice = () => text(root.querySelector("select[data-key=metric]")?.selectedOptions[0]) || root.querySelector("select[data-key=metric]")?.value || "";
const title = only(".dm-title").replace(/ topic .*$/, "");

const lists = () => Object.fromEntries(all("[role=grid][data-list]").map((grid) => [grid.dataset.list, {
  rows: all("tbody tr[data-doc]", grid).map((row) => ({
    doc: row.dataset.doc, rank: only("[data-do=grip]", row), all: only("[data-earned]", row), seen: text(row.cells[1]),
    labels: all("button[data-do=grade]", row).map((label) => {
      const [grade, earned] = label.children.length > 1 ? [...label.children].map(text) : [text(label), null];
      return { of: [label.dataset.intent, label.dataset.child].filter(Boolean).join("/"), grade, earned, said: label.getAttribute("aria-label") };
    }),
  })),
  foot: all("tfoot tr", grid).map((row) => ({ name: text(row.cells[0]), sum: only(".dm-sum", row), of: all("[data-of]", row).map((cell) => [cell.dataset.of, text(cell)]) })),
}]));

const readers = {
  "ranked-list-lab": () => ({
    title, lists: lists(),
    scores: all(".dm-scores tbody tr").map((row) => ({ metric: text(row.cells[0]), cells: cells(row), A: only("[data-list=A]", row), B: only("[data-list=B]", row), tug: row.querySelector(".dm-rope")?.getAttribute("aria-label") })),
    verdict: only(".dm-verdict-box"), best: only(".dm-best-box"), parts: only(".dm-parts"), goal: only(".dm-goal"),
    shares: all("[data-segment]").map((e) => [e.dataset.segment, text(e)]),
    probabilities: all("[data-intent-row]").map((row) => [row.dataset.intentRow, row.querySelector("[data-key$='|probability']")?.value]),
    factors: all(".dm-light-line").map((line) => ({ values: texts(".dm-factor-value, .dm-times", line), product: only("[data-product]", line) })),
    words: only(".dm-light-words"), ranks: texts(".dm-rank-line"), walk: walk(), shared: root.querySelector("textarea.dm-state")?.value ?? "",
  }),
  "reader-walk": () => ({ title, metric: choice(), ...walk() }),
  "contributions-view": () => ({ title, metric: choice(), tables: tables() }),
  "hierarchy-lab": () => ({ title, lists: lists(), tables: tables(), cards: all(".dm-score-card").map((card) => ({ score: only("p", card), count: only("[data-count]", card) })) }),
  "disagreement-finder": () => ({
    title: / documents of (.+?)[;,]/.exec(only(".dm-kernel"))?.[1] ?? "", docs: Object.fromEntries(["A", "B"].map((side) => [side, all(`.dm-answer-lists [data-side=${side}]`).map((cell) => [cell.dataset.doc, text(cell)])])),
    scores: all(".dm-answer-scores tbody tr").map(cells), reasons: texts(".dm-reasons li"),
  }),
  "preference-judge": () => ({
    title, asked: only(".dm-asked"), place: only(".dm-row .dm-quiet"), pair: all(".dm-pair ol").map((list) => [...list.children].map((e) => only(".dm-quiet", e) || text(e))),
    outcomes: all(".dm-agreement").map((table) => ({ question: only("b", table), count: only("caption .dm-quiet", table), rows: [...table.tBodies].flatMap((body) => [...body.rows].map(cells)) })),
  }),
};

/** A table of contributions: its metric, rows of an intent, and their sums. */
function tables() {
  return all("table.dm-earnings").map((table) => ({
    metric: text(table.closest("section")?.querySelector("h4")).split(" = ")[0] || choice(),
    docs: [...table.tHead.rows[0].cells].slice(1, -1).map((cell) => cell.title),
    rows: [...table.tBodies].flatMap((body) => [...body.rows].map((row) => ({ of: row.dataset.intent ?? row.dataset.row ?? "", cells: cells(row).slice(1) }))),
    foot: cells(table.tFoot.rows[0]).slice(1),
  }));
}

function walk() {
  const box = root.querySelector(".dm-walk-list");
  if (!box) return null;
  return {
    heading: texts("h4").join(" "), step: root.querySelector("[data-step]").dataset.step, words: only(".dm-walk-words"), state: texts("[data-state], .dm-walk-state"),
    tiles: all(".dm-tile").map((tile) => [tile.dataset.group, only("[data-told]", tile)]),
    rows: all("tbody tr", box).map((row) => ({ doc: only(".dm-id", row) || cells(row)[1], worth: only("[data-worth]", row), holds: only("[data-basket]", row), cells: cells(row) })),
    end: cells(box.tFoot.rows[0]),
  };
}

const kind = root.dataset.widget;
return { kind, ...(readers[kind]?.() ?? {}), said: only(".dm-status"), problem: texts(".dm-problem").join(" ") };
