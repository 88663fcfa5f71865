// @ts-check
// What every widget uses.

import { OTHERS } from "./marks.js";
/** @import { Attributes, Child, Field, Mark, On, Traits } from "./types.js" */
/** @import { View } from "./view.js" */

/** An element: h("button", {class: "x", onclick: f, disabled: false}, "text", child, [more]).
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes<Tag>} [attributes] @param {Child[]} children */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {any} */ (value));
    else if (name === "value" && (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) element.defaultValue = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(.../** @type {any[]} */ (children).flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element of a drawing.
 * @param {string} tag @param {Record<string, string | number>} attributes @param {Element[]} children */
export function s(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** All elements within another that a selector means.
 * @param {Element} element @param {string} selector @returns {HTMLElement[]} */
export function all(element, selector) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(selector))];
}

/** The element that a selector means, among an element and those that it is in.
 * @param {Element} element @param {string} selector @returns {HTMLElement | null} */
export function closest(element, selector) {
  return element.closest(selector);
}

/** What a document is about, and its id small beside it; its id alone where nothing is known.
 * @param {string} id @param {string} about @returns {Child[]} */
export function named(id, about) {
  return about ? [h("b", { class: "dm-about" }, about), " ", h("span", { class: "dm-id" }, id)] : [h("b", {}, id)];
}

/** The mark of an intent, shape and colour together: the one at this place.
 * @param {Mark[]} marks @param {number} place */
export function mark(marks, place) {
  return h("span", { class: "dm-mark", "aria-hidden": "true", style: `background-image:${pictureOf(marks, place)}` });
}

/** The same as a value of CSS: a picture, not an element of its own for each, since a page has hundreds. Its rim is seen on
 * light and dark ground. @param {Mark[]} marks @param {number} place */
export function pictureOf(marks, place) {
  const [colour, path] = marks[place] ?? OTHERS;
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1.25 -1.25 2.5 2.5"><path d="${path}" fill="${colour}" stroke="#767676" stroke-width=".2"/></svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(drawn)}")`;
}

/** The frame of a widget. JupyterLab's own keys (delete a cell, restart the kernel) sleep inside it.
 * @param {string} name @param {HTMLElement} el */
export function frame(name, el) {
  const root = h("div", { class: "dm", "data-widget": name });
  // JupyterLab looks for this at the very element that has the focus.
  root.addEventListener("focusin", ({ target }) => target instanceof Element && target.setAttribute("data-lm-suppress-shortcuts", "true"));
  el.append(root);
  return root;
}

/** Mark a widget whose numbers are not yet those of its page; struck out (data-late) they are only if it takes a while.
 * @param {HTMLElement & { late?: number }} root @param {boolean} pending */
export function setPending(root, pending) {
  if (root.hasAttribute("data-pending") === pending) return;
  root.toggleAttribute("data-pending", pending);
  root.setAttribute("aria-busy", String(pending));
  root.removeAttribute("data-late");
  clearTimeout(root.late);
  if (pending) root.late = setTimeout(() => root.setAttribute("data-late", ""), 150);
}

/** Run f; what goes wrong is shown in the widget, and not lost for the console.
 * @template T @param {HTMLElement} root @param {() => T} f @returns {T} */
export function guarded(root, f) {
  try {
    return f();
  } catch (error) {
    root.append(h("p", { class: "dm-problem", role: "alert" }, `This widget has failed: ${error instanceof Error ? error.message : error}. Run its cell again.`));
    throw error;
  }
}

/** Run f, which draws parts of root anew, and give the focus back to what has the same data-key.
 * @param {HTMLElement} root @param {() => void} f */
export function keepingFocus(root, f) {
  const before = root.contains(document.activeElement) ? keyInFocus() : undefined;
  f();
  if (before !== undefined && keyInFocus() !== before) focusOn(root, before);
}

function keyInFocus() {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement ? activeElement.dataset.key : undefined;
}

