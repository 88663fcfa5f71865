// The two lists of the front page. Every order of a list has been scored when the page was made: what a page earns, how long its
// block is and what the sentence says are looked up here. Rows are moved by mouse, by finger, by key or by a click.
(() => {
  const lab = document.querySelector(".duel");
  const { lists, verdicts } = JSON.parse(lab.querySelector("script").textContent);
  const sides = [...lab.querySelectorAll("[data-list]")];
  const heard = lab.querySelector(".heard");

  const rowsOf = (side) => [...side.querySelectorAll(".row")];
  const orderOf = (side) => rowsOf(side).map((row) => row.dataset.place).join("");

  /** Show what belongs to the order of both lists. @param {Element} [moved] the row that has moved */
  function show(moved) {
    const orders = sides.map(orderOf);
    sides.forEach((side, i) => {
      const { score, rows } = lists[side.dataset.list][orders[i]];
      side.querySelector(".score").textContent = score;
      rowsOf(side).forEach((row, rank) => {
        const [earned, left, width] = rows[row.dataset.place];
        row.querySelector(".rank").textContent = rank + 1;
        row.querySelector(".earned").textContent = earned;
        for (const block of side.querySelectorAll(`[data-place="${row.dataset.place}"] .block`)) {
          block.style.left = `${left}%`;
          block.style.width = `${width}%`;
        }
      });
    });
    const [prefers, why] = verdicts[orders.join(" ")];
    lab.querySelector("#verdict .prefers").textContent = prefers;
    lab.querySelector("#verdict .why").textContent = why;
    lab.dataset.prefers = prefers.match(/prefers ([AB])/)?.[1] ?? "";
    if (!moved) return;
    const side = moved.closest("[data-list]");
    const place = `${moved.querySelector(".title").textContent} is now at rank ${rowsOf(side).indexOf(moved) + 1} of ${side.dataset.list}.`;
    const scores = sides.map((each) => `${each.dataset.list} ${each.querySelector(".score").textContent}`).join(", ");
    heard.textContent = `${place} ${prefers} ${scores}.`;
  }

  /** Move a row to a place of its list. It stays in the page, so that it keeps the focus and the finger: the others go round it. */
  function move(row, to) {
    const list = row.parentElement;
    const others = [...list.children].filter((other) => other !== row);
    const tops = new Map(others.map((other) => [other, other.getBoundingClientRect().top]));
    row.before(...others.slice(0, to));
    row.after(...others.slice(to));
    lab.classList.add("touched");
    for (const [other, top] of tops) glide(other, top - other.getBoundingClientRect().top);
  }

  /** Let a row come from so many pixels away, unless its reader wants nothing to move. */
  function glide(row, from) {
    if (!from || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    row.animate([{ transform: `translateY(${from}px)` }, { transform: "none" }], { duration: 180, easing: "cubic-bezier(.2,.7,.2,1)" });
  }

  /** One rank up or down. */
  function step(row, by) {
    const list = [...row.parentElement.children];
    const to = list.indexOf(row) + by;
    if (!list[to]) return;
    const { top } = row.getBoundingClientRect();
    move(row, to);
    glide(row, top - row.getBoundingClientRect().top);
    show(row);
  }

  let dragged = false; // a click that ends a drag moves nothing

  function grab(event, row) {
    dragged = false;
    if (event.button || (event.pointerType === "touch" && !event.target.closest(".grip"))) return;
    const list = row.parentElement;
    const home = [...list.children].indexOf(row);
    const height = row.offsetHeight;
    const ended = new AbortController();
    const follow = (now) => {
      const by = now.clientY - event.clientY;
      if (!dragged && Math.abs(by) < 4) return;
      dragged = true;
      row.classList.add("held");
      const to = Math.max(0, Math.min(list.children.length - 1, home + Math.round(by / height)));
      if ([...list.children].indexOf(row) !== to) {
        move(row, to);
        show(row);
      }
      row.style.transform = `translateY(${by - (to - home) * height}px)`;
    };
    const end = () => {
      ended.abort();
      const { top } = row.getBoundingClientRect();
      row.classList.remove("held");
      row.style.transform = "";
      if (dragged) glide(row, top - row.getBoundingClientRect().top);
    };
    const cancel = () => {
      if (dragged) move(row, home);
      end();
      show(row);
    };
    const how = { signal: ended.signal };
    addEventListener("pointermove", follow, how);
    addEventListener("pointerup", end, how);
    addEventListener("pointercancel", cancel, how);
    addEventListener("keydown", (key) => key.key === "Escape" && cancel(), how);
  }

  for (const row of lab.querySelectorAll(".rows .row")) {
    const button = row.querySelector("button");
    button.disabled = false;
    row.addEventListener("pointerdown", (event) => grab(event, row));
    button.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      step(row, by);
    });
    row.addEventListener("click", (event) => {
      if (!dragged || !event.detail) step(row, row.previousElementSibling ? -1 : 1);
      dragged = false;
    });
  }
  document.documentElement.classList.add("live");
  show();
})();
