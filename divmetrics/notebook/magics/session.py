"""What the user of a kernel has written so far: the lists in the namespace, and the cells behind them.

The cells are kept in the namespace too, under a hidden name, so that `%reset` forgets them with the lists.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from divmetrics.core.collection import Collection, Judgments, RankedList
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.notebook.textformat.topic_draft import TopicDraft

HIDDEN = "_divmetrics"


@dataclass
class Drawer:
    """The sheets by the id of their topic, the one that is written on, and lists that no longer fit theirs.

    collections: judgments that were read from files, so that lists of the same files share them.
    """

    sheets: dict[str, TopicDraft] = field(default_factory=dict)
    current: TopicDraft = field(default_factory=TopicDraft)
    stale: dict[str, tuple[RankedList, str]] = field(default_factory=dict)
    collections: dict[tuple[Any, ...], Collection] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<what %%intents and %%serp wrote: {', '.join(self.sheets) or 'nothing'}>"


class Session:
    """The namespace of a kernel as the magics see it."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.notes: list[str] = []

    @property
    def names(self) -> dict[str, Any]:
        """The user's namespace."""
        namespace: dict[str, Any] = self.shell.user_ns
        return namespace

    @property
    def drawer(self) -> Drawer:
        """What was written; a name that the user has bound to something else is written no longer."""
        drawer: Drawer = self.names.setdefault(HIDDEN, Drawer())
        for topic, sheet in list(drawer.sheets.items()):
            drawer.sheets[topic] = sheet.only(
                [n for n, made in sheet.lists.items() if self.names.get(n) is made]
            )
        drawer.current = drawer.sheets.get(drawer.current.id, drawer.current)
        return drawer

    @property
    def sheet(self) -> TopicDraft:
        """The topic that is written on, with its lists."""
        return self.drawer.current

    def draft_for(self, topic: str) -> TopicDraft:
        """Where intents for this topic are to be written: a sheet without intents belongs to any."""
        drawer = self.drawer
        return drawer.sheets.get(topic) or (
            drawer.current if drawer.current.intents is None else TopicDraft(topic)
        )

    def put(self, before: TopicDraft, sheet: TopicDraft, wrong: dict[str, str]) -> None:
        """Make this sheet the current one instead of that before, and bind its lists to their names.

        wrong: lists that are set aside until they are written again, and why.
        """
        drawer = self.drawer
        for name, reason in wrong.items():
            drawer.stale[name] = before.lists[name], reason
            self.note(f"List {name} is set aside until its cell is run again: {reason}.")
        if before.pool is not None and sheet.pool is not None:
            self._renew(before.pool, sheet.pool)
        drawer.sheets.pop(before.id, None)
        drawer.sheets[sheet.id] = drawer.current = sheet
        for name, ranked in sheet.lists.items():
            drawer.stale.pop(name, None)
            self.names[name] = ranked

    def _renew(self, before: Judgments, now: Judgments) -> None:
        """Lists that were made in Python from those written, with the judgments as they are now."""
        for name, ranked in self.lists().items():
            if ranked.judgments is before and self.drawer.stale.get(name, (None,))[0] is not ranked:
                self.names[name] = RankedList(now.topic, ranked.docs, now, ranked.run)

    def lists(self) -> dict[str, RankedList]:
        """Every list that has a name in the namespace, wherever it was made."""
        return {
            name: value
            for name, value in self.names.items()
            if isinstance(value, RankedList) and not name.startswith("_")
        }

    def list(self, name: str) -> RankedList:
        """The list of this name, called by it; DivmetricsError where there is none, or it cannot be used."""
        found = self._value(name)
        if not isinstance(found, RankedList):
            known = self.lists()
            there = f"; there are {', '.join(known)}" if known else "; write one with %%serp"
            what = f"{name!r} is not a ranked list" if found is not None else f"there is no list {name!r}"
            raise DivmetricsError(f"{what}{did_you_mean(name, known)}{there}")
        stale, reason = self.drawer.stale.get(name, (None, ""))
        if stale is found:
            raise DivmetricsError(f"list {name} is set aside: {reason}; change its cell and run it again")
        return found

    def _value(self, name: str) -> Any:
        """What a name such as A or lab.a stands for; None where it stands for nothing."""
        first, *rest = name.split(".")
        value = self.names.get(first)
        for attribute in rest:
            value = getattr(value, attribute, None)
        return value

    def about(self, pool: Judgments) -> dict[str, str]:
        """A few words about documents of these judgments, where their cells have some."""
        return next((sheet.about for sheet in self.drawer.sheets.values() if sheet.pool is pool), {})

    def note(self, text: str) -> None:
        """Something to be said with the result."""
        self.notes.append(text)