/** Are two signatures, arrays of values, the same? @param {readonly unknown[] | undefined} a @param {readonly unknown[]} b */
export function same(a, b) {
  return a !== undefined && a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Fill a box anew, but only when what it is drawn from has changed.
 * @param {HTMLElement & { signature?: unknown[] }} box @param {unknown[]} signature
 * @param {() => (Node | string)[]} build */
export function when(box, signature, build) {
  if (same(box.signature, signature)) return;
  box.signature = signature;
  box.replaceChildren(...build());
}

/** Set a text, if it is another: in the node that holds it, where there is one. @param {Node} element @param {string | number} text */
export function put(element, text) {
  const wanted = String(text);
  if (element.textContent === wanted) return;
  const { firstChild } = element;
  if (wanted && firstChild instanceof Text && firstChild === element.lastChild) firstChild.data = wanted;
  else element.textContent = wanted;
}

/** Set an attribute, if it is another: even the same one again costs a look at the styles.
 * @param {Element} element @param {string} name @param {string | number | boolean} value */
export function attribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

export function focusOn(/** @type {HTMLElement} */ root, /** @type {string} */ key) {
  all(root, `[data-key="${CSS.escape(key)}"]`)[0]?.focus({ preventScroll: false });
}

/** A button that does nothing now, but keeps the focus of who has just pressed it. @param {unknown} now */
export function off(now) {
  return now ? { "aria-disabled": "true" } : {};
}

/** A text field whose text counts when Enter is pressed or the field is left, and not with Escape.
 * @param {string} key @param {string} value @param {string} label
 * @param {(text: string, input: Field) => void} use
 * @param {Attributes<"input" | "textarea", Field>} [more] @param {"input" | "textarea"} [tag] the latter shows a sentence whole */
export function field(key, value, label, use, more = {}, tag = "input") {
  const done = (/** @type {Field} */ input) => {
    if (input.value === input.defaultValue) return;
    input.defaultValue = input.value; // said once: leaving the field after Enter is no second edit
    use(input.value, input);
  };
  return h(tag, {
    ...(tag === "input" ? { size: 8 } : { rows: 1 }), "data-key": key, "aria-label": label, ...more,
    value, // what it begins with: see h()
    // Later, when Tab has found the next field: a redraw under way would lose it.
    onchange: ({ target }) => setTimeout(() => done(target)),
    onkeydown: (event) => {
      const input = event.currentTarget;
      if (event.key === "Escape") input.value = input.defaultValue;
      if (event.key !== "Enter") return;
      event.preventDefault();
      done(input);
    },
  });
}

/** Suggestions for a text field: the metrics that are known, also those that become known later.
 * @template {Traits & { _names: string[] }} T @param {View<T>} view @param {string} id @param {number} cutoff */
export function suggestions(view, id, cutoff) {
  const list = h("datalist", { id });
  const fill = () => list.replaceChildren(...view.model.get("_names").map((name) => h("option", { value: `${name}@${cutoff}` })));
  fill();
  view.follow("change:_names", fill);
  return list;
}

/** A line that says what the kernel could not take or do. @template {Traits} T @param {View<T>} view */
export function problemLine(view) {
  const line = h("p", { class: "dm-problem", role: "alert" });
  const tell = () => put(line, view.model.get("_problem"));
  tell();
  view.follow("change:_problem", tell);
  return line;
}

/** For the keys of a form with suggestions: while their list is open, the browser takes Enter for itself.
 * @param {(event: Event) => void} submit */
export function onEnter(submit) {
  return (/** @type {On<KeyboardEvent>} */ event) => {
    if (event.key === "Enter" && event.target.matches("input")) submit(event);
  };
}

/** Copy a text, or else select it, where it is not selected yet; what came of it, in words.
 * @param {string} text @param {string} use @param {() => void} [select] */
export async function toClipboard(text, use, select = () => {}) {
  try {
    await navigator.clipboard.writeText(text);
    return `copied: ${use}`;
  } catch {
    select();
    return "the browser does not let this page copy; the text is selected, press Ctrl+C";
  }
}

/** By how much an element is drawn larger than its own pixels say. @param {Element} element */
export function zoomOf(element) {
  return element.currentCSSZoom ?? 1;
}

/** By how much a pointer's pixels are smaller than those in which the browser measures an element: WebKit measures
 * what is drawn larger in its own pixels, and has no currentCSSZoom. @param {Element} element */
export function pointerZoomOf(element) {
  let zoom = 1;
  if ("currentCSSZoom" in element) return zoom;
  for (let up = /** @type {Element | null} */ (element); up; up = up.parentElement) zoom *= Number(getComputedStyle(up).zoom) || 1;
  return zoom;
}

/** A number as people write it, as it is read here: some write 0,5, and the lessons 4,896. */
export function plainNumber(/** @type {string} */ text) {
  const trimmed = text.trim();
  return /^[+\-\u2212]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(trimmed) ? trimmed.replaceAll(",", "") : trimmed.replace(",", ".");
}

export function sum(/** @type {number[]} */ values) {
  return values.reduce((a, b) => a + b, 0);
}

/** A number with so many decimals, a tie to the even digit: the very text that Python prints.
 * @param {number} value @param {number} decimals */
export function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  // Exact: a double lies between two texts only where it is an odd multiple of a power of two.
  const tie = Math.abs(value * 2 ** (decimals + 1)) % 2 === 1;
  return tie && Number(text.at(-1)) % 2 ? (value - (Math.sign(value) / 4) * 10 ** -decimals).toFixed(decimals) : text;
}

/** A sentence of Python's with its places filled. @param {string} sentence @param {Record<string, string | number>} values */
export function filled(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** A, B and C. @param {(string | number)[]} all */
export function listed(all) {
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : all.join();
}

/** With so many digits and a power of ten, as Python writes it. @param {number} value @param {number} decimals */
export function scientific(value, decimals) {
  return value.toExponential(decimals).replace(/e([+-])(\d)$/, "e$10$2");
}

/** A number as short as it is exact enough: .0833, and nothing for nothing. @param {number} value @param {number} decimals */
export function short(value, decimals) {
  if (value === 0) return "";
  const text = fixed(value, decimals);
  if (Number(text) === 0) return value > 0 ? "~0" : "-~0";
  return text.replace(/^(-?)0\./, "$1.");
}

/** What a value is of a large one, as the style of a tint: its sign is the tone, and a trace of something is seen, also
 * in the dark, as in a figure. Nothing for nothing. @param {number} value @param {number} top
 * @param {string} [colour] of what is earned, where it has one of its own */
export function tint(value, top, colour) {
  const share = Math.min(1, Math.abs(value) / top);
  const tone = value < 0 ? "var(--dm-charged)" : colour ?? "var(--dm-earned)";
  return value ? `--cover:${(18 + (colour ? 22 : 52) * share).toFixed(1)}%;--tone:${tone}` : null;
}

/** A text with what stands between backticks as code. @param {string} text */
export function withCode(text) {
  return text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));
}
