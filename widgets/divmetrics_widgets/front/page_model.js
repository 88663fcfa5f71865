// @ts-check
// A widget's model on a page that no kernel stands behind: the traits that Python knew, and an answer to what is written.

/** @import { Traits } from "./types.js" */

export class PageModel {
  /** @param {Traits & Record<string, any>} traits @param {(model: PageModel, written: Set<string>) => void} answer */
  constructor(traits, answer) {
    this.traits = traits;
    this.answer = answer;
    this.written = /** @type {Set<string>} */ (new Set());
    this.heard = /** @type {Map<string, Set<(told?: any) => void>>} */ (new Map());
    /** By kind, what answers a request. @type {Record<string, (args: any) => object>} */
    this.answers = {};
    this.alone = true; // no kernel: see kernel.js
    this.opened = false; // as a link has it
    /** Why a page of a lab is beyond the tables; "" where it is not. @type {(page: any) => string} */
    this.refuses = () => "";
    /** The address of a lab as it is now. */
    this.address = () => location.href;
  }

  get(/** @type {string} */ name) {
    return this.traits[name];
  }

  /** @param {string} name @param {any} value */
  set(name, value) {
    this.written.add(name);
    this.tell(name, value);
  }

  save_changes() {
    const { written } = this;
    this.written = new Set();
    this.answer(this, written);
  }

  /** What the kernel would write. @param {string} name @param {any} value */
  tell(name, value) {
    if (this.traits[name] === value) return;
    this.traits[name] = value;
    this.call(`change:${name}`);
  }

  /** Answer a request; of a kind that needs Python nobody hears again. @param {{ id: string, kind: string, args: any }} request */
  send({ id, kind, args }) {
    const answer = this.answers[kind];
    if (answer) this.call("msg:custom", { id, result: answer(args) });
  }

  /** @param {string} event @param {unknown} [told] */
  call(event, told) {
    for (const hear of [...(this.heard.get(event) ?? [])]) hear(told);
  }

  /** @param {string} names @param {(told?: any) => void} hear */
  on(names, hear) {
    for (const name of names.split(" ")) this.heard.set(name, (this.heard.get(name) ?? new Set()).add(hear));
  }

  /** @param {string} names @param {(told?: any) => void} hear */
  off(names, hear) {
    for (const name of names.split(" ")) this.heard.get(name)?.delete(hear);
  }
}
