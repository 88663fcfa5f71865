"""Every metric once more, naively: one ranked list at a time, plain Python, loops only.

Written from the definitions (Yu et al. 2017; Sakai 2012; Sakai & Zeng 2019; Clarke et al. 2008, 2009;
Chapelle et al. 2009), not from the library, which it must never import: two independent readings of the same
formulas that agree on random collections are the evidence that both are right. Nothing here is clever, on
purpose.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations


@dataclass
class Case:
    """One ranked list of one topic, and all that a metric may look at."""

    weights: list[float]  # p(t_i|q), one per intent
    kinds: list[str]  # "informational" or "navigational", one per intent
    grades: list[dict[str, int]]  # one per intent: document -> grade, judged documents only
    judged: list[str]  # every judged document of the topic
    ranking: list[str]  # the evaluated list, best first, all of it
    top: int  # Y, the top of the collection's scale
    adhoc_top: int = 0  # Y of the grades for the whole topic (ad hoc metrics)
    children: list[Case] = field(default_factory=list)  # the second level: one Case per first-level subtopic


# ------------------------------------------------------------------------------------------ grade maps


def grade(case, i, doc):
    return max(0, case.grades[i].get(doc, 0))


def relevant(g):
    return 1 if g > 0 else 0


def gain(g, kind):
    return float(g) if kind == "linear" else 2.0**g - 1.0


def stop(g, top, denominator="2^Y"):
    """R(g), the chance to satisfy; Chapelle et al. (2009) divide by 2^Y, Yu et al. (2017) print 2^Y - 1."""
    if denominator == "2^Y":
        return (2.0**g - 1.0) / 2.0**top
    return (2.0**g - 1.0) / (2.0**top - 1.0) if top > 0 else 0.0


def shown(case, cutoff):
    """The documents that count, with their ranks from 1."""
    docs = case.ranking if cutoff is None else case.ranking[:cutoff]
    return list(enumerate(docs, start=1))


def ideal_gains(gains, cutoff):
    ordered = sorted(gains, reverse=True)
    return ordered if cutoff is None else ordered[:cutoff]


def divide(a, b):
    return a / b if b > 0 else 0.0


# ----------------------------------------------------- one intent: grades in rank order, and its ideal


def dcg(gains):
    total = 0.0
    for k, g in enumerate(gains, start=1):
        total += g / math.log2(k + 1)
    return total


def ndcg_of(list_gains, all_gains, cutoff):
    return divide(dcg(list_gains), dcg(ideal_gains(all_gains, cutoff)))


def blended_ratios(list_gains, flags, all_gains, beta):
    """BR at every rank, Sakai & Zeng 2019 Eq. 2; `flags` say which ranks count as relevant."""
    ideal = sorted(all_gains, reverse=True)
    ratios = []
    for k in range(1, len(list_gains) + 1):
        count, cg, cg_ideal = 0, 0.0, 0.0
        for j in range(k):
            count += flags[j]
            cg += list_gains[j]
            if j < len(ideal):
                cg_ideal += ideal[j]
        ratios.append((count + beta * cg) / (k + beta * cg_ideal))
    return ratios


def q_of(list_gains, flags, all_gains, total_relevant, cutoff, beta):
    ratios = blended_ratios(list_gains, flags, all_gains, beta)
    total = 0.0
    for k in range(len(list_gains)):
        total += flags[k] * ratios[k]
    depth = total_relevant if cutoff is None else min(cutoff, total_relevant)
    return divide(total, depth)


def stopping(stops):
    """P_ERR: the reader stops exactly here (Sakai & Zeng 2019 Eq. 4)."""
    result = []
    for k in range(len(stops)):
        p = stops[k]
        for j in range(k):
            p *= 1.0 - stops[j]
        result.append(p)
    return result


def err_of(stops):
    total = 0.0
    for k, p in enumerate(stopping(stops), start=1):
        total += p / k
    return total


def ebr_of(stops, ratios):
    total = 0.0
    for p, ratio in zip(stopping(stops), ratios, strict=True):
        total += p * ratio
    return total


def irbu_of(stops, phi):
    total = 0.0
    for k, p in enumerate(stopping(stops), start=1):
        total += p * phi**k
    return total


def rbp_of(list_gains, largest, phi):
    total = 0.0
    for k, g in enumerate(list_gains, start=1):
        total += (1.0 - phi) * phi ** (k - 1) * divide(g, largest)
    return total


def p_plus_of(list_grades, list_gains, all_gains, beta):
    """Sakai 2012 Eq. 4: Q stopped at the first document of the highest grade that was retrieved."""
    if not list_grades or max(list_grades) == 0:
        return 0.0
    preferred = list_grades.index(max(list_grades))
    flags = [relevant(g) for g in list_grades]
    ratios = blended_ratios(list_gains, flags, all_gains, beta)
    total, count = 0.0, 0
    for k in range(preferred + 1):
        total += flags[k] * ratios[k]
        count += flags[k]
    return total / count


def average_precision_of(flags, cutoff, total_relevant, of):
    """Sum of precisions at relevant ranks over `of`: "l" (as Yu et al. print it), "R", or "min(l,R)"."""
    total = 0.0
    for k in range(len(flags)):
        count = 0
        for j in range(k + 1):
            count += flags[j]
        total += flags[k] * count / (k + 1)
    if of == "l":
        return total / cutoff
    if of == "R":
        return divide(total, total_relevant)
    return divide(total, total_relevant if cutoff is None else min(cutoff, total_relevant))


# --------------------------------------------------------------------------------- per-intent material


def list_grades(case, i, cutoff):
    return [grade(case, i, doc) for _, doc in shown(case, cutoff)]


def all_grades(case, i):
    return [grade(case, i, doc) for doc in case.judged]


def gains_of(grades, kind):
    return [gain(g, kind) for g in grades]


def count_relevant(grades):
    return sum(relevant(g) for g in grades)


def intents(case):
    return range(len(case.weights))


# ----------------------------------------------------------------------------------- diversity metrics


def s_recall(case, cutoff):
    covered = 0
    for i in intents(case):
        if any(g > 0 for g in list_grades(case, i, cutoff)):
            covered += 1
    return covered / len(case.weights)


def intents_of(case, doc):
    return {i for i in intents(case) if relevant(grade(case, i, doc))}


def cheapest(case, needed, a):
    """The least cost of judged documents that serve `needed` intents: every set of documents is tried."""
    kinds = {frozenset(intents_of(case, doc)) for doc in case.judged}
    costs = [
        sum(1 + a * len(kind) for kind in chosen)
        for n in range(1, len(kinds) + 1)
        for chosen in combinations(kinds, n)
        if len(frozenset().union(*chosen)) >= needed
    ]
    return min(costs)


def ws_precision(case, cutoff, level=1.0, a=1.0):
    """Zhai et al. 2003: the least cost of reaching the level over the cost of reaching it in the list."""
    coverable = set().union(*(intents_of(case, doc) for doc in case.judged))
    needed = math.ceil(level * len(coverable) - 1e-6)
    cost, seen = 0, set()
    for _, doc in shown(case, cutoff):
        cost += 1 + a * len(intents_of(case, doc))
        seen |= intents_of(case, doc)
        if needed and len(seen) >= needed:
            return cheapest(case, needed, a) / cost
    return 0.0


def s_precision(case, cutoff, level=1.0):
    return ws_precision(case, cutoff, level, a=0)


def s_recall_lmin(case, cutoff):
    coverable = set().union(*(intents_of(case, doc) for doc in case.judged))
    if not coverable:
        return 0.0
    least = cheapest(case, len(coverable), 0)
    docs = [doc for k, doc in shown(case, cutoff) if k <= least]
    return len(set().union(*(intents_of(case, doc) for doc in docs))) / len(coverable)


def p_ia(case, cutoff):
    return sum(case.weights[i] * count_relevant(list_grades(case, i, cutoff)) / cutoff for i in intents(case))


def ap_ia(case, cutoff, of="l"):
    total = 0.0
    for i in intents(case):
        flags = [relevant(g) for g in list_grades(case, i, cutoff)]
        r = count_relevant(all_grades(case, i))
        total += case.weights[i] * average_precision_of(flags, cutoff, r, of)
    return total


def stops_of(case, i, cutoff, denominator="2^Y"):
    return [stop(g, case.top, denominator) for g in list_grades(case, i, cutoff)]


def err_ia(case, cutoff, denominator="2^Y"):
    return sum(case.weights[i] * err_of(stops_of(case, i, cutoff, denominator)) for i in intents(case))


def ndcg_ia(case, cutoff, kind="linear"):
    total = 0.0
    for i in intents(case):
        mine = gains_of(list_grades(case, i, cutoff), kind)
        best = gains_of(all_grades(case, i), kind)
        total += case.weights[i] * ndcg_of(mine, best, cutoff)
    return total


def q_intent(case, i, cutoff, kind, beta):
    mine, best = list_grades(case, i, cutoff), all_grades(case, i)
    flags = [relevant(g) for g in mine]
    return q_of(gains_of(mine, kind), flags, gains_of(best, kind), count_relevant(best), cutoff, beta)


def p_plus_intent(case, i, cutoff, kind, beta):
    mine, best = list_grades(case, i, cutoff), all_grades(case, i)
    return p_plus_of(mine, gains_of(mine, kind), gains_of(best, kind), beta)


def q_ia(case, cutoff, kind="linear", beta=1.0):
    return sum(case.weights[i] * q_intent(case, i, cutoff, kind, beta) for i in intents(case))


def p_plus_q(case, cutoff, kind="linear", beta=1.0):
    total = 0.0
    for i in intents(case):
        one = p_plus_intent if case.kinds[i] == "navigational" else q_intent
        total += case.weights[i] * one(case, i, cutoff, kind, beta)
    return total


def rbp_ia(case, cutoff, kind="linear", phi=0.99):
    largest = gain(case.top, kind)
    total = 0.0
    for i in intents(case):
        total += case.weights[i] * rbp_of(gains_of(list_grades(case, i, cutoff), kind), largest, phi)
    return total


def ebr_ia(case, cutoff, kind="linear", beta=1.0):
    total = 0.0
    for i in intents(case):
        mine, best = list_grades(case, i, cutoff), all_grades(case, i)
        flags = [relevant(g) for g in mine]
        ratios = blended_ratios(gains_of(mine, kind), flags, gains_of(best, kind), beta)
        total += case.weights[i] * ebr_of(stops_of(case, i, cutoff), ratios)
    return total


def irbu_ia(case, cutoff, phi=0.99):
    return sum(case.weights[i] * irbu_of(stops_of(case, i, cutoff), phi) for i in intents(case))


def rbu(case, cutoff, phi=0.99, e=0.01):
    """Sakai & Zeng 2019 Eq. 9; the effort is charged for all l ranks, whether the list has them or not."""
    effort = 0.0
    for k in range(1, cutoff + 1):
        effort += e * phi**k
    return irbu_ia(case, cutoff, phi) - effort


def rbu_original(case, cutoff, phi=0.99, e=0.01):
    """The program of RBU's authors: every intent has its own top grade, the effort ends with the list."""
    total = 0.0
    for i in intents(case):
        own_top = max(all_grades(case, i), default=0)
        stops = [stop(g, own_top) for g in list_grades(case, i, cutoff)]
        total += case.weights[i] * irbu_of(stops, phi)
    for k, _ in shown(case, cutoff):
        total -= e * phi**k
    return (1.0 - phi) / phi * total


