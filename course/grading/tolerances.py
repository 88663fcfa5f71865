"""How exact an answer to a question of an assignment must be."""

from __future__ import annotations

ANSWER_TOLERANCE = 1e-4  # four digits after the point are enough
# Of a p-value: five standard errors of the difference of two estimates from 20,000 trials each.
RANDOMISED_ANSWER_TOLERANCE = 0.025
