// What the pages of the book do by themselves: let keys reach what scrolls and what opens a menu, and print answers
// at the end. A classic script, for a browser gives a page from a disk no module.
(() => {
  const SCROLLED =
    ".scrolled, .cell_output .output, .cell_output [style*='overflow-x'], .table-wrapper, div.highlight pre, p:has(> img)";
  // Answers; what else a widget opens and closes is its own.
  const CLOSED = "details:not(.hide, details details, .divmetrics-page:not([data-module='found.js']) details)";

  /** What is wider than its place can be scrolled with the arrow keys; what is not is no stop for Tab.
   * @param {Element[]} boxes */
  function reach(boxes) {
    // All are measured before any is changed, so that the page is laid out once.
    for (const box of boxes.filter((each) => each.matches(".wider"))) {
      box.classList.remove("wider", "more-left", "more-right");
    }
    const wider = boxes.map((box) => {
      const across = box.scrollWidth > box.clientWidth + 1;
      return [box, across, across || box.scrollHeight > box.clientHeight + 1];
    });
    for (const [box, across, scrolls] of wider) {
      box.classList.toggle("wider", across);
      ends(box, across);
      if (scrolls) {
        box.tabIndex = 0;
      } else if (box.hasAttribute("tabindex")) {
        box.removeAttribute("tabindex");
      }
    }
  }

  /** To which sides a box goes on. @param {boolean} across Does it go on at all? */
  function ends(box, across) {
    const left = across ? Math.abs(box.scrollLeft) : 0;
    box.classList.toggle("more-left", left > 1);
    box.classList.toggle("more-right", across && left + box.clientWidth < box.scrollWidth - 1);
  }

  /** The theme's labels that open a menu on small screens become buttons, which keys reach. */
  function buttons() {
    const names = { __navigation: "Contents of the book", __toc: "Contents of this page" };
    for (const [id, name] of Object.entries(names)) {
      const box = document.getElementById(id);
      const made = [...document.querySelectorAll(`label[for="${id}"]:not(.overlay)`)].map((label) => {
        const button = Object.assign(document.createElement("button"), { type: "button", className: label.className });
        button.setAttribute("aria-label", name);
        button.append(...label.childNodes);
        label.replaceWith(button);
        return button;
      });
      const open = (wanted) => {
        box.checked = wanted;
        told();
      };
      const told = () => {
        for (const button of made) {
          button.setAttribute("aria-expanded", String(box.checked));
        }
      };
      for (const button of made) {
        button.addEventListener("click", () => open(!box.checked));
      }
      box.addEventListener("change", told);
      document.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && box.checked) {
          open(false);
          made.find((button) => button.offsetParent)?.focus();
        }
      });
      told();
    }
  }

  // What is closed on the screen: on paper it stands at the end, under its number, except what a lesson promises.
  let moved = [];

  function toTheEnd() {
    if (moved.length) {
      return;
    }
    const article = document.getElementById("furo-main-content");
    const closed = [...article.querySelectorAll(CLOSED)];
    const questions = [...article.querySelectorAll("[data-module='predict.js'] legend")];
    const answers = document.createElement("section");
    answers.className = "print-answers";
    answers.append(Object.assign(document.createElement("h2"), { textContent: "Answers" }));
    for (const details of closed) {
      const summary = details.querySelector("summary");
      const rest = [...details.childNodes].filter((node) => node !== summary);
      if (summary.textContent.startsWith("After this")) {
        moved.push(() => {
          details.open = false;
        });
        details.open = true;
        continue;
      }
      const number = answers.children.length;
      const before = (/** @type {Element} */ each) => each.compareDocumentPosition(details) & Node.DOCUMENT_POSITION_FOLLOWING;
      const title = details.closest("[data-module='found.js']") ? questions.findLast(before) : null;
      const told = Object.assign(document.createElement("span"), { textContent: ` (${number}, at the end)` });
      const place = document.createElement("div");
      place.append(
        Object.assign(document.createElement("strong"), { textContent: `${number}. ${(title ?? summary).textContent}` }),
        ...rest,
      );
      summary.append(told);
      answers.append(place);
      moved.push(() => {
        told.remove();
        details.append(...rest);
      });
    }
    if (answers.children.length > 1) {
      article.append(answers);
      moved.push(() => answers.remove());
    }
  }

  function back() {
    for (const undo of moved) {
      undo();
    }
    moved = [];
  }

  buttons();
  const all = () => reach([...document.querySelectorAll(SCROLLED)]);
  addEventListener("resize", all);
  addEventListener("load", all);
  document.fonts.addEventListener("loadingdone", all); // to ask whether they are ready has the page laid out at once
  document.addEventListener("toggle", all, true);
  // A widget is drawn later than its page, and is then as wide as there is room.
  const drawn = new ResizeObserver((widgets) => reach([...new Set(widgets.map(({ target }) => target.closest(SCROLLED)))].filter(Boolean)));
  for (const widget of document.querySelectorAll(".divmetrics-page")) drawn.observe(widget);
  const within = ({ target }) => target.matches?.(".wider") && ends(target, true);
  document.addEventListener("scroll", within, { capture: true, passive: true });
  addEventListener("beforeprint", toTheEnd);
  addEventListener("afterprint", back);
})();