def novelty_gain(case, doc, above, alpha):
    """What `doc` is worth after the documents `above` it (Clarke et al. 2008)."""
    total = 0
    for i in intents(case):
        if grade(case, i, doc) > 0:
            seen = sum(relevant(grade(case, i, other)) for other in above)
            total += (1.0 - alpha) ** seen
    return total


def alpha_dcg_of(case, docs, alpha):
    total = 0.0
    for k, doc in enumerate(docs, start=1):
        total += novelty_gain(case, doc, docs[: k - 1], alpha) / math.log2(k + 1)
    return total


def greedy_ideal(case, cutoff, alpha, ties="ascending"):
    """The fractions make equal values equal: floats would let rounding decide between tied documents."""
    alpha = Fraction(str(alpha))
    left = sorted(case.judged, reverse=ties == "descending")
    chosen = []
    while left and (cutoff is None or len(chosen) < cutoff):
        best = None
        for doc in left:
            value = novelty_gain(case, doc, chosen, alpha)
            if best is None or value > best[0]:
                best = (value, doc)
        chosen.append(best[1])
        left.remove(best[1])
    return chosen


def alpha_dcg(case, cutoff, alpha=0.5):
    return alpha_dcg_of(case, [doc for _, doc in shown(case, cutoff)], alpha)


