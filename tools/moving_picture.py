"""The picture in README.md: a page of list B moves up, and ERR-IA prefers B.

    python -m tools.moving_picture

It is an SVG of the front page's lists before and after that move (tools/book/front_page.py). It follows the
reader's light or dark theme, moves twice, and stands still for readers who prefer reduced motion.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from divmetrics.atomic_files import save
from divmetrics.notebook.appearance.marks import mark_drawings
from tools.book.front_page import BEGIN, MARK, STATIC, lab, states
from tools.notebook_files import FOLDER

PICTURE = FOLDER.parent / "docs" / "pictures" / "one_move.svg"
ORDERS = {"before": BEGIN, "after": "102"}  # of list B
WIDTH, LIST, GAP, ROW, TOP = 860, 400, 40, 36, 128

STYLE = """
text { fill: var(--ink); font: 15px var(--sans); font-variant-numeric: tabular-nums; }
.quiet { fill: var(--quiet); }
.says { font: 600 24px var(--serif); }
.letter { font: 600 24px var(--serif); }
.score { font-size: 34px; letter-spacing: -1px; }
.wins { font-weight: 600; }
.earned { font-size: 14px; }
.block { fill: var(--tint); }
.base, .sum { fill: var(--fill); }
.mark { fill: var(--fill); stroke: var(--edge); stroke-width: 0.19; }
.after { opacity: 0; }
@media (prefers-reduced-motion: no-preference) {
  .before, .after, .up, .down { animation: 6s 2 forwards; }
  .before { animation-name: go; }
  .after { animation-name: come; }
  .up { animation-name: up; }
  .down { animation-name: down; }
}
@keyframes go { 0%, 40% { opacity: 1; } 44%, 100% { opacity: 0; } }
@keyframes come { 0%, 40% { opacity: 0; } 44%, 100% { opacity: 1; } }
@keyframes up { 0%, 40% { transform: none; } 46%, 100% { transform: translateY(-ROWpx); } }
@keyframes down { 0%, 40% { transform: none; } 46%, 100% { transform: translateY(ROWpx); } }
"""


def picture() -> str:
    """Return the picture as SVG."""
    drawn = states()
    lists = lab(drawn)["lists"]
    verdicts = {when: drawn["verdicts"][f"{BEGIN} {order}"] for when, order in ORDERS.items()}
    height = TOP + 3 * ROW + 14
    style = (STATIC / "tokens.css").read_text(encoding="utf-8") + STYLE.replace("ROW", str(ROW))
    words = " ".join(f"{prefers} {why}" for prefers, why in verdicts.values())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(words)}</title>",
        f"<style>{style}</style>",
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="var(--paper)"/>',
        f'<g transform="translate(10 0)">{"".join(_sentences(verdicts))}',
        *(_list(one, drawn["lists"][one["name"]], n * (LIST + GAP)) for n, one in enumerate(lists)),
        "</g></svg>",
    ]
    return "\n".join(parts) + "\n"


def _sentences(verdicts: dict[str, tuple[str, str]]) -> Iterator[str]:
    for when, (prefers, why) in verdicts.items():
        yield f'<g class="{when}"><text class="says" y="32">{prefers}</text>'
        yield f'<text class="quiet" y="56">{why}</text></g>'
    x = WIDTH - 36
    yield f'<text x="{x - 210}" y="56" text-anchor="end">Of three readers</text>'
    yield f'{_marks("film", 2, x - 198, 51)}<text x="{x - 160}" y="56">want a film</text>'
    yield f'{_marks("book", 1, x - 66, 51)}<text x="{x - 48}" y="56">a book</text>'


def _list(one: dict[str, Any], drawn: dict[str, Any], x: int) -> str:
    moves = one["name"] == "B"
    rows = []
    for place, row in enumerate(one["rows"]):
        y = place * ROW
        how = {1: "up", 0: "down"}.get(place, "") if moves else ""
        title = f'<text x="32" y="{y + 23}">{escape(row["title"])}</text>'
        marks = _marks(row["intent"], row["grade"], LIST - 56 - 15 * row["grade"], y + 18)
        rows.append(f'<text class="quiet" x="10" y="{y + 23}">{place + 1}</text>')
        rows.append(f'<g class="{how}">{title}{marks}</g>')
    orders = ORDERS if moves else dict.fromkeys(ORDERS, BEGIN)
    frames = [_frame(one, drawn[order], order, when) for when, order in orders.items()]
    letter = f'<text class="letter" y="-22">{one["name"]}</text>'
    about = f'<text class="quiet" x="28" y="-22">{one["about"]}</text>'
    return f'<g transform="translate({x} {TOP})">{letter}{about}{"".join(frames)}{"".join(rows)}</g>'


def _frame(one: dict[str, Any], drawn: dict[str, Any], order: str, when: str) -> str:
    """Return what a list shows in one order: its score, its bar, its blocks and what each page earns."""
    wins = " wins" if (one["name"], when) in (("A", "before"), ("B", "after")) else " quiet"
    shapes = [f'<text class="score{wins}" x="{LIST}" y="-20" text-anchor="end">{drawn["score"]}</text>']
    for rank, place in enumerate(map(int, order)):
        earned, left, width = drawn["rows"][place]
        x, wide, y = left * LIST / 100, max(2.0, width * LIST / 100), rank * ROW
        intent = one["rows"][place]["intent"]
        shapes.append(
            f'<g data-intent="{intent}">'
            f'<rect class="sum" x="{x:.1f}" y="-10" width="{wide:.1f}" height="10"/>'
            f'<rect class="block" x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{ROW - 4}"/>'
            f'<rect class="base" x="{x:.1f}" y="{y + ROW - 4}" width="{wide:.1f}" height="4"/></g>'
            f'<text class="earned" x="{LIST - 6}" y="{y + 23}" text-anchor="end">{earned}</text>'
        )
    return f'<g class="{when}">{"".join(shapes)}</g>'


def _marks(intent: str, times: int, x: float, y: float) -> str:
    path = mark_drawings()[MARK[intent]][1]
    marks = "".join(f'<path d="{path}" transform="translate({n * 2.2} 0)"/>' for n in range(times))
    return f'<g class="mark" data-intent="{intent}" transform="translate({x + 7} {y}) scale(6.5)">{marks}</g>'


if __name__ == "__main__":
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    save(PICTURE, picture())
