"""The thirty measures of Sakai & Zeng (2019), section 3, grouped as the claims compare them."""

from __future__ import annotations

from collections.abc import Iterable

COMPONENTS = ("nDCG", "Q", "EBR", "ERR", "RBP(phi=0.99)", "RBP(phi=0.85)")
IRBU = ("iRBU(phi=0.99)", "iRBU(phi=0.85)")
PREC = "Prec"
AD_HOC = (*COMPONENTS, *IRBU, PREC)

D = tuple(f"D-{name}" for name in COMPONENTS)
SHARP = tuple(f"D#-{name}" for name in COMPONENTS)
IA = ("nDCG-IA", "Q-IA", "EBR-IA", "ERR-IA", "RBP-IA(phi=0.99)", "RBP-IA(phi=0.85)")
RBU = ("RBU(phi=0.99)", "RBU(phi=0.85)")
I_REC = "I-rec"
DIVERSITY = (*D, *SHARP, *IA, *RBU, I_REC)

METRICS = (*AD_HOC, *DIVERSITY)
CUTOFF = 10


def at_cutoff(metrics: Iterable[str]) -> list[str]:
    """Return the names of the metrics with the paper's cutoff."""
    return [f"{name}@{CUTOFF}" for name in metrics]