def largest_alpha_dcg(case, cutoff, alpha):
    """The largest alpha-DCG of any list, found by trying every set of documents as the top k."""
    useful = [doc for doc in case.judged if relevant_to_any(case, doc)]
    depth = len(useful) if cutoff is None else min(cutoff, len(useful))
    best = {frozenset(): 0.0}
    for k in range(1, depth + 1):
        longer = {}
        for above, value in best.items():
            for doc in useful:
                if doc not in above:
                    here = value + novelty_gain(case, doc, above, alpha) / math.log2(k + 1)
                    longer[above | {doc}] = max(here, longer.get(above | {doc}, 0.0))
        best = longer
    return max(best.values())


def alpha_ndcg(case, cutoff, alpha=0.5, ties="ascending", ideal="greedy"):
    if ideal == "exact":
        return divide(alpha_dcg(case, cutoff, alpha), largest_alpha_dcg(case, cutoff, alpha))
    best = greedy_ideal(case, cutoff, alpha, ties)
    return divide(alpha_dcg(case, cutoff, alpha), alpha_dcg_of(case, best, alpha))


def nrbp(case, cutoff, alpha=0.5, beta=0.5):
    """Clarke et al. 2009; `beta` is the reader's patience."""
    docs = [doc for _, doc in shown(case, cutoff)]
    total = 0.0
    for k, doc in enumerate(docs, start=1):
        total += beta ** (k - 1) * novelty_gain(case, doc, docs[: k - 1], alpha)
    return total * (1.0 - (1.0 - alpha) * beta) / len(case.weights)


