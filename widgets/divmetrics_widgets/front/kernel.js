// @ts-check
// Is the kernel there? Learned from the front end, and said in every view of a widget.

import { all, attribute, frame, guarded, h, put } from "./common.js";
import { Keeper } from "./kept.js";
import { Requests } from "./requests.js";
import { Unheard } from "./unheard.js";
/** @import { Manager, Message, Model, Signal, Traits } from "./types.js" */
/** @import { Given, View } from "./view.js" */

/** @typedef {"here" | "away" | "gone" | "never"} State */

const ENDED = ["restarting", "autorestarting", "terminating", "dead"];
const SOON = 1000; // milliseconds after which a reader asks herself what is the matter
const LONG = 10 * SOON; // and after which that is said even where nobody knows

/** The kernel of one model: it is "here", "away" (the connection is lost) or, for ever, "gone". On a page of the book there
 * never was one, and the model itself answers.
 *
 * In Jupyter's own front ends a widget's manager has the connection to the kernel. Where there is none, or
 * one of another kind, the kernel counts as here, and only its silence is told. */
export class Kernel {
  constructor(/** @type {Model<any>} */ model) {
    this.connection = model.widget_manager?.kernel;
    this.state = /** @type {State} */ (model.alone ? "never" : "here");
    this.lost = 0; // the timer of a connection that is lost
    this.cells = /** @type {Set<string | undefined>} */ (new Set()); // those that run, each by the message that began it
    this.process = ""; // every kernel process writes a name of its own into its messages
    this.views = /** @type {Set<() => void>} */ (new Set()); // functions to be called when anything of this has changed
    this.signals = /** @type {(() => void)[]} */ ([]);
    this.unheard = new Unheard(model);
    this.requests = new Requests(model);
    const { connection, unheard } = this;
    // A cell that runs already has been heard of by others.
    if (connection?.status === "busy") this.cells.add("earlier");
    this.hear(connection?.statusChanged, (status) => {
      if (ENDED.includes(status)) this.become("gone");
      else if (status === "idle") this.cells.delete("earlier");
    });
    this.hear(connection?.disposed, () => this.become("gone"));
    this.hear(connection?.connectionStatusChanged, (status) => this.reached(status === "connected"));
    this.hear(connection?.anyMessage, ({ msg, direction }) => {
      if (direction === "recv") this.received(msg);
      else if (connection?.connectionStatus === "connected") unheard.sent(msg); // else it waits for the connection
    });
    this.hear(model.widget_manager?.restored, () => unheard.restored());
  }

  /** Does anybody answer what is asked now? */
  get answers() {
    return this.state === "here" || this.state === "never";
  }

  /** What another kind of front end calls a signal may be something else.
   * @template Told @param {Signal<Told> | undefined} signal @param {(told: Told) => void} f */
  hear(signal, f) {
    if (typeof signal?.connect !== "function") return;
    const slot = (/** @type {unknown} */ _, /** @type {Told} */ told) => f(told);
    signal.connect(slot);
    this.signals.push(() => signal.disconnect(slot));
  }

  end() {
    clearTimeout(this.lost);
    for (const disconnect of this.signals.splice(0)) disconnect();
  }

  become(/** @type {State} */ state) {
    if (this.state === state) return;
    this.state = state;
    this.cells.clear();
    if (state === "gone") {
      this.end();
      this.requests.end();
    }
    this.changed();
  }

  changed() {
    for (const view of this.views) view();
  }

  /** A connection that comes back at once was not worth a word. @param {boolean} connected */
  reached(connected) {
    clearTimeout(this.lost);
    if (connected) this.unheard.connected();
    else this.unheard.disconnected();
    if (connected) {
      this.requests.again();
      this.become("here");
    } else this.lost = setTimeout(() => this.become("away"), SOON / 2);
  }

  /** @param {Message} message */
  received({ channel, header, parent_header: parent, content }) {
    const state = header.msg_type === "status" && content.execution_state;
    if (state === "idle") this.unheard.answered(parent?.msg_id);
    // Who restarts a kernel elsewhere tells us nothing; but the new process signs as another. What the server
    // says by itself answers no message.
    if (parent?.msg_id || state === "starting") {
      if (this.process !== header.session && (this.process || state === "starting")) return this.become("gone");
      this.process = header.session;
    }
    if (channel === "iopub" && header.msg_type === "shutdown_reply") return this.become("gone");
    if (state && parent?.msg_type === "execute_request") {
      if (state === "busy") this.cells.add(parent.msg_id);
      else this.cells.delete(parent.msg_id);
      this.changed();
    }
  }
}

/** What one view says about its kernel, and does without it. */
class Attendance {
  constructor(/** @type {View<any>} */ view) {
    this.view = view;
    this.root = view.root;
    this.kernel = view.kernel;
    this.clock = 0; // the timer that counts the seconds of waiting
    this.since = 0;
    this.said = h("p", { class: "dm-kernel", tabindex: -1, id: `dm-kernel-${Math.random().toString(36).slice(2)}` });
    this.state = /** @type {State} */ ("here");
    if (this.kernel.state === "never") this.root.append(this.said); // nobody waits for it
    else this.root.prepend(this.said);
    this.redrawn = new MutationObserver((changes) => this.disable(added(changes)));
    this.keeper = new Keeper(view);
    view.keep = () => this.keeper.keep();
  }

