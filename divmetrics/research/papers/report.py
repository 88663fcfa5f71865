"""The report on a paper: numbers and claims as tables, or as text for a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from divmetrics._progress import track_progress
from divmetrics.research.papers.verdicts import (
    ELSEWHERE,
    VERDICT_MEANINGS,
    Claim,
    ClaimResult,
    ReproducedNumber,
)

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 100
FOLDED = 7  # from this many equal (or not computed) numbers on, a table is one line of the text
NOT_COMPUTED = "not computed"
CANNOT_BE_COMPUTED = "cannot be computed"
NEEDS_JUDGMENTS = "needs the judgments: name their folder (--data DIR)"


@dataclass(frozen=True)
class Report:
    """The numbers of a paper beside ours, and the verdicts on its claims.

    Parameters
    ----------
    paper : str
        The name of the paper.
    compared : tuple of ReproducedNumber
        The printed numbers and ours.
    judged : tuple of (Claim, ClaimResult or None)
        The claims with their results; None if data are missing.

    Examples
    --------
    >>> from divmetrics.research.papers import Report
    >>> from divmetrics.research.papers.verdicts import ReproducedNumber
    >>> number = ReproducedNumber("Table 4", "query 0078, ERR-IA@5", "0.5515", "0.5515", "")
    >>> Report("yu2017", (number,), ()).numbers[["where", "printed", "ours", "same"]]
         where printed    ours  same
    0  Table 4  0.5515  0.5515  True
    """

    paper: str
    compared: tuple[ReproducedNumber, ...]
    judged: tuple[tuple[Claim, ClaimResult | None], ...]

    @classmethod
    def of(
        cls,
        paper: str,
        numbers: Sequence[ReproducedNumber],
        claims: Sequence[Claim],
        evidence: Any,
        *,
        judged: bool,
        progress: bool,
    ) -> Report:
        """Evaluate every claim; unless `judged`, skip the claims that need judgments."""
        results = [
            (claim, claim.find(evidence) if judged or not claim.needs_judgments else None)
            for claim in track_progress(claims, len(claims), "claim", progress)
        ]
        return cls(paper, tuple(numbers), tuple(results))

    @property
    def numbers(self) -> pd.DataFrame:
        """The numbers: where, what, printed, ours, same (None if not computed), convention, why."""
        import pandas as pd

        rows = [(n.where, n.what, n.printed, n.ours, n.same, n.convention, n.why) for n in self.compared]
        return pd.DataFrame(rows, columns=["where", "what", "printed", "ours", "same", "convention", "why"])

    @property
    def claims(self) -> pd.DataFrame:
        """The claims: where, claim, verdict, evidence; for a claim not computed, the reason."""
        import pandas as pd

        rows = [
            (
                claim.where,
                claim.says,
                *((result.words, result.evidence) if result else (NOT_COMPUTED, NEEDS_JUDGMENTS)),
            )
            for claim, result in self.judged
        ]
        return pd.DataFrame(rows, columns=["where", "claim", "verdict", "evidence"])

    @property
    def rows(self) -> pd.DataFrame:
        """Numbers and claims in one table: kind, where, what, printed, ours, verdict, evidence."""
        import pandas as pd

        numbers = self.numbers
        numbers["evidence"] = ["; ".join(filter(None, (n.convention, n.why))) for n in self.compared]
        numbers["verdict"] = [_verdict(n) for n in self.compared]
        claims = self.claims.rename(columns={"claim": "what"})
        both = pd.concat([numbers.assign(kind="number"), claims.assign(kind="claim")], ignore_index=True)
        return both[["kind", "where", "what", "printed", "ours", "verdict", "evidence"]]

    def __str__(self) -> str:
        return "\n".join((*self._numbers(), *self._claims()))

    def _numbers(self) -> Iterator[str]:
        counts = Counter(map(_verdict, self.compared))
        same, computed = counts["same"], counts["same"] + counts["differs"]
        yield f"{self.paper}: {same} of {computed} printed numbers come out."
        if counts[NOT_COMPUTED]:
            yield f"{counts[NOT_COMPUTED]} more are {NOT_COMPUTED}: {NEEDS_JUDGMENTS}."
        if counts[CANNOT_BE_COMPUTED]:
            yield f"{counts[CANNOT_BE_COMPUTED]} more {CANNOT_BE_COMPUTED}; the reason stands beside each."
        width = max((len(n.what) for n in self.compared), default=0)
        yield f"\n  {'':{width}}  {'printed':>13}  {'ours':>13}"
        for where, group in groupby(self.compared, key=lambda n: (n.where, n.convention)):
            heading, convention = where
            numbers = list(group)
            verdicts = set(map(_verdict, numbers))
            fold = len(numbers) >= FOLDED and (verdicts == {"same"} or verdicts == {NOT_COMPUTED})
            what = "all the same" if verdicts == {"same"} else NOT_COMPUTED
            ending = f": {len(numbers)} numbers, {what}" if fold else ""
            title = f"{heading}{ending}{f' ({convention})' if convention else ''}"
            yield from textwrap.wrap(title, WIDTH, subsequent_indent="  ")
            if not fold:
                yield from (_line(n, width) for n in numbers)

    def _claims(self) -> Iterator[str]:
        counts = Counter(result.words if result else NOT_COMPUTED for _, result in self.judged)
        yield f"\n{len(self.judged)} claims in words:"
        meanings = {
            **VERDICT_MEANINGS,
            **{
                f"{word} {ELSEWHERE}": f"{meaning}, on another collection than the paper's"
                for word, meaning in VERDICT_MEANINGS.items()
            },
            NOT_COMPUTED: NEEDS_JUDGMENTS,
        }
        for word, meaning in meanings.items():
            if counts[word]:
                yield f"  {counts[word]:>2} {word}: {meaning}"
        for claim, result in self.judged:
            verdict, evidence = (result.words, result.evidence) if result else (NOT_COMPUTED, NEEDS_JUDGMENTS)
            yield ""
            yield from textwrap.wrap(f"{claim.where}: {claim.says}.", WIDTH, subsequent_indent="  ")
            yield from textwrap.wrap(
                f"{verdict.upper()}: {evidence}.", WIDTH, initial_indent="    ", subsequent_indent="    "
            )


def _verdict(number: ReproducedNumber) -> str:
    if number.same is None:
        return CANNOT_BE_COMPUTED if number.why else NOT_COMPUTED
    return "same" if number.same else "differs"


def _line(number: ReproducedNumber, width: int) -> str:
    ours = "-" if number.ours is None else number.ours
    differs = "differs" if number.same is False else ""
    why = ": ".join(filter(None, (differs, number.why)))
    return f"  {number.what:{width}}  {number.printed:>13}  {ours:>13}  {why}".rstrip()
