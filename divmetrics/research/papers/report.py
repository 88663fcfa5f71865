"""The report on a paper: numbers and claims as tables, or as text for a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
        The claims with their results; None for a claim that needs judgments where there are none.

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
        """Evaluate every claim on the evidence.

        Parameters
        ----------
        paper : str
            The name of the paper.
        numbers : sequence of ReproducedNumber
            The printed numbers and ours.
        claims : sequence of Claim
            The claims.
        evidence : object
            What `find` of each claim is called with, such as the tables of the paper.
        judged : bool
            Whether there are judgments; without them, claims that need judgments have no result.
        progress : bool
            Whether to show a progress bar, on a terminal only.

        Returns
        -------
        Report
            The numbers, and the claims with their results.
        """
        results = [
            (claim, claim.find(evidence) if judged or not claim.needs_judgments else None)
            for claim in track_progress(claims, len(claims), "claim", progress)
        ]
        return cls(paper, tuple(numbers), tuple(results))

    @property
    def numbers(self) -> pd.DataFrame:
        """The numbers, a row each, with the fields of `ReproducedNumber` as columns.

        These are where, what, printed, ours, same (None if ours is not computed), convention and why.
        """
        import pandas as pd

        rows = [(n.where, n.what, n.printed, n.ours, n.same, n.convention, n.why) for n in self.compared]
        return pd.DataFrame(rows, columns=["where", "what", "printed", "ours", "same", "convention", "why"])

    @property
    def claims(self) -> pd.DataFrame:
        """The claims, a row each: where (in the paper), claim, verdict, evidence, all as text.

        The verdict is "holds", "does not hold", "fragile", "not what was computed", "contradicts itself",
        "cannot be decided" or "cannot be computed", with " elsewhere" at the end if the evidence is from
        another collection. A claim without a result has the verdict "not computed", and the reason as
        evidence.
        """
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
        """Numbers and claims in one table, a row each.

        The columns are kind ("number" or "claim"), where, what (the number in words, or the claim), printed
        and ours (nan for claims), verdict (for numbers "same", "differs", "not computed" or "cannot be
        computed"; for claims as in `claims`) and evidence (for numbers convention and why).
        """
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
            are = "is" if counts[NOT_COMPUTED] == 1 else "are"
            yield f"{counts[NOT_COMPUTED]} more {are} {NOT_COMPUTED}: {NEEDS_JUDGMENTS}."
        if counts[CANNOT_BE_COMPUTED]:
            yield f"{counts[CANNOT_BE_COMPUTED]} more {CANNOT_BE_COMPUTED}; each has its reason."
        widths = (
            max((len(n.what) for n in self.compared), default=0),
            max(map(len, ("printed", *(n.printed for n in self.compared)))),
            max(map(len, ("ours", *(n.ours or "" for n in self.compared)))),
        )
        yield "\n" + _columns(("", "printed", "ours"), widths)
        for where, group in groupby(self.compared, key=lambda n: (n.where, n.convention)):
            heading, convention = where
            numbers = list(group)
            verdicts = set(map(_verdict, numbers))
            fold = len(numbers) >= FOLDED and (verdicts == {"same"} or verdicts == {NOT_COMPUTED})
            what = "all the same" if verdicts == {"same"} else NOT_COMPUTED
            ending = f": {len(numbers)} numbers, {what}" if fold else ""
            reason = _shared_reason(numbers)
            note = "; ".join(filter(None, (convention, reason)))
            title = f"{heading}{ending}{f' ({note})' if note else ''}"
            yield from _wrap(title)
            if not fold:
                for number in numbers:
                    yield from _lines(replace(number, why="") if reason else number, widths)

    def _claims(self) -> Iterator[str]:
        counts = Counter(result.words if result else NOT_COMPUTED for _, result in self.judged)
        yield f"\n{len(self.judged)} {'claim' if len(self.judged) == 1 else 'claims'} in words:"
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
                yield from _wrap(f"  {counts[word]:>2} {word}: {meaning}", rest=" " * 5)
        for claim, result in self.judged:
            verdict, evidence = (result.words, result.evidence) if result else (NOT_COMPUTED, NEEDS_JUDGMENTS)
            yield ""
            yield from _wrap(f"{claim.where}: {claim.says}.")
            yield from _wrap(f"{verdict.upper()}: {evidence}.", first=" " * 4, rest=" " * 4)


def _wrap(text: str, *, first: str = "", rest: str = "  ") -> list[str]:
    """Return the lines of a text; names of metrics are not broken at their hyphens."""
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def _verdict(number: ReproducedNumber) -> str:
    if number.same is None:
        return CANNOT_BE_COMPUTED if number.why else NOT_COMPUTED
    return "same" if number.same else "differs"


def _shared_reason(numbers: Sequence[ReproducedNumber]) -> str:
    """Return the reason why three or more numbers cannot be computed, if all have the same; otherwise ""."""
    reasons = {n.why if n.ours is None else "" for n in numbers}
    return reasons.pop() if len(numbers) > 2 and len(reasons) == 1 else ""


def _columns(texts: tuple[str, str, str], widths: tuple[int, int, int]) -> str:
    what, printed, ours = texts
    of_what, of_printed, of_ours = widths
    return f"  {what:{of_what}}  {printed:>{of_printed}}  {ours:>{of_ours}}"


def _lines(number: ReproducedNumber, widths: tuple[int, int, int]) -> Iterator[str]:
    """Yield a number as one line; a reason that does not fit into it follows in lines of its own."""
    ours = "-" if number.ours is None else number.ours
    differs = "differs" if number.same is False else ""
    why = ": ".join(filter(None, (differs, number.why)))
    line = _columns((number.what, number.printed, ours), widths)
    if len(line) + len(why) + 2 <= WIDTH:
        yield f"{line}  {why}".rstrip()
        return
    yield line
    yield from _wrap(why, first=" " * 6, rest=" " * 6)
