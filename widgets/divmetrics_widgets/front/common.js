// @ts-check
// What every widget uses.

/** An element: h("button", {class: "x", onclick: f, disabled: false}, "text", child, [more]). */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" && tag === "input") element.defaultValue = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The mark of the intent at this place in its topic: shape and colour belong together. */
export function mark(marks, place) {
  const [colour, path] = marks[place % marks.length];
  // A picture, not an element of its own for each: a page has hundreds. Its rim is seen on light and dark ground.
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1.25 -1.25 2.5 2.5"><path d="${path}" fill="${colour}" stroke="#767676" stroke-width=".2"/></svg>`;
  return h("span", { class: "dm-mark", "aria-hidden": "true", style: `background-image:url("data:image/svg+xml,${encodeURIComponent(drawn)}")` });
}

/** The frame of a widget. JupyterLab's own keys (delete a cell, restart the kernel) sleep inside it. */
export function frame(name, el) {
  const root = h("div", { class: "dm", "data-widget": name });
  // JupyterLab looks for this at the very element that has the focus.
  root.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));
  el.append(root);
  return root;
}

/** Mark a widget whose numbers are not yet those of its page; struck out (data-late) they are only if it takes a while. */
export function setPending(root, pending) {
  if (root.hasAttribute("data-pending") === pending) return;
  root.toggleAttribute("data-pending", pending);
  root.setAttribute("aria-busy", String(pending));
  root.removeAttribute("data-late");
  clearTimeout(root.late);
  if (pending) root.late = setTimeout(() => root.setAttribute("data-late", ""), 150);
}

/** Run f; what goes wrong is shown in the widget, and not lost for the console. */
export function guarded(root, f) {
  try {
    return f();
  } catch (error) {
    root.append(h("p", { class: "dm-problem", role: "alert" }, `This widget has failed: ${error.message}. Run its cell again.`));
    throw error;
  }
}

/** Run f, which draws parts of root anew, and give the focus back to what has the same data-key. */
export function keepingFocus(root, f) {
  const before = root.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  f();
  if (before !== undefined && document.activeElement?.dataset?.key !== before) focusOn(root, before);
}

/** Are two signatures, arrays of values, the same? */
export function same(a, b) {
  return Boolean(a) && a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Fill a box anew, but only when what it is drawn from has changed. */
export function when(box, signature, build) {
  if (same(box.signature, signature)) return;
  box.signature = signature;
  box.replaceChildren(...build());
}

/** Set a text, if it is another. */
export function put(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

/** Set an attribute, if it is another: even the same one again costs a look at the styles. */
export function attribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

export function focusOn(root, key) {
  root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: false });
}

/** A button that does nothing now, but keeps the focus of who has just pressed it. */
export function off(now) {
  return now ? { "aria-disabled": "true" } : {};
}

/** A text field whose text counts when Enter is pressed or the field is left, and not with Escape. */
export function field(key, value, label, use, more = {}) {
  const done = ({ target }) => {
    if (target.value === target.defaultValue) return;
    target.defaultValue = target.value; // said once: leaving the field after Enter is no second edit
    use(target.value, target);
  };
  return h("input", {
    size: 8, "data-key": key, "aria-label": label, ...more,
    value, // what it begins with: see h()
    // Later, when Tab has found the next field: a redraw under way would lose it.
    onchange: ({ target }) => setTimeout(() => done({ target })),
    onkeydown: (event) => {
      if (event.key === "Escape") event.target.value = event.target.defaultValue;
      if (event.key === "Enter") done(event);
    },
  });
}

/** Suggestions for a text field: the metrics that are known, also those that become known later. */
export function suggestions(model, id, cutoff) {
  const list = h("datalist", { id });
  const fill = () => list.replaceChildren(...model.get("_names").map((name) => h("option", { value: `${name}@${cutoff}` })));
  fill();
  model.on("change:_names", fill);
  return { list, stop: () => model.off("change:_names", fill) };
}

/** A line that says what the kernel could not take or do. */
export function problemLine(model) {
  const line = h("p", { class: "dm-problem", role: "alert" });
  const tell = () => put(line, model.get("_problem"));
  tell();
  model.on("change:_problem", tell);
  return { line, stop: () => model.off("change:_problem", tell) };
}

/** For the keys of a form with suggestions: while their list is open, the browser takes Enter for itself. */
export function onEnter(submit) {
  return (event) => event.key === "Enter" && event.target.matches("input") && submit(event);
}

/** Copy a text, or else select it, where it is not selected yet; what came of it, in words. */
export async function toClipboard(text, use, select = () => {}) {
  try {
    await navigator.clipboard.writeText(text);
    return `copied: ${use}`;
  } catch {
    select();
    return "the browser does not let this page copy; press Ctrl+C, the text is selected";
  }
}

/** A line that says what happened, also to screen readers. */
export function statusLine() {
  return h("p", { class: "dm-status", role: "status", "aria-live": "polite" });
}

export function sum(values) {
  return values.reduce((a, b) => a + b, 0);
}

/** A number with so many decimals, a tie to the even digit: the very text that Python prints. */
export function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  // Exact: a double lies between two texts only where it is an odd multiple of a power of two.
  const tie = Math.abs(value * 2 ** (decimals + 1)) % 2 === 1;
  return tie && Number(text.at(-1)) % 2 ? (value - (Math.sign(value) / 4) * 10 ** -decimals).toFixed(decimals) : text;
}

/** A number as short as it is exact enough: .0833, and nothing for nothing. */
export function short(value, decimals) {
  if (value === 0) return "";
  const text = fixed(value, decimals);
  if (Number(text) === 0) return value > 0 ? "~0" : "-~0";
  return text.replace(/^(-?)0\./, "$1.");
}

/** What a value is of a large one, as the style of a tint: its sign is the colour. Nothing for nothing. */
export function tint(value, top) {
  return value ? `--share:${Math.min(1, Math.abs(value) / top).toFixed(3)};--tone:var(${value > 0 ? "--dm-earn" : "--dm-cost"})` : null;
}

/** A text with what stands between backticks as code. */
export function withCode(text) {
  return text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));
}
