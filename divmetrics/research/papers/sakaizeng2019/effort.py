"""Section 3.2: what RBU takes away from a list for the effort of reading it."""

from __future__ import annotations

from divmetrics.research.meta import score_table
from divmetrics.research.papers.imine import LANGUAGES
from divmetrics.research.papers.sakaizeng2019.evidence import Evidence
from divmetrics.research.papers.sakaizeng2019.measures import RBU, at_cutoff
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes, share


def _effort(evidence: Evidence) -> ClaimResult:
    """Test whether RBU ever prefers another list than iRBU-IA at one cutoff."""
    table = score_table(evidence.effort)
    outcomes, texts = [], []
    for name in RBU:
        ours, other = (
            table.decisions[table.position(each)]
            for each in at_cutoff((name, name.replace("RBU", "iRBU-IA")))
        )
        differ = int((ours != other).sum())
        outcomes.append(differ > 0)
        texts.append(f"{name} decides {share(differ, ours.size)} pairs of lists differently from iRBU-IA")
    return ClaimResult(
        combine_outcomes(outcomes),
        f"{'; '.join(texts)} (a made-up collection; Eq. 9 subtracts one number from all lists)",
        elsewhere=True,
    )


def _negative_scores(evidence: Evidence) -> ClaimResult:
    """Test whether no RBU score is negative with e = 0.01."""
    outcomes, texts = [], []
    for code, scores in evidence.imine.items():
        for name in RBU:
            below = scores.loc[scores["metric"] == at_cutoff([name])[0], "score"] < 0
            outcomes.append(not below.any())
            texts.append(f"{LANGUAGES[code].name}, {name}: {share(below.sum(), len(below))} scores")
    return ClaimResult(combine_outcomes(outcomes), f"negative: {'; '.join(texts)}", elsewhere=True)


CLAIMS = (
    Claim("3.2 (made-up data)", "RBU accounts for effort, which iRBU-IA does not", _effort),
    Claim("3.2 (IMine)", "with e = 0.01, RBU avoids negative scores", _negative_scores),
)
