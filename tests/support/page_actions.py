"""What the hands of a reader do on a page, for all tests in a browser."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


def box_of(element: Locator) -> dict[str, float]:
    box = element.bounding_box()
    assert box is not None
    return dict(box)


def fill(field: Locator, text: str) -> None:
    field.fill(text)
    field.press("Enter")


def press(page: Page, *keys: str) -> None:
    """One key after the other, on what has the focus."""
    for key in keys:
        page.keyboard.press(key)


STILL = """() => [...document.querySelectorAll("tr[data-doc]")].every((row) => !row.getAnimations().length)"""
FRAMES = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


def in_sight(start: Locator, end: Locator) -> None:
    """Both, and no row is gliding: who reaches for one sees where it stops."""
    end.evaluate("(element) => element.scrollIntoView({ block: 'center' })")  # an edge would scroll
    start.scroll_into_view_if_needed()
    start.page.evaluate(FRAMES)  # in which what glides sets out
    start.page.wait_for_function(STILL)


def drag(page: Page, start: Locator, end: Locator, *, below: bool) -> None:
    """By mouse, to just above or below the middle of `end`."""
    in_sight(start, end)
    a, b = box_of(start), box_of(end)
    page.mouse.move(a["x"] + 5, a["y"] + a["height"] / 2)
    page.mouse.down()
    page.mouse.move(a["x"] + 9, a["y"] + a["height"] / 2 + 9)
    page.mouse.move(b["x"] + 30, b["y"] + b["height"] * (0.8 if below else 0.2), steps=4)
    page.mouse.up()


def drag_by_finger(page: Page, start: Locator, end: Locator) -> None:
    """To just below the middle of `end`."""
    in_sight(start, end)
    touch = page.context.new_cdp_session(page)
    a, b = box_of(start), box_of(end)
    x, y = a["x"] + 5, a["y"] + 8

    def send(kind: str, *heights: float) -> None:
        points = [{"x": x, "y": height} for height in heights]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", y)
    for step in (0.3, 0.7, 1.0):
        send("touchMove", y + (b["y"] + b["height"] * 0.8 - y) * step)
    send("touchEnd")
    touch.detach()
