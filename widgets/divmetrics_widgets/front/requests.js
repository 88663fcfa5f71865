// @ts-check
// What a view asks its kernel, apart from edits: a message { id, kind, args } is answered by { id, result }, of some kinds
// by several, or by { id, error }, a sentence. Every view asks for itself, and an answer finds its way by the id.

/** @import { Answers, Model, Reply } from "./types.js" */

/** @template Result @typedef {(reply: Reply<Result>) => void} Hear */

export class Requests {
  constructor(/** @type {Model<any>} */ model) {
    this.model = model;
    this.open = /** @type {Map<string, { message: object, hear: Hear<never>, answered: boolean }>} */ (new Map());
    model.on("msg:custom", ({ id, ...reply }) => {
      const asked = this.open.get(id);
      if (!asked) return;
      asked.answered = true;
      asked.hear(reply);
    });
  }

  /** Ask; what is returned ends the waiting.
   * @template {keyof Answers} Kind @param {Kind} kind @param {object} args @param {Hear<Answers[Kind]>} hear */
  send(kind, args, hear) {
    const id = Math.random().toString(36).slice(2); // no other view has the same
    const message = { id, kind, args };
    this.open.set(id, { message, hear, answered: false });
    this.model.send(message);
    return () => { this.open.delete(id); };
  }

  /** The connection is back: what was asked before may have gone nowhere. */
  again() {
    for (const { message, answered } of this.open.values()) if (!answered) this.model.send(message);
  }

  /** Nobody answers any more: whoever waits hears nothing, and stops. */
  end() {
    for (const { hear, answered } of this.open.values()) if (!answered) hear({});
    this.open.clear();
  }
}
