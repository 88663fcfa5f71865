"""Claims of the text that its own tables decide, as far as they are legible."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations, product

from divmetrics.research.papers.sakai2012.consistency import PAIRS
from divmetrics.research.papers.sakai2012.evidence import Evidence
from divmetrics.research.papers.sakai2012.experiments import DISCUSSED
from divmetrics.research.papers.sakai2012.hsd import HALF, SIMILAR
from divmetrics.research.papers.sakai2012.intuition import OFTEN, SELDOM
from divmetrics.research.papers.sakai2012.power import COMPARABLE
from divmetrics.research.papers.sakai2012.rankings import WITH_I_REC
from divmetrics.research.papers.verdicts import Claim, ClaimResult, combine_outcomes

SHARE, DIFFERENCE = "significant pairs (%)", "required difference"
ALPHA, D, DIN, PQ = DISCUSSED
# The better and the worse metric of each statement on Table 6, by part.
WINNERS = {
    "I-rec": ((D, ALPHA), (DIN, ALPHA), (PQ, ALPHA), (PQ, D), (PQ, DIN)),
    "Ef-P": ((D, ALPHA), (DIN, ALPHA), (PQ, ALPHA), (D, PQ), (DIN, D), (DIN, PQ)),
    "both": ((D, ALPHA), (DIN, ALPHA), (PQ, ALPHA), (D, PQ), (DIN, D), (DIN, PQ)),
}


def _as_powerful(evidence: Evidence) -> ClaimResult:
    """Test wherever legible whether DIN#-nDCG and P+Q# separate about as many pairs of runs as I-rec."""
    outcomes, texts, lost = [], [], []
    for table, metric in product((2, 3), (DIN, PQ)):
        if not evidence.legible(table, "uniform", metric, "", SHARE):
            lost.append(f"{metric} in Table {table}")
            continue
        ours, of_i_rec = (evidence.cell(table, "uniform", name, "", SHARE) for name in (metric, "I-rec"))
        outcomes.append(float(ours) >= COMPARABLE * float(of_i_rec))
        texts.append(f"Table {table}: {metric} {ours} %, I-rec {of_i_rec} %")
    return ClaimResult(combine_outcomes(outcomes), "; ".join((*texts, *_not_legible(lost))))


def _half_as_many(evidence: Evidence) -> ClaimResult:
    """Test whether HSD leaves about half of the bootstrap's significant pairs under I-rec."""
    bootstrap, hsd = (evidence.cell(table, "uniform", "I-rec", "", SHARE) for table in (2, 3))
    ratio = float(hsd) / float(bootstrap)
    text = f"{hsd} % of the pairs of runs against {bootstrap} %, a ratio of {ratio:.2f}"
    return ClaimResult(combine_outcomes([HALF[0] <= ratio <= HALF[1]]), text)


