// @ts-check
// The numbers of a page on which a document has another grade, measured before it is given: the kernel is asked for them
// when a hand rests on a label, and when one is pressed, before it is let go.

import { closest } from "./common.js";
import { graded, has, nextGrade, sameGrades } from "./edits.js";
/** @import { Bench } from "./bench.js" */
/** @import { Foreseen, Grades, Page } from "./types.js" */

const LABEL_REST = 60; // milliseconds that a label has the focus, or the page is measured, before the kernel is asked

export class GradesAhead {
  constructor(/** @type {Bench<any>} */ view) {
    this.view = view;
    this.resting = 0; // a timer
    this.known = /** @type {{ of: string, doc: string, pages: Foreseen[] }} */ ({ of: "", doc: "", pages: [] });
    view.ends.push(() => clearTimeout(this.resting));
    view.root.addEventListener("focusin", () => this.rest());
    view.root.addEventListener("pointerdown", ({ target, button }) => { if (!button) this.ask(target, 1); }, true);
  }

  /** The label with the focus, when hands rest. */
  rest() {
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => {
      if (!this.view.pressed && !this.view.pending) this.ask(document.activeElement);
    }, LABEL_REST);
  }

  /** Ask for the numbers that one press would bring: a click or, where there may be `most`, a key.
   * @param {EventTarget | null} target @param {number} [most] */
  ask(target, most = Infinity) {
    const { view, view: { root, history: { name: of, page } } } = this;
    const label = target instanceof Element && root.contains(target) ? closest(target, '.dm-grid [data-do="grade"]') : null;
    const doc = label && closest(label, "[data-doc]")?.dataset.doc;
    if (!doc || !has(page.docs, doc) || !view.kernel.answers) return;
    if (this.known.of !== of || this.known.doc !== doc) this.known = { of, doc, pages: [] };
    const { known } = this;
    const grades = oneMore(page, doc, label).slice(0, most).filter((now) => !known.pages.some((then) => sameGrades(then.grades, now)));
    // An answer counts also when the page is past: the page after it may be the one that was measured.
    if (grades.length) view.request("grades", { of, doc, grades }, ({ result }) => {
      if (!result) return;
      known.pages.push(result);
      if (view.pending) view.soon(() => view.arrived());
    });
  }

  /** A page has other numbers now. @param {string | undefined} of */
  forget(of) {
    if (this.known.of === of) this.known.pages.length = 0;
  }

  /** What is known of the page where nothing but the grades of a document differs from the one measured last.
   * @param {Page} measured */
  find(measured) {
    const { of, doc, pages } = this.known;
    const { before, page: { docs } } = this.view.history;
    const others = docs.length === measured.docs.length && docs.every((now, at) => now === measured.docs[at] || (now.id === doc && measured.docs[at].id === doc && now.about === measured.docs[at].about));
    const now = docs.find(({ id }) => id === doc);
    if (of !== before || !others || !now) return undefined;
    return pages.find(({ grades }) => sameGrades(grades, now.grades));
  }
}

/** The grades that a document may have after one press of a label: the first one after a click, the others after a key.
 * @param {Page} page @param {string} doc @param {HTMLElement} label @returns {Grades[]} */
function oneMore(page, doc, { dataset }) {
  const { topic } = page;
  const intent = topic.intents.find(({ id }) => id === dataset.intent);
  const now = Number(dataset.grade);
  const digits = Array.from({ length: 10 }, (_, digit) => digit);
  const wanted = new Set([nextGrade(now, topic), now - 1, now + 1, ...digits].filter((grade) => grade >= 0 && grade <= topic.scale && grade !== now));
  if (!intent) return [];
  const pages = [...wanted].map((grade) => graded(page, doc, intent, dataset.child, grade));
  return pages.map(({ docs }) => docs.find(({ id }) => id === doc)?.grades ?? {});
}
