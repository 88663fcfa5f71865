// @ts-check
// What was written to a connection that was dead already. A browser may take minutes to notice that; until then
// whatever is written goes nowhere. ipywidgets then waits for its answer for ever, holds back all that the model
// writes after it, and takes the kernel's older values when the connection is back.

/** @import { Message, Model, Synced } from "./types.js" */

const ANSWERED = { content: { execution_state: "idle" } };

export class Unheard {
  constructor(/** @type {Model<any>} */ model) {
    this.model = model;
    this.synced = /** @type {Synced | null} */ (null); // the model of ipywidgets behind ours
    this.names = /** @type {Set<string>} */ (new Set()); // traits that were written
    this.open = /** @type {Set<string>} */ (new Set()); // messages without an answer, by id
    this.lost = /** @type {Set<string>} */ (new Set()); // those of a connection that is no more
    this.values = /** @type {Record<string, unknown>} */ ({}); // of the traits, when the connection was back
    model.on("change", (synced) => { this.synced = synced; });
  }

  wrote(/** @type {string} */ name) {
    this.names.add(name);
  }

  sent(/** @type {Message} */ { header, content }) {
    if (content.comm_id !== undefined && content.comm_id === this.synced?.comm?.comm_id) this.open.add(header.msg_id);
  }

  answered(/** @type {string | undefined} */ id = "") {
    this.open.delete(id);
    this.lost.delete(id);
  }

  disconnected() {
    for (const id of this.open) this.lost.add(id);
    this.open.clear();
  }

  connected() {
    if (this.lost.size) this.values = Object.fromEntries([...this.names].map((name) => [name, this.model.get(name)]));
  }

  /** The kernel's values are in the model, and it has answered what reached it. */
  restored() {
    const { lost, model, synced, values } = this;
    if (!lost.size) return;
    for (const _ of lost) synced?._handle_status?.(ANSWERED);
    lost.clear();
    for (const [name, value] of Object.entries(values)) {
      if (JSON.stringify(model.get(name)) !== JSON.stringify(value)) model.set(name, value);
    }
    model.save_changes();
  }
}