  start() {
    const changed = () => guarded(this.root, () => this.changed());
    const pending = new MutationObserver(() => this.wait());
    pending.observe(this.root, { attributeFilter: ["data-pending"] });
    this.kernel.views.add(changed);
    this.keeper.start();
    this.changed();
    this.wait();
    this.view.ends.push(() => {
      this.redrawn.disconnect();
      pending.disconnect();
      clearInterval(this.clock);
      this.kernel.views.delete(changed);
    });
  }

  changed() {
    const { state } = this.kernel;
    const before = this.state;
    this.state = state;
    this.tell();
    if (state === before) return;
    this.root.toggleAttribute("data-stopped", !this.kernel.answers);
    if (!this.kernel.answers) this.view.stopped();
    this.keeper.changed();
    this.disable();
    if (state === "here") this.redrawn.disconnect();
    else this.redrawn.observe(this.root, { childList: true, subtree: true });
  }

  /** An answer is waited for, or has come. */
  wait() {
    const pending = this.root.hasAttribute("data-pending");
    if (pending === Boolean(this.clock)) return;
    clearInterval(this.clock);
    this.clock = pending ? setInterval(() => this.tell(), SOON) : 0;
    this.since = performance.now();
    this.tell();
  }

  tell() {
    const text = this.text();
    put(this.said, text);
    const live = this.state === "never" && text && liveLink();
    if (live) this.said.append(" ", live);
    this.said.toggleAttribute("data-gone", !this.kernel.answers);
    // What counts the seconds is not read aloud each time.
    if (!text || this.state === "never" || text.startsWith("The kernel has not")) this.said.removeAttribute("role");
    else attribute(this.said, "role", "alert");
  }

  text() {
    const { kept, follow } = this.view.words;
    if (this.state === "never") return this.view.beyond && `This page answers ${this.view.within}; ${this.view.without} needs Python.`;
    if (this.state === "gone") return `The kernel has stopped${kept && `; ${kept}`}: run the cell again.`;
    if (this.state === "away") return `The connection to the kernel is lost${kept && `; ${kept}`}. When it is back, ${follow}.`;
    const waited = this.clock ? performance.now() - this.since : 0;
    if (waited >= SOON - 50 && this.kernel.cells.size) return `The kernel is busy with another cell; ${follow} when it is done.`;
    if (waited >= LONG) return `The kernel has not answered for ${10 * Math.floor(waited / LONG)} s.`;
    return "";
  }

  /** A selector of the controls that are nothing now. */
  get needs() {
    return this.state === "never" ? this.view.beyond : this.view.needs;
  }

  /** What needs a kernel cannot be used without; a redraw brings new controls. @param {Element[]} within what is looked at */
  disable(within = [this.root]) {
    const { root, said } = this;
    if (this.state === "here") {
      for (const control of controls(root, "[data-needs-kernel]")) {
        control.disabled = false;
        control.removeAttribute("data-needs-kernel");
        control.removeAttribute("aria-describedby");
      }
    } else if (this.needs) {
      for (const control of within.flatMap((element) => controls(element, this.needs))) {
        if (control.disabled) continue;
        if (control.contains(document.activeElement)) said.focus({ preventScroll: true }); // else nothing had the focus
        control.disabled = true;
        control.setAttribute("data-needs-kernel", "");
        control.setAttribute("aria-describedby", said.id);
      }
    }
  }
}

/** To where a page of the book can be opened with a kernel, or else to how one gets it; null where nobody has said. */
export function liveLink() {
  const link = (/** @type {string} */ name, /** @type {string} */ text) => {
    const address = document.querySelector(`meta[name="divmetrics-${name}"]`)?.getAttribute("content");
    return address ? h("a", { href: address }, text) : null;
  };
  return link("live", "Open it live.") ?? link("install", "How to run it.");
}

function controls(/** @type {Element} */ element, /** @type {string} */ selector) {
  const found = element.matches(selector) ? [element, ...all(element, selector)] : all(element, selector);
  return /** @type {HTMLButtonElement[]} */ (found); // or another element that can be disabled
}

/** @param {MutationRecord[]} changes */
function added(changes) {
  return changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node instanceof Element);
}

/** A module's export: every view is a Kind in a frame of its own.
 * @template {Traits} T @param {string} name
 * @param {new (given: Given<T>) => View<T>} Kind */
export function widget(name, Kind) {
  return () => {
    /** @type {Kernel} */
    let kernel; // of this model: a function as the export gives each model one of its own
    return {
      /** @param {{ model: Model<T> }} props */
      initialize({ model }) {
        kernel = new Kernel(model);
        return () => kernel.end();
      },
      /** @param {{ model: Model<T>, el: HTMLElement }} props */
      render({ model, el }) {
        const root = frame(name, el);
        return guarded(root, () => {
          kernel ??= new Kernel(model);
          const view = new Kind({ model, root, kernel });
          const attendance = new Attendance(view);
          view.start();
          attendance.start();
          return () => {
            for (const end of view.ends.splice(0)) end();
          };
        });
      },
    };
  };
}