def _similar_differences(evidence: Evidence) -> ClaimResult:
    """Test whether both tests require similar differences wherever both are legible."""
    outcomes, texts = [], []
    for part, metric in (("uniform", DIN), ("uniform", PQ), ("nonuniform", DIN)):
        bootstrap, hsd = (evidence.cell(table, part, metric, "", DIFFERENCE) for table in (2, 3))
        outcomes.append(abs(float(hsd) - float(bootstrap)) <= SIMILAR * float(bootstrap))
        texts.append(f"{metric}, {part}: {bootstrap} and {hsd}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join(texts))


def _overlapping(evidence: Evidence) -> ClaimResult:
    """Test whether I-rec and P+Q# separate nearly the same pairs of runs."""
    only_a, both, only_b = (
        int(evidence.cell(4, "uniform", "I-rec", PQ, quantity)) for quantity in ("only a", "both", "only b")
    )
    larger = both + max(only_a, only_b)
    text = f"{both} of {both + only_a} and {both + only_b} pairs are common; the other cells are not legible"
    return ClaimResult(combine_outcomes([both >= COMPARABLE * larger]), text)


def _rank_alike(evidence: Evidence) -> ClaimResult:
    """Test whether I-rec and metrics with I-rec rank runs more alike than any of them and alpha-nDCG do."""
    among = [_tau(evidence, pair) for pair in combinations(WITH_I_REC, 2)]
    with_alpha = [
        _tau(evidence, ("I-rec", ALPHA)),
        *(_tau(evidence, (ALPHA, name)) for name in WITH_I_REC if name != "I-rec"),
    ]
    text = f"tau of at least {min(among)} among the four, of at most {max(with_alpha)} with alpha-nDCG"
    return ClaimResult(combine_outcomes([min(among) > max(with_alpha)]), text)


def _closely_correlated(evidence: Evidence) -> ClaimResult:
    """Test whether any two metrics disagree on few pairs of lists."""
    lists = int(evidence.count("topics")) * PAIRS
    counts = [int(n.text) for n in evidence.in_table(6) if n.quantity == "disagreements"]
    text = f"{min(counts)} to {max(counts)} of {lists:,} pairs of lists, at most {max(counts) / lists:.1%}"
    return ClaimResult(combine_outcomes([max(counts) < SELDOM * lists]), text)


def _winners(evidence: Evidence, part: str) -> ClaimResult:
    """Test whether the metrics that the text calls better have the higher shares in a part of Table 6."""
    outcomes, texts, lost = [], [], []
    for better, worse in WINNERS[part]:
        high, low = _agreement(part, better, worse), _agreement(part, worse, better)
        if not evidence.legible(*high):
            lost.append(f"{better} against {worse}")
            continue
        outcomes.append(float(evidence.cell(*high)) > float(evidence.cell(*low)))
        texts.append(f"{better} {evidence.cell(*high)}, {worse} {evidence.cell(*low)}")
    return ClaimResult(combine_outcomes(outcomes), "; ".join((*texts, *_not_legible(lost))))


def _often_tied(evidence: Evidence) -> ClaimResult:
    """Test whether lists on which two metrics disagree are often tied under I-rec.

    Of two metrics that disagree exactly one agrees with I-rec, or both if the lists are tied; so the two
    printed shares add up to 1 plus the share of ties.
    """
    outcomes, texts = [], []
    for a, b in combinations(DISCUSSED, 2):
        keys = _agreement("I-rec", a, b), _agreement("I-rec", b, a)
        if all(evidence.legible(*key) for key in keys):
            tied = sum(float(evidence.cell(*key)) for key in keys) - 1
            outcomes.append(tied >= OFTEN)
            texts.append(f"{a} and {b} {tied:.0%}")
    text = f"tied among the disagreements of two metrics: {', '.join(texts)}"
    return ClaimResult(combine_outcomes(outcomes), text)


def _not_legible(lost: Sequence[str]) -> list[str]:
    return [f"not legible: {', '.join(lost)}"] if lost else []


def _tau(evidence: Evidence, pair: Sequence[str]) -> float:
    return float(evidence.cell(5, "uniform", *pair, "tau"))


def _agreement(part: str, metric: str, other: str) -> tuple[int, str, str, str, str]:
    """Return the cell of Table 6 with the share on which a metric agrees with the gold standard."""
    if DISCUSSED.index(metric) < DISCUSSED.index(other):
        return 6, part, metric, other, "agrees a"
    return 6, part, other, metric, "agrees b"


CLAIMS = (
    Claim(
        "5, Tables 2(a) and 3(a)",
        "on the paper's runs, DIN#-nDCG and P+Q# tell about as many pairs apart as I-rec",
        _as_powerful,
    ),
    Claim(
        "5, Tables 2(a) and 3(a)",
        "on the paper's runs, HSD leaves about half of the bootstrap's significant pairs under I-rec",
        _half_as_many,
    ),
    Claim(
        "5, Tables 2 and 3",
        "on the paper's runs, both tests require similar differences of means",
        _similar_differences,
    ),
    Claim(
        "5, Table 4", "on the paper's runs, I-rec and P+Q# tell nearly the same pairs apart", _overlapping
    ),
    Claim(
        "5, Table 5",
        "on the paper's runs, I-rec, D#-nDCG, DIN#-nDCG and P+Q# rank alike, and alpha-nDCG apart from them",
        _rank_alike,
    ),
    Claim(
        "4.2, Table 6",
        "on the paper's lists, any two metrics disagree on less than a tenth of the pairs",
        _closely_correlated,
    ),
    Claim(
        "4.2, Table 6(a)",
        "on the paper's lists, a quarter or more of two metrics' disagreements are tied under I-rec",
        _often_tied,
    ),
    *(
        Claim(
            f"5.4, Table 6({part})",
            f"on the paper's lists, the metrics that the text names beat the others in {name}",
            partial(_winners, part=gold),
        )
        for part, gold, name in (
            ("a", "I-rec", "diversity"), ("b", "Ef-P", "relevance"), ("c", "both", "both"),
        )
    ),
)  # fmt: skip
