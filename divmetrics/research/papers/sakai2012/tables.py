"""Claims of the text that its own tables decide, as far as they are legible."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations

from divmetrics.research.papers.sakai2012.consistency import PAIRS
from divmetrics.research.papers.sakai2012.evidence import Evidence
from divmetrics.research.papers.sakai2012.experiments import DISCUSSED
from divmetrics.research.papers.sakai2012.hsd import HALF, SIMILAR
from divmetrics.research.papers.sakai2012.intuition import SELDOM
from divmetrics.research.papers.sakai2012.power import COMPARABLE
from divmetrics.research.papers.sakai2012.rankings import WITH_I_REC
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes

SHARE, DIFFERENCE = "significant pairs (%)", "required difference"
ALPHA, D, DIN, PQ = DISCUSSED
# The better and the worse metric of each statement on Table 6, by part.
WINNERS = {
    "I-rec": ((D, ALPHA), (DIN, ALPHA), (PQ, D), (PQ, DIN)),
    "Ef-P": ((D, ALPHA), (DIN, ALPHA), (PQ, ALPHA), (D, PQ), (DIN, D), (DIN, PQ)),
    "both": ((D, ALPHA), (DIN, ALPHA), (PQ, ALPHA), (D, PQ), (DIN, D), (DIN, PQ)),
}


def as_powerful(evidence: Evidence) -> ClaimResult:
    """Test whether DIN#-nDCG and P+Q# separate about as many pairs of runs as I-rec."""
    outcomes, texts = [], []
    for table, metric in ((2, DIN), (3, DIN), (3, PQ)):
        ours, of_i_rec = (evidence.cell(table, "uniform", name, "", SHARE) for name in (metric, "I-rec"))
        outcomes.append(float(ours) >= COMPARABLE * float(of_i_rec))
        texts.append(f"Table {table}: {metric} {ours} %, I-rec {of_i_rec} %")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def half_as_many(evidence: Evidence) -> ClaimResult:
    """Test whether HSD leaves about half of the bootstrap's significant pairs under I-rec."""
    bootstrap, hsd = (evidence.cell(table, "uniform", "I-rec", "", SHARE) for table in (2, 3))
    ratio = float(hsd) / float(bootstrap)
    text = f"{hsd} % of the pairs of runs against {bootstrap} %, a ratio of {ratio:.2f}"
    return ClaimResult(combine_outcomes([HALF[0] <= ratio <= HALF[1]]), text)


def similar_differences(evidence: Evidence) -> ClaimResult:
    """Test whether both tests require similar differences wherever both are legible."""
    outcomes, texts = [], []
    for part, metric in (("uniform", DIN), ("uniform", PQ), ("nonuniform", DIN)):
        bootstrap, hsd = (evidence.cell(table, part, metric, "", DIFFERENCE) for table in (2, 3))
        outcomes.append(abs(float(hsd) - float(bootstrap)) <= SIMILAR * float(bootstrap))
        texts.append(f"{metric}, {part}: {bootstrap} and {hsd}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def overlapping(evidence: Evidence) -> ClaimResult:
    """Test whether I-rec and P+Q# separate nearly the same pairs of runs."""
    only_a, both, only_b = (
        int(evidence.cell(4, "uniform", "I-rec", PQ, quantity)) for quantity in ("only a", "both", "only b")
    )
    smaller = both + min(only_a, only_b)
    text = f"{both} of {both + only_a} and {both + only_b} pairs are common; the other cells are not legible"
    return ClaimResult(combine_outcomes([both >= COMPARABLE * smaller]), text)


def rank_alike(evidence: Evidence) -> ClaimResult:
    """Test whether I-rec and metrics with I-rec rank runs more alike than any of them and alpha-nDCG do."""
    among = [_tau(evidence, pair) for pair in combinations(WITH_I_REC, 2)]
    with_alpha = [
        _tau(evidence, ("I-rec", ALPHA)),
        *(_tau(evidence, (ALPHA, name)) for name in WITH_I_REC if name != "I-rec"),
    ]
    text = f"tau of at least {min(among)} among the four, of at most {max(with_alpha)} with alpha-nDCG"
    return ClaimResult(combine_outcomes([min(among) > max(with_alpha)]), text)


def closely_correlated(evidence: Evidence) -> ClaimResult:
    """Test whether any two metrics disagree on few pairs of lists."""
    lists = int(evidence.count("topics")) * PAIRS
    counts = [int(n.text) for n in evidence.in_table(6) if n.quantity == "disagreements"]
    text = f"{min(counts)} to {max(counts)} of {lists:,} pairs of lists, at most {max(counts) / lists:.1%}"
    return ClaimResult(combine_outcomes([max(counts) < SELDOM * lists]), text)


def winners(evidence: Evidence, part: str) -> ClaimResult:
    """Test whether the metrics that the text calls better have the higher shares in a part of Table 6."""
    outcomes, texts = [], []
    for better, worse in WINNERS[part]:
        high, low = _agreement(evidence, part, better, worse), _agreement(evidence, part, worse, better)
        outcomes.append(float(high) > float(low))
        texts.append(f"{better} {high}, {worse} {low}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def _tau(evidence: Evidence, pair: Sequence[str]) -> float:
    return float(evidence.cell(5, "uniform", *pair, "tau"))


def _agreement(evidence: Evidence, part: str, metric: str, other: str) -> str:
    """Return the printed share on which a metric agrees with the gold standard, compared with another one."""
    if DISCUSSED.index(metric) < DISCUSSED.index(other):
        return evidence.cell(6, part, metric, other, "agrees a")
    return evidence.cell(6, part, other, metric, "agrees b")


CLAIMS = (
    Claim(
        "5, Tables 2(a) and 3(a)",
        "on the paper's runs, DIN#-nDCG and P+Q# tell about as many pairs apart as I-rec",
        as_powerful,
    ),
    Claim(
        "5, Tables 2(a) and 3(a)",
        "on the paper's runs, HSD leaves about half of the bootstrap's significant pairs under I-rec",
        half_as_many,
    ),
    Claim(
        "5, Tables 2 and 3",
        "on the paper's runs, both tests require similar differences of means",
        similar_differences,
    ),
    Claim(
        "5, Table 4", "on the paper's runs, I-rec and P+Q# tell nearly the same pairs apart", overlapping
    ),
    Claim(
        "5, Table 5",
        "on the paper's runs, I-rec, D#-nDCG, DIN#-nDCG and P+Q# rank alike, and alpha-nDCG apart from them",
        rank_alike,
    ),
    Claim(
        "4.2, Table 6",
        "on the paper's lists, any two metrics disagree on less than a tenth of the pairs",
        closely_correlated,
    ),
    *(
        Claim(
            f"5.4, Table 6({part})",
            f"on the paper's lists, the metrics that the text names beat the others in {name}",
            partial(winners, part=gold),
        )
        for part, gold, name in (
            ("a", "I-rec", "diversity"), ("b", "Ef-P", "relevance"), ("c", "both", "both"),
        )
    ),
)  # fmt: skip
