"""The report on a paper: numbers and claims as tables, or as text for a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from divmetrics._progress import track_progress
from divmetrics.research.papers.verdicts import VERDICT_MEANINGS, Claim, ClaimResult, ReproducedNumber

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 100
NOT_COMPUTED = "not computed"
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
        """The numbers: where, what, printed, ours, same (None if not computed), convention."""
        import pandas as pd

        rows = [(n.where, n.what, n.printed, n.ours, n.same, n.convention) for n in self.compared]
        return pd.DataFrame(rows, columns=["where", "what", "printed", "ours", "same", "convention"])

    @property
    def claims(self) -> pd.DataFrame:
        """The claims: where, claim, verdict, evidence; for a claim not computed, the reason."""
        import pandas as pd

        rows = [
            (
                claim.where,
                claim.says,
                *((result.verdict, result.evidence) if result else (NOT_COMPUTED, NEEDS_JUDGMENTS)),
            )
            for claim, result in self.judged
        ]
        return pd.DataFrame(rows, columns=["where", "claim", "verdict", "evidence"])

    @property
    def rows(self) -> pd.DataFrame:
        """Numbers and claims in one table: kind, where, what, printed, ours, verdict, evidence."""
        import pandas as pd

        words = {True: "same", False: "differs", None: NOT_COMPUTED}
        numbers = self.numbers.rename(columns={"convention": "evidence"})
        numbers["verdict"] = [words[n.same] for n in self.compared]
        claims = self.claims.rename(columns={"claim": "what"})
        both = pd.concat([numbers.assign(kind="number"), claims.assign(kind="claim")], ignore_index=True)
        return both[["kind", "where", "what", "printed", "ours", "verdict", "evidence"]]

    def __str__(self) -> str:
        return "\n".join((*self._numbers(), *self._claims()))

    def _numbers(self) -> Iterator[str]:
        computed = [n for n in self.compared if n.same is not None]
        same = sum(n.same is True for n in computed)
        yield f"{self.paper}: {same} of {len(computed)} printed numbers come out."
        if len(computed) < len(self.compared):
            yield f"{len(self.compared) - len(computed)} more are {NOT_COMPUTED}: {NEEDS_JUDGMENTS}."
        width = max(len(n.what) for n in self.compared)
        yield f"\n  {'':{width}}  {'printed':>13}  {'ours':>13}"
        for where, group in groupby(self.compared, key=lambda n: (n.where, n.convention)):
            heading, convention = where
            yield f"{heading}{f' ({convention})' if convention else ''}"
            for n in group:
                ours = "-" if n.ours is None else n.ours
                mark = "  differs" if n.same is False else ""
                yield f"  {n.what:{width}}  {n.printed:>13}  {ours:>13}{mark}"

    def _claims(self) -> Iterator[str]:
        counts = Counter(result.verdict if result else NOT_COMPUTED for _, result in self.judged)
        yield f"\n{len(self.judged)} claims in words:"
        for word, meaning in (*VERDICT_MEANINGS.items(), (NOT_COMPUTED, NEEDS_JUDGMENTS)):
            if counts[word]:
                yield f"  {counts[word]:>2} {word}: {meaning}"
        for claim, result in self.judged:
            verdict, evidence = (
                (result.verdict, result.evidence) if result else (NOT_COMPUTED, NEEDS_JUDGMENTS)
            )
            yield ""
            yield from textwrap.wrap(f"{claim.where}: {claim.says}.", WIDTH, subsequent_indent="  ")
            yield from textwrap.wrap(
                f"{verdict.upper()}: {evidence}.", WIDTH, initial_indent="    ", subsequent_indent="    "
            )
