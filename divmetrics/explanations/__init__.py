"""Where a score comes from: contributions, the products that they are, formulas, and words."""
