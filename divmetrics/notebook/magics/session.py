"""Keep what the user of a kernel has written: the lists in the namespace, and the cells behind them.

The cells are kept in the namespace too, under a hidden name, so that `%reset` deletes them with the lists.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from divmetrics.core.collection import Collection
from divmetrics.core.judgments import Judgments
from divmetrics.core.runs import RankedList
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.notebook.textformat.topic_draft import TopicDraft

HIDDEN = "_divmetrics"


@dataclass
class SessionState:
    """The drafts by the id of their topic, the current draft, and lists that no longer fit theirs.

    `collections` are judgments read from files, so that lists of the same files share them.
    """

    drafts: dict[str, TopicDraft] = field(default_factory=dict)
    current: TopicDraft = field(default_factory=TopicDraft)
    stale: dict[str, tuple[RankedList, str]] = field(default_factory=dict)
    collections: dict[tuple[Any, ...], Collection] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<what %%intents and %%serp wrote: {', '.join(self.drafts) or 'nothing'}>"


class Session:
    """The namespace of a kernel with the lists and cells written by the magics."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.notes: list[str] = []

    @property
    def names(self) -> dict[str, Any]:
        """The user's namespace, {name: value}; changes are the user's, too."""
        namespace: dict[str, Any] = self.shell.user_ns
        return namespace

    @property
    def state(self) -> SessionState:
        """The state of the magics; it drops lists whose names the user has bound to something else."""
        state: SessionState = self.names.setdefault(HIDDEN, SessionState())
        for topic, draft in list(state.drafts.items()):
            state.drafts[topic] = draft.only(
                [n for n, made in draft.lists.items() if self.names.get(n) is made]
            )
        state.current = state.drafts.get(state.current.id, state.current)
        return state

    @property
    def draft(self) -> TopicDraft:
        """The current topic with its lists; before the first cell, topic "1" without intents or lists."""
        return self.state.current

    def draft_for(self, topic: str) -> TopicDraft:
        """Return the draft that intents for this topic extend: its own, or a current one without intents."""
        state = self.state
        return state.drafts.get(topic) or (
            state.current if state.current.intents is None else TopicDraft(topic)
        )

    def put(self, before: TopicDraft, draft: TopicDraft, rejected: dict[str, str]) -> None:
        """Make `draft` the current one in place of `before`, and bind its lists to their names.

        Every other list in the namespace that has the judgments of `before` is replaced by one with those of
        `draft`. `rejected` holds {name of a list of `before`: reason}: a note gives the reason, and `list`
        refuses the name until the list is written again.
        """
        state = self.state
        for name, reason in rejected.items():
            state.stale[name] = before.lists[name], reason
            self.note(f"List {name} is set aside until its cell is run again: {reason}.")
        if before.judgments is not None and draft.judgments is not None:
            self._renew(before.judgments, draft.judgments)
        state.drafts.pop(before.id, None)
        state.drafts[draft.id] = state.current = draft
        for name, ranked in draft.lists.items():
            state.stale.pop(name, None)
            self.names[name] = ranked

    def _renew(self, before: Judgments, now: Judgments) -> None:
        """Replace the judgments `before` by `now` in all lists that have them and are not set aside."""
        for name, ranked in self.lists().items():
            if ranked.judgments is before and self.state.stale.get(name, (None,))[0] is not ranked:
                self.names[name] = RankedList(now.topic, ranked.docs, now, ranked.run)

    def lists(self) -> dict[str, RankedList]:
        """Return {name: list} of every list in the namespace, made by a magic or in Python."""
        return {
            name: value
            for name, value in self.names.items()
            if isinstance(value, RankedList) and not name.startswith("_")
        }

    def list(self, name: str) -> RankedList:
        """Return the list with a name; raise DivmetricsError if no list has it or the list is set aside."""
        value = self._value(name)
        if not isinstance(value, RankedList):
            lists = self.lists()
            there = f"; there are {', '.join(lists)}" if lists else "; write one with %%serp"
            what = f"{name!r} is not a ranked list" if value is not None else f"there is no list {name!r}"
            raise DivmetricsError(f"{what}{did_you_mean(name, lists)}{there}")
        stale, reason = self.state.stale.get(name, (None, ""))
        if stale is value:
            raise DivmetricsError(f"list {name} is set aside: {reason}; change its cell and run it again")
        return value

    def _value(self, name: str) -> Any:
        """Return the value of a name such as A or lab.a, or None."""
        first, *rest = name.split(".")
        value = self.names.get(first)
        for attribute in rest:
            value = getattr(value, attribute, None)
        return value

    def about(self, judgments: Judgments) -> dict[str, str]:
        """Return {document: a few words about it} for the draft with these judgments."""
        return next((draft.about for draft in self.state.drafts.values() if draft.judgments is judgments), {})

    def note(self, text: str) -> None:
        """Add a note to display with the result."""
        self.notes.append(text)