# ------------------------------------------------------------------------------------- the global gain


def global_gain(case, doc, kind):
    return sum(case.weights[i] * gain(grade(case, i, doc), kind) for i in intents(case))


def relevant_to_any(case, doc):
    return 1 if any(grade(case, i, doc) > 0 for i in intents(case)) else 0


def list_global_gains(case, cutoff, kind):
    return [global_gain(case, doc, kind) for _, doc in shown(case, cutoff)]


def all_global_gains(case, kind):
    return [global_gain(case, doc, kind) for doc in case.judged]


def total_relevant(case):
    return sum(relevant_to_any(case, doc) for doc in case.judged)


def effective(case, i, docs, k):
    """Is the document at rank k + 1 relevant to i and, if i is navigational, the first such one?"""
    if grade(case, i, docs[k]) == 0:
        return False
    if case.kinds[i] != "navigational":
        return True
    return all(grade(case, i, docs[j]) == 0 for j in range(k))


def din_gains_and_flags(case, cutoff, kind):
    docs = [doc for _, doc in shown(case, cutoff)]
    gains, flags = [], []
    for k, doc in enumerate(docs):
        total, flag = 0.0, 0
        for i in intents(case):
            if effective(case, i, docs, k):
                total += case.weights[i] * gain(grade(case, i, doc), kind)
                flag = 1
        gains.append(total)
        flags.append(flag)
    return gains, flags


def d_ndcg(case, cutoff, kind="linear"):
    return ndcg_of(list_global_gains(case, cutoff, kind), all_global_gains(case, kind), cutoff)


def din_ndcg(case, cutoff, kind="linear"):
    gains, _ = din_gains_and_flags(case, cutoff, kind)
    return ndcg_of(gains, all_global_gains(case, kind), cutoff)


def list_flags(case, cutoff):
    return [relevant_to_any(case, doc) for _, doc in shown(case, cutoff)]


def d_q(case, cutoff, kind="linear", beta=1.0):
    gains, flags = list_global_gains(case, cutoff, kind), list_flags(case, cutoff)
    return q_of(gains, flags, all_global_gains(case, kind), total_relevant(case), cutoff, beta)


def din_q(case, cutoff, kind="linear", beta=1.0):
    gains, flags = din_gains_and_flags(case, cutoff, kind)
    return q_of(gains, flags, all_global_gains(case, kind), total_relevant(case), cutoff, beta)


def d_stops(case, cutoff):
    return [g / 2.0**case.top for g in list_global_gains(case, cutoff, "exponential")]


def d_err(case, cutoff):
    return err_of(d_stops(case, cutoff))


def d_ebr(case, cutoff, kind="linear", beta=1.0):
    gains, flags = list_global_gains(case, cutoff, kind), list_flags(case, cutoff)
    return ebr_of(d_stops(case, cutoff), blended_ratios(gains, flags, all_global_gains(case, kind), beta))


def d_rbp(case, cutoff, kind="linear", phi=0.99):
    return rbp_of(list_global_gains(case, cutoff, kind), gain(case.top, kind), phi)


def sharp(metric):
    """gamma I-rec + (1 - gamma) X (Sakai & Song 2011)."""

    def combined(case, cutoff, gamma=0.5, **parameters):
        return gamma * s_recall(case, cutoff) + (1.0 - gamma) * metric(case, cutoff, **parameters)

    return combined


