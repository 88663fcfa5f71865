"""What is kept in memory of many runs: an id once, and to measure them none that nobody judged."""

from __future__ import annotations

import os
import pickle
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import divmetrics as dm
from divmetrics.conventions.convention import convention
from divmetrics.io import loading, run_loading, shared_ids

DOCS = [f"clueweb12-0000tw-{i:02d}-{i:05d}" for i in range(60)]
RUNS, TOPICS = 20, ("1", "2")
pytestmark = pytest.mark.filterwarnings("ignore:run 'run.' has .* never judged")
ID_BYTES = len("".join(DOCS))


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Runs that list the same documents, in orders of their own."""
    paths = []
    for r in range(RUNS):
        path = tmp_path / f"run{r}"
        listed = DOCS[r:] + DOCS[:r]
        path.write_text(
            "".join(
                f"{topic} Q0 {doc} {rank} {100 - rank} run{r}\n"
                for topic in TOPICS
                for rank, doc in enumerate(listed, 1)
            )
        )
        paths.append(path)
    return paths


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    path = tmp_path / "qrels"
    path.write_text("".join(f"{t} {i} {doc} 1\n" for t in TOPICS for i, doc in enumerate(DOCS[:5], 1)))
    return path


def test_an_id_that_all_runs_list_is_kept_once(files: list[Path]) -> None:
    runs = dm.load_runs(files, "score")
    (ids,) = {id(run.docs.distinct): run.docs.distinct for run in runs}.values()
    assert ids.nbytes < 2 * ID_BYTES  # a run has as much
    assert [list(run.list("2")) for run in runs] == [DOCS[r:] + DOCS[:r] for r in range(RUNS)]


def test_to_measure_runs_needs_no_ids(
    files: list[Path], qrels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = []
    module = sys.modules["divmetrics.evaluation"]  # `divmetrics.evaluate` is the function
    monkeypatch.setattr(module, "check_topics", lambda _: held.append(tracemalloc.get_traced_memory()[0]))
    dm.evaluate(qrels, files[:2], ["P-IA@5"])  # what is imported and remembered once
    tracemalloc.start()
    few = dm.evaluate(qrels, files[:2], ["P-IA@5"])
    every = dm.evaluate(qrels, files, ["P-IA@5"])
    tracemalloc.stop()
    assert held[2] - held[1] < (RUNS - 2) * len(TOPICS) * ID_BYTES
    assert every.head(len(few)).equals(few)


def test_files_are_read_only_so_far_ahead() -> None:
    begun: list[int] = []
    read = run_loading._few_ahead(lambda path: begun.append(path) or dm.Run.of(f"{path}", {}), range(100))
    assert next(read).name == "0"
    assert len(begun) <= (os.cpu_count() or 1) + 1
    assert [run.name for run in read] == [str(path) for path in range(1, 100)]


@pytest.mark.parametrize(("together", "most"), [(1, 1), (1, 10**6), (10**4, 3000), (10**6, 1)])
def test_however_ids_are_shared_lists_and_scores_are_the_same(
    files: list[Path], qrels: Path, monkeypatch: pytest.MonkeyPatch, together: int, most: int
) -> None:
    alone = [dm.load_runs(path, "score")[0] for path in files]
    from_paths = dm.evaluate(qrels, files, ["ERR-IA@5", "alpha-nDCG"])
    monkeypatch.setattr(shared_ids, "TOGETHER", together)
    monkeypatch.setattr(shared_ids, "MOST_SHARED", most)
    runs = dm.load_runs(files, "score")
    assert [[run.list(t) for t in TOPICS] for run in runs] == [[run.list(t) for t in TOPICS] for run in alone]
    assert dm.evaluate(qrels, runs, ["ERR-IA@5", "alpha-nDCG"]).equals(from_paths)
    assert dm.evaluate(qrels, alone, ["ERR-IA@5", "alpha-nDCG"]).equals(from_paths)


def test_ids_from_files_and_from_python_find_each_other(files: list[Path], qrels: Path) -> None:
    from_files = dm.load_collection(qrels)
    pools = {
        t: dm.Judgments(p.topic, tuple(p.docs), p.grades, p.subtopic_grades, p.scale, p.adhoc_scale)
        for t, p in from_files.pools.items()
    }
    written = [dm.Run.of(f"run{r}", dict.fromkeys(TOPICS, DOCS[r:] + DOCS[:r])) for r in range(RUNS)]
    scores = [
        dm.evaluate(collection, runs, ["ERR-IA@5", "alpha-nDCG"])
        for collection in (
            from_files,
            dm.Collection(pools),
            dm.Collection({**pools, "2": from_files.pools["2"]}),
        )
        for runs in (files, dm.load_runs(files, "score"), written)
    ]
    assert all(other.equals(scores[0]) for other in scores)
    (places, others), *_ = from_files.positions([written[3], dm.load_runs(files[3], "score")[0]], ["1"])
    assert places.tolist() == others.tolist() == [3, 4, *[-1] * 55, 0, 1, 2]
    assert pools["1"].docs == from_files.pools["1"].docs


def test_documents_of_a_file_are_a_sequence_of_ids(files: list[Path]) -> None:
    docs = dm.load_runs(files[3], "score")[0].docs
    assert (docs[0], docs[-1], docs[-2:], len(docs)) == (DOCS[3], DOCS[2], tuple(DOCS[1:3]), 2 * len(DOCS))
    assert (docs.index(DOCS[4]), DOCS[5] in docs, "none" in docs) == (1, True, False)
    with pytest.raises(IndexError):
        docs[2 * len(DOCS)]


def test_a_run_of_a_file_can_be_sent_to_another_process(files: list[Path]) -> None:
    (run,) = dm.load_runs(files[3], "score")
    again = pickle.loads(pickle.dumps(run))
    assert again.list("1") == run.list("1")
    with pytest.raises(ValueError, match="read-only"):
        again.docs.codes[...] = 0


def to_be_measured(qrels: Path, runs: Any) -> dm.Collection:
    return loading.load_for_convention(convention("paper"), qrels, runs, order="score", for_display=False)


def test_of_runs_to_be_measured_the_judged_ids_are_kept(files: list[Path], qrels: Path) -> None:
    collection = to_be_measured(qrels, files[2:4])
    (docs, others) = (run.docs for run in collection.runs.values())
    assert docs.distinct is others.distinct is collection.pools["1"].docs.distinct
    assert docs.codes.tolist() == 2 * [2, 3, 4, *[-1] * 55, 0, 1]


def test_an_id_that_was_not_kept_is_not_made_up(files: list[Path], qrels: Path) -> None:
    for source in (files[0], dm.read_run(files[0])):
        run = to_be_measured(qrels, source).runs["run0"]
        assert run.docs[:5] == tuple(DOCS[:5])
        with pytest.raises(IndexError):
            run.list("1")
    written = dm.Run.of("written", {"1": DOCS})
    assert to_be_measured(qrels, [written]).runs["written"] is written
