"""One topic with the lists written for it: labels of all lists together are the judgments of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from divmetrics.core.collection import Intent, Judgments, RankedList, Topic
from divmetrics.errors import DivmetricsError, did_you_mean
from divmetrics.notebook.textformat.cell_parsers import ListEntry
from divmetrics.notebook.textformat.lab_state import all_label_keys, intent_to_json, pool_of

UNNAMED = "1"


class Contradiction(DivmetricsError):
    """Two lists judge a document differently; `other` is the one that was written before."""

    def __init__(self, message: str, other: str) -> None:
        super().__init__(message)
        self.other = other


@dataclass(frozen=True)
class TopicDraft:
    """What %%intents and %%serp have written, and what follows from it.

    intents: None where %%intents did not say them; then they are those of the labels, equally probable.
    scale: the tops of the grades and of the pseudo ad hoc grades; None: the highest that occur.
    """

    id: str = UNNAMED
    title: str = ""
    intents: tuple[Intent, ...] | None = None
    scale: tuple[int, int] | None = None
    entries: Mapping[str, tuple[ListEntry, ...]] = field(default_factory=dict)
    lists: Mapping[str, RankedList] = field(default_factory=dict)

    @property
    def pool(self) -> Judgments | None:
        """The judgments that all lists share; None without lists."""
        return next((ranked.judgments for ranked in self.lists.values()), None)

    @property
    def topic(self) -> Topic | None:
        """The topic; None before there is anything to make one of."""
        if self.pool is not None:
            return self.pool.topic
        return None if self.intents is None else Topic(self.id, self.intents, self.title)

    @property
    def keys(self) -> list[str]:
        """Every label there can be."""
        return list(all_label_keys(self.id, map(intent_to_json, self.topic.intents))) if self.topic else []

    @property
    def about(self) -> dict[str, str]:
        """A few words about documents that have some."""
        return {e.doc: e.about for entries in self.entries.values() for e in entries if e.about}

    def only(self, names: Sequence[str]) -> TopicDraft:
        """Without the other lists."""
        return replace(
            self,
            entries={name: self.entries[name] for name in names},
            lists={name: self.lists[name] for name in names},
        )

    def with_list(self, name: str, entries: tuple[ListEntry, ...]) -> tuple[TopicDraft, dict[str, str]]:
        """With this list, and of every list that it contradicts what it does.

        A new list must agree with those before it. One that is written again may change what they say: they
        are left out, or two lists with the same mistake could never be corrected. DivmetricsError otherwise.
        """
        every = {**self.entries, name: entries}  # in the place of the old one, so that intents keep theirs
        wrong: dict[str, str] = {}
        while True:
            try:
                return replace(self, entries=every)._worked_out(name), wrong
            except Contradiction as error:
                if name not in self.entries:
                    raise
                del every[error.other]
                wrong[error.other] = f"list {name} was changed in {error}"

    def with_intents(
        self, topic: str, title: str, intents: tuple[Intent, ...], scale: tuple[int, int] | None
    ) -> tuple[TopicDraft, dict[str, str]]:
        """With these intents, and of every list that does not fit them any more why it does not."""
        empty = replace(self, id=topic, title=title, intents=intents, scale=scale, entries={}, lists={})
        sheet, wrong = empty, {}
        for name, entries in self.entries.items():
            try:
                sheet, _ = sheet.with_list(name, entries)
            except DivmetricsError as error:
                wrong[name] = f"its {error}"
        return sheet, wrong

    def _worked_out(self, new: str) -> TopicDraft:
        labels = dict(self._agreed(new))
        intents = self.intents
        if intents is None:
            keys = [key for of_list in self.entries.values() for e in of_list for key in e.labels or {}]
            if not keys:
                raise DivmetricsError(
                    "no document has a label, and there is no %%intents cell; label one, as in 'd1 film', or "
                    "write the intents first"
                )
            intents = intents_of(keys)
        pool = pool_of(self.id, self.title, intents, labels, self.scale)
        lists = {
            name: RankedList(pool.topic, [e.doc for e in entries], pool, name)
            for name, entries in self.entries.items()
        }
        return replace(self, lists=lists)

    def _agreed(self, new: str) -> Iterator[tuple[str, dict[str, int]]]:
        """The labels of every judged document, which all lists that label it must give alike.

        The new list is looked at last: where it differs from another, its line is the one to be named.
        """
        found: dict[str, tuple[str, ListEntry]] = {}
        bare: dict[str, None] = {}
        known = None if self.intents is None else self.keys
        for name in sorted(self.entries, key=lambda name: name == new):
            for entry in self.entries[name]:
                self._check(entry, known)
                if entry.labels is None and not entry.unjudged:
                    bare |= {} if entry.unjudged_by_default else {entry.doc: None}
                    continue
                where, first = found.setdefault(entry.doc, (name, entry))
                if (first.labels, first.unjudged) != (entry.labels, entry.unjudged):
                    wrong = entry.line.wrong(
                        f"{entry.doc} is {entry.told} in list {name}, but {first.told} in list {where}; "
                        f"judge it alike, or name it alone to take the labels from list {where}"
                    )
                    raise Contradiction(str(wrong), where)
        for doc, (_, entry) in found.items():
            if not entry.unjudged:
                yield doc, entry.labels or {}
        yield from ((doc, {}) for doc in bare if doc not in found)

    def _check(self, entry: ListEntry, known: Sequence[str] | None) -> None:
        for key, grade in (entry.labels or {}).items():
            if known is not None and key not in known:
                of = "" if self.id == UNNAMED else f" of {self.id}"
                raise entry.line.wrong(
                    f"{key!r} is not an intent{of}{did_you_mean(key, known)}; there are {', '.join(known)}"
                )
            if self.scale and grade > self.scale[0]:
                raise entry.line.wrong(
                    f"the grade {grade} of {key!r} is above the scale's top {self.scale[0]}; change it, "
                    "or the scale in the cell of %%intents"
                )


def intents_of(keys: Sequence[str]) -> tuple[Intent, ...]:
    """The intents that occur in labels, in their order, equally probable at both levels."""
    found: dict[str, dict[str, None]] = {}
    for key in keys:
        intent, slash, child = key.partition("/")
        found.setdefault(intent, {}).update({child: None} if slash else {})
    return tuple(
        Intent(intent, 1 / len(found), children=tuple(Intent(child, 1 / len(below)) for child in below))
        for intent, below in found.items()
    )
