"""Checks of exercises on a page without a kernel: an answer is given, and what is said of it is read."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Locator, Page

CHECK = '.divmetrics-page[data-module="check.js"]'


def check_at(page: Page, number: int) -> Locator:
    """From 0, down the page."""
    return page.locator(CHECK).nth(number)


def said_of(page: Page, number: int, answer: Sequence[str]) -> str:
    """What is said of an answer: a text for each field or menu."""
    box = check_at(page, number)
    fields = box.locator("form :is(input, select)").all()
    for field, text in zip(fields, answer, strict=True):
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(text)
        else:
            field.fill(text)
    box.get_by_role("button", name="check").click()
    return box.locator(".dm-found").inner_text()
