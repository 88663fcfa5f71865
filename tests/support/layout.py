"""Whether what is on a page has room."""

from __future__ import annotations

from playwright.sync_api import Locator


def cut_off(root: Locator) -> list[str]:
    """What of a widget is wider than its place; a list that says that it scrolls is not."""
    found: list[str] = root.evaluate(
        """root => [root, ...root.querySelectorAll('*')]
            .filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1)
            .filter((e) => !e.matches('.dm-scrolls'))
            .filter((e) => getComputedStyle(e).display !== 'inline')
            .map((e) => `${e.tagName}.${e.className}: ${e.textContent.slice(0, 30)}`)"""
    )
    return found
