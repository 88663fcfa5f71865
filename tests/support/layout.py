"""Whether what is on a page has room."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

# Is the focus in this lab, and the upper half of it in sight? It may be higher than the window.
ENTERED = """(lab) => {
    const { top, height } = lab.getBoundingClientRect();
    return lab.contains(document.activeElement) && top >= 0 && top + height / 2 <= innerHeight;
}"""


def cut_off(root: Locator) -> list[str]:
    """What of a widget is wider than its place, except lists that scroll and menus that end in dots."""
    texts: list[str] = root.evaluate(
        """root => {
            // Browsers differ in what they say of a menu: so one that has only what is chosen, and all room.
            const wants = (menu) => {
                if (getComputedStyle(menu).textOverflow === 'ellipsis') return false;
                const free = menu.cloneNode();
                free.append(...[...menu.selectedOptions].map((option) => option.cloneNode(true)));
                free.style.cssText += 'position: absolute; width: auto; max-width: none';
                menu.after(free);
                const width = free.offsetWidth;
                free.remove();
                return width > menu.offsetWidth + 1;
            };
            const wider = (e) => e.matches('select') ? wants(e) : e.scrollWidth > e.clientWidth + 1;
            return [root, ...root.querySelectorAll('*')]
            .filter((e) => e.clientWidth > 1 && wider(e))
            .filter((e) => !e.matches('.dm-scrolls'))
            .filter((e) => getComputedStyle(e).display !== 'inline')
            .map((e) => `${e.tagName}.${e.className}: ${e.textContent.slice(0, 30)}`);
        }"""
    )
    return texts


def on_each_other(root: Locator) -> list[str]:
    """Pairs of controls of a widget that lie on each other, though neither is part of the other."""
    pairs: list[str] = root.evaluate(
        """root => {
            const kinds = 'button, input, select, textarea, summary, [role=slider]';
            const controls = [...root.querySelectorAll(kinds)]
                .filter((e) => e.checkVisibility({ visibilityProperty: true }))
                .map((e) => [e, e.getBoundingClientRect()]);
            const name = (e) => e.dataset.key ?? e.outerHTML.slice(0, 60);
            return controls.flatMap(([a, p], i) => controls.slice(i + 1)
                .filter(([b, q]) => !a.contains(b) && !b.contains(a)
                    && Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1
                    && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1)
                .map(([b]) => `${name(a)} and ${name(b)}`));
        }"""
    )
    return pairs


def sideways(page: Page) -> list[str]:
    """What of a notebook is scrolled to the right to be seen: the page, or an output."""
    scrolled: list[str] = page.evaluate(
        """() => [document.body, ...document.querySelectorAll('.jp-Notebook, .jp-OutputArea-output')]
            .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.className)"""
    )
    return scrolled


def broken_words(places: Locator) -> list[str]:
    """Words of these places that go on in a second line; after a slash or a blank a line may end."""
    words: list[str] = places.evaluate_all(
        """places => places.flatMap((place) => {
            const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
            const found = [];
            while (walker.nextNode()) {
                const { data } = walker.currentNode;
                for (const word of data.matchAll(/[^\\s/]+/g)) {
                    const range = document.createRange();
                    range.setStart(walker.currentNode, word.index);
                    range.setEnd(walker.currentNode, word.index + word[0].length);
                    const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
                    if (tops.size > 1) found.push(word[0]);
                }
            }
            return found;
        })"""
    )
    return words