def intent_square(metric):
    """Yu et al. 2017 Eq. 12: the metric within each first-level subtopic, weighted by p(t|q)."""

    def combined(case, cutoff, **parameters):
        return sum(case.weights[i] * metric(case.children[i], cutoff, **parameters) for i in intents(case))

    return combined


# --------------------------------------------------------------------------- ad hoc and gold standards


def topic_grade(case, doc):
    """The grade for the whole topic: floor(log2(S + 1)) (Sakai & Zeng 2019, section 4); if m = 1 its own."""
    if len(case.weights) == 1:
        return grade(case, 0, doc)
    total = sum(grade(case, i, doc) for i in intents(case))
    level = 0
    while 2 ** (level + 1) <= total + 1:
        level += 1
    return level


def adhoc(case):
    """The topic with one intent of probability 1."""
    merged = {doc: topic_grade(case, doc) for doc in case.judged}
    return Case([1.0], ["informational"], [merged], case.judged, case.ranking, case.adhoc_top)


def on_adhoc(metric):
    def single(case, cutoff, **parameters):
        return metric(adhoc(case), cutoff, **parameters)

    return single


def p_plus(case, cutoff, kind="linear", beta=1.0):
    return p_plus_intent(adhoc(case), 0, cutoff, kind, beta)


def average_precision(case, cutoff, of="min(l,R)"):
    """The usual AP, which is Q-measure with beta = 0 (Sakai & Zeng 2019, footnote 1); not Yu et al.'s 1/l."""
    return ap_ia(case, cutoff, of)


def reciprocal_rank(case, cutoff):
    for k, doc in shown(case, cutoff):
        if relevant_to_any(case, doc):
            return 1.0 / k
    return 0.0


def one_call(case, cutoff):
    return 1.0 if reciprocal_rank(case, cutoff) else 0.0


def o_measure(case, cutoff, kind="linear", beta=1.0):
    """The blended ratio at the first relevant document (Sakai 2006)."""
    case = adhoc(case)
    grades = list_grades(case, 0, cutoff)
    flags = [relevant(g) for g in grades]
    ratios = blended_ratios(gains_of(grades, kind), flags, gains_of(all_grades(case, 0), kind), beta)
    return ratios[flags.index(1)] if 1 in flags else 0.0


def ncu_rank_biased(case, cutoff, utility, alpha):
    """Sakai and Robertson 2008: stopping probability times utility, over relevant ranks."""
    flags = [relevant(g) for g in list_grades(case, 0, cutoff)]
    stopping_total = sum((1 - alpha) ** j for j in range(count_relevant(all_grades(case, 0))))
    total, seen = 0.0, 0
    for k in range(len(flags)):
        if flags[k]:
            total += (1 - alpha) ** seen * utility(k)
            seen += 1
    return divide(total, stopping_total)


def ncu_rb_p(case, cutoff, alpha=0.05):
    case = adhoc(case)
    flags = [relevant(g) for g in list_grades(case, 0, cutoff)]
    return ncu_rank_biased(case, cutoff, lambda k: sum(flags[: k + 1]) / (k + 1), alpha)


def ncu_rb_br(case, cutoff, kind="linear", beta=1.0, alpha=0.05):
    case = adhoc(case)
    grades = list_grades(case, 0, cutoff)
    flags = [relevant(g) for g in grades]
    ratios = blended_ratios(gains_of(grades, kind), flags, gains_of(all_grades(case, 0), kind), beta)
    return ncu_rank_biased(case, cutoff, lambda k: ratios[k], alpha)


def ef_p(case, cutoff):
    docs = [doc for _, doc in shown(case, cutoff)]
    hits = 0
    for k in range(len(docs)):
        if any(effective(case, i, docs, k) for i in intents(case)):
            hits += 1
    return hits / cutoff


# ------------------------------------------------------------------------------------------- the names

