"""One topic with the lists written for it; the labels of all lists together are its judgments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from divmetrics.core.judgments import Judgments
from divmetrics.core.runs import RankedList
from divmetrics.core.topics import Intent, Topic
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.notebook.textformat.cell_parsers import ListEntry
from divmetrics.notebook.textformat.lab_state import all_label_keys, intent_to_json, judgments_of

UNNAMED = "1"


class _Contradiction(DivmetricsError):
    """Two lists judge a document differently; `other` is the list written earlier."""

    def __init__(self, message: str, other: str) -> None:
        super().__init__(message)
        self.other = other


@dataclass(frozen=True)
class TopicDraft:
    """The entries of %%intents and %%serp for one topic, and the lists built from them.

    `intents` is None without %%intents; then the intents are those of the labels, equally probable. `scale`
    has the highest grade and the highest pseudo ad hoc grade; if None, the highest grades that occur.
    """

    id: str = UNNAMED
    title: str = ""
    intents: tuple[Intent, ...] | None = None
    scale: tuple[int, int] | None = None
    entries: Mapping[str, tuple[ListEntry, ...]] = field(default_factory=dict)
    lists: Mapping[str, RankedList] = field(default_factory=dict)

    @property
    def judgments(self) -> Judgments | None:
        """The judgments that all lists share; None if there is no list."""
        return next((ranked.judgments for ranked in self.lists.values()), None)

    @property
    def topic(self) -> Topic | None:
        """The topic; None if the draft has neither lists nor intents."""
        if self.judgments is not None:
            return self.judgments.topic
        return None if self.intents is None else Topic(self.id, self.intents, self.title)

    @property
    def keys(self) -> list[str]:
        """The keys that labels may have, intent and intent/subtopic; [] if there is no topic."""
        return list(all_label_keys(self.id, map(intent_to_json, self.topic.intents))) if self.topic else []

    @property
    def about(self) -> dict[str, str]:
        """{document: a few words about it}, for documents with such words."""
        return {e.doc: e.about for entries in self.entries.values() for e in entries if e.about}

    def only(self, names: Sequence[str]) -> TopicDraft:
        """Return the draft with the lists of these names alone; raise KeyError if one is missing."""
        return replace(
            self,
            entries={name: self.entries[name] for name in names},
            lists={name: self.lists[name] for name in names},
        )

    def with_list(self, name: str, entries: tuple[ListEntry, ...]) -> tuple[TopicDraft, dict[str, str]]:
        """Return the draft with this list, and {list that the new one contradicts: reason}.

        A new list must agree with the earlier ones. A list that is written again may contradict them, and
        those are left out: otherwise two lists with the same mistake could never be corrected. Raises
        DivmetricsError if a new list contradicts an earlier one, and for any list if there are neither labels
        nor intents, or a label or grade does not fit the intents.
        """
        every = {
            **self.entries,
            name: entries,
        }  # at the old list's position, which keeps the intents in order
        rejected: dict[str, str] = {}
        while True:
            try:
                return replace(self, entries=every)._with_lists_built(name), rejected
            except _Contradiction as error:
                if name not in self.entries:
                    raise
                del every[error.other]
                rejected[error.other] = f"list {name} was changed in {error}"

    def with_intents(
        self, topic: str, title: str, intents: tuple[Intent, ...], scale: tuple[int, int] | None
    ) -> tuple[TopicDraft, dict[str, str]]:
        """Return the draft with these intents, and {list that no longer fits: reason}.

        Lists that do not fit are left out.
        """
        empty = replace(self, id=topic, title=title, intents=intents, scale=scale, entries={}, lists={})
        draft, rejected = empty, {}
        for name, entries in self.entries.items():
            try:
                draft, _ = draft.with_list(name, entries)
            except DivmetricsError as error:
                rejected[name] = f"its {error}"
        return draft, rejected

    def _with_lists_built(self, new: str) -> TopicDraft:
        """Return the draft with the ranked lists of its entries; `new` is the list written last.

        Raises Contradiction if lists label a document differently, and DivmetricsError if there are neither
        labels nor intents, or if the judgments are invalid.
        """
        labels = dict(self._merged_labels(new))
        intents = self.intents
        if intents is None:
            keys = [key for of_list in self.entries.values() for e in of_list for key in e.labels or {}]
            if not keys:
                raise DivmetricsError(
                    "no document has a label, and there is no %%intents cell; label one, as in 'd1 film', or "
                    "write the intents first"
                )
            intents = _intents_of(keys)
        judgments = judgments_of(self.id, self.title, intents, labels, self.scale)
        lists = {
            name: RankedList(judgments.topic, [e.doc for e in entries], judgments, name)
            for name, entries in self.entries.items()
        }
        return replace(self, lists=lists)

    def _merged_labels(self, new: str) -> Iterator[tuple[str, dict[str, int]]]:
        """Yield every judged document with its labels; raise Contradiction if two lists label it differently.

        The new list is checked last, so that the error names its line.
        """
        entries: dict[str, tuple[str, ListEntry]] = {}
        bare: dict[str, None] = {}
        keys = None if self.intents is None else self.keys
        for name in sorted(self.entries, key=lambda name: name == new):
            for entry in self.entries[name]:
                self._check(entry, keys)
                if entry.labels is None and not entry.unjudged:
                    bare |= {} if entry.unjudged_by_default else {entry.doc: None}
                    continue
                where, first = entries.setdefault(entry.doc, (name, entry))
                if (first.labels, first.unjudged) != (entry.labels, entry.unjudged):
                    wrong = entry.line.wrong(
                        f"{entry.doc} is {entry.wording} in list {name}, but {first.wording} in list "
                        f"{where}; judge it alike, or name it alone to take the labels from list {where}"
                    )
                    raise _Contradiction(str(wrong), where)
        for doc, (_, entry) in entries.items():
            if not entry.unjudged:
                yield doc, entry.labels or {}
        yield from ((doc, {}) for doc in bare if doc not in entries)

    def _check(self, entry: ListEntry, keys: Sequence[str] | None) -> None:
        for key, grade in (entry.labels or {}).items():
            if keys is not None and key not in keys:
                of = "" if self.id == UNNAMED else f" of {self.id}"
                raise entry.line.wrong(
                    f"{key!r} is not an intent{of}{did_you_mean(key, keys)}; there are {', '.join(keys)}"
                )
            if self.scale and grade > self.scale[0]:
                raise entry.line.wrong(
                    f"the grade {grade} of {key!r} is above the scale's top {self.scale[0]}; change it, "
                    "or the scale in the cell of %%intents"
                )


def _intents_of(keys: Sequence[str]) -> tuple[Intent, ...]:
    """Return the intents that occur in labels, in order of occurrence, equally probable at both levels."""
    children: dict[str, dict[str, None]] = {}
    for key in keys:
        intent, slash, child = key.partition("/")
        children.setdefault(intent, {}).update({child: None} if slash else {})
    return tuple(
        Intent(intent, 1 / len(children), children=tuple(Intent(child, 1 / len(below)) for child in below))
        for intent, below in children.items()
    )
