# Solution 3
# R(1) = 1/2: at each relevant document half of the readers leave. alpha = 0.5, constant = 0.5.
binary = view_lists([dm.RankedList(film, docs, {doc: {"film": 1} for doc in docs})])
assert abs(dm.metric("ERR-IA").M(binary) - 0.5 * Novelty(0.5)(binary)).max() < 1e-12