DIVERSITY = {
    "S-recall": s_recall,
    "I-rec": s_recall,
    "S-recall-lmin": s_recall_lmin,
    "S-precision": s_precision,
    "WS-precision": ws_precision,
    "P-IA": p_ia,
    "AP-IA": ap_ia,
    "ERR-IA": err_ia,
    "nDCG-IA": ndcg_ia,
    "Q-IA": q_ia,
    "RBP-IA": rbp_ia,
    "EBR-IA": ebr_ia,
    "iRBU-IA": irbu_ia,
    "RBU": rbu,
    "RBU-original": rbu_original,
    "alpha-DCG": alpha_dcg,
    "alpha-nDCG": alpha_ndcg,
    "NRBP": nrbp,
    "D-nDCG": d_ndcg,
    "D-Q": d_q,
    "D-ERR": d_err,
    "D-EBR": d_ebr,
    "D-RBP": d_rbp,
    "DIN-nDCG": din_ndcg,
    "DIN-Q": din_q,
    "P+Q": p_plus_q,
    "D#-nDCG": sharp(d_ndcg),
    "D#-Q": sharp(d_q),
    "D#-ERR": sharp(d_err),
    "D#-EBR": sharp(d_ebr),
    "D#-RBP": sharp(d_rbp),
    "DIN#-nDCG": sharp(din_ndcg),
    "DIN#-Q": sharp(din_q),
    "P+Q#": sharp(p_plus_q),
}
ADHOC = {
    "Prec": on_adhoc(p_ia),
    "nDCG": on_adhoc(ndcg_ia),
    "Q": on_adhoc(q_ia),
    "ERR": on_adhoc(err_ia),
    "EBR": on_adhoc(ebr_ia),
    "RBP": on_adhoc(rbp_ia),
    "iRBU": on_adhoc(irbu_ia),
    "P+": p_plus,
    "AP": on_adhoc(average_precision),
    "RR": reciprocal_rank,
    "O": o_measure,
    "NCUrb-P": ncu_rb_p,
    "NCUrb-BR": ncu_rb_br,
    "1-call": one_call,
}
GOLD = {"Ef-P": ef_p}


def square_name(name):
    """`-IS` replaces `-IA`, else is appended."""
    return (name[:-3] if name.endswith("-IA") else name) + "-IS"


INTENT_SQUARE = {square_name(name): intent_square(metric) for name, metric in (DIVERSITY | GOLD).items()}
NO_IA = ("O", "NCUrb-P", "NCUrb-BR", "1-call")
# ERR-IS and the like square the IA row; these have no IA row of their own.
INTENT_SQUARE |= {square_name(name): intent_square(ADHOC[name]) for name in ("Prec", "P+", "RR", *NO_IA)}
METRICS = DIVERSITY | ADHOC | GOLD | INTENT_SQUARE

# Averages over the cutoff, or efforts charged down to it: there is no such thing without a cutoff.
NEED_A_CUTOFF = {"P-IA", "AP-IA", "RBU", "Prec", "Ef-P"}
NEED_A_CUTOFF |= {square_name(name) for name in NEED_A_CUTOFF}


# -------------------------------------------------------------------- from a sample to one list's Case


def case_of(topic, judgments, ranking, top, adhoc_top):
    """`judgments`: {document: {intent id | (intent id, subtopic id): grade}}; `topic` has .intents."""
    first, children = [], []
    for intent in topic.intents:
        of_intent = {}
        for doc, labels in judgments.items():
            for key, g in labels.items():
                if (key[0] if isinstance(key, tuple) else key) == intent.id:
                    of_intent[doc] = max(of_intent.get(doc, 0), g)
        first.append(of_intent)
        below = []
        for child in intent.children:
            below.append({doc: labels.get((intent.id, child.id), 0) for doc, labels in judgments.items()})
        weights, kinds = [e.probability for e in intent.children], [e.kind for e in intent.children]
        children.append(Case(weights, kinds, below, list(judgments), list(ranking), top, adhoc_top))
    weights, kinds = [t.probability for t in topic.intents], [t.kind for t in topic.intents]
    return Case(weights, kinds, first, list(judgments), list(ranking), top, adhoc_top, children)


def cases_of(sample):
    """{(run, topic): Case}; the scales are the highest grades that any topic of the sample has."""
    plain = {
        (run, topic.id): case_of(topic, sample.judgments[topic.id], lists.get(topic.id, []), 0, 0)
        for run, lists in sample.runs.items()
        for topic in sample.topics
    }
    top = max((g for case in plain.values() for i in intents(case) for g in all_grades(case, i)), default=0)
    several = [case for case in plain.values() if len(case.weights) > 1]
    adhoc_top = max((topic_grade(case, doc) for case in several for doc in case.judged), default=0)
    top = sample.scale or max(top, 1)
    for case in plain.values():
        # With a single intent the grade for the whole topic is the intent's own, on the intent's own scale.
        for level in (case, *case.children):
            level.top, level.adhoc_top = top, top if len(case.weights) == 1 else max(adhoc_top, 1)
    return plain
