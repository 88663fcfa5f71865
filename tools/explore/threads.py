"""Eight threads at once: every answer must equal, bit for bit, that of a single thread.

Each round is a process of its own, since lazy loading happens only once. In the first lap nothing is loaded
yet; in the others the threads share new collections, runs and metrics. Each thread does all tasks in its own
order.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import importlib
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.explore import Effort, SearchResult
from tools.explore.random_collections import world

THREADS, LAPS = 8, 2
SWITCHES = (1e-5, 1e-6)  # seconds between two threads, in each lap
METRICS = [
    *("ERR-IA@5", "nDCG-IA@10", "alpha-nDCG@10", "D#-nDCG@10", "P+Q@10", "NRBP", "EBR-IA@5", "I-rec@3"),
    *("RBU@10", "AP-IA@8", "Q-IA@4", "DIN-nDCG@5", "ERR-IS@5", "ndeval:ERR-IA@5", "ntcireval:D-nDCG@5"),
]
NAMES = [*METRICS, "alpha-nDCG(alpha=0.3)@7", "no such", "ERR-IA@0", "ERR-IA(gamma=2)@5", "mine@5"]
LEFT = "settings afterwards"
WORDS = ("this thread's own metric", "everybody's metric")
Answers = dict[str, dict[str, tuple[int, str]]]  # task: {digest: how often, and how the answer begins}


@dataclasses.dataclass(frozen=True)
class Place:
    """Files, and the objects that threads share; `mine` is a metric's name that no other thread has."""

    folder: Path
    mine: str
    shared: Mapping[str, Any]

    def file(self, name: str) -> str:
        """Return the path of one of the files."""
        return str(self.folder / name)


def write(folder: Path, seed: int) -> None:
    """Write two small collections of any format, and larger judgments and runs."""
    rng = random.Random(f"{seed} threads")
    for number in range(2):
        (folder / f"{number}").mkdir()
        made = world(rng)
        made.write(folder / f"{number}")
        settings = {"choice": made.choice, "order": made.order, "metrics": made.metrics}
        (folder / f"{number}.json").write_text(json.dumps(settings))
    docs = [f"d{k}" for k in range(60)]
    rows = [(t, i, d, rng.randint(-1, 3)) for t in range(40) for i in (1, 2, 3) for d in docs]
    (folder / "qrels").write_text("".join(f"{t} {i} {d} {g}\n" for t, i, d, g in rows))
    for tag in "AB":
        listed = [(t, k, d) for t in range(39) for k, d in enumerate(rng.sample([*docs, "never"], 50))]
        lines = [f"{t} Q0 {d} {k} {rng.randint(0, 40)} {tag}\n" for t, k, d in listed]
        (folder / f"{tag}.gz").write_bytes(gzip.compress("".join(lines).encode(), 1))


def make(dm: Any, place: Place) -> Mapping[str, Any]:
    """Make the objects that the threads share, which nobody has used before."""
    importlib.import_module("altair").theme.enable("dark")
    collection = dm.load_collection(place.file("qrels"))
    runs = dm.load_runs([place.file("A.gz"), place.file("B.gz")], "score")
    small = dm.datasets.synthetic(seed=1, topics=4, runs=3, depth=20)
    return {
        "collection": collection.with_runs(runs),
        "small": small,
        "metrics": [dm.metric(name) for name in METRICS],
        "list": next(dm.datasets.harry_potter().lists("0083")),
    }


def _read(dm: Any, place: Place) -> Any:
    files = ("qrels", "A.gz", "B.gz", "missing", "0/qrels.txt", "0/run0.txt", "0/topics.txt", "1/topics.txt")
    readers = (dm.read_qrels, dm.read_run, dm.read_topics)
    return [_outcome(reader, place.file(name)) for reader in readers for name in files]


def _evaluate(dm: Any, place: Place) -> Any:
    runs = [place.file("A.gz"), place.file("B.gz")]
    several = [{}, {"convention": "ndeval", "alpha": 0.3}, {"order": "rank", "scale": 2}]
    metrics = ["ERR-IA@5", "D#-nDCG@10", "alpha-nDCG"]
    return [
        _outcome(dm.evaluate, place.file("qrels"), runs, metrics[at:], **o) for at, o in enumerate(several)
    ]


def _worlds(dm: Any, place: Place) -> Any:
    tables = []
    for number in "01":
        settings = json.loads((place.folder / f"{number}.json").read_text())
        runs = sorted((place.folder / number).glob("run*"))
        topics, qrels = place.folder / number / "topics.txt", place.file(f"{number}/qrels.txt")
        read = _outcome(dm.read_topics, topics, probabilities=settings["choice"]) if topics.exists() else None
        tables.append(_outcome(dm.evaluate, qrels, runs, settings["metrics"], read, order=settings["order"]))
    return tables


def _disagree(dm: Any, place: Place) -> Any:
    topic = dm.datasets.harry_potter().pools["0083"]
    disagreement = dm.disagree("S-recall@2", "D-nDCG@3", topic, 3, budget=500)
    return [repr(disagreement), disagreement.a.docs, disagreement.b.docs]


def _meta(dm: Any, place: Place) -> Any:
    scores = dm.datasets.imine_scores()
    scores = scores[scores["topic"].isin(sorted(set(scores["topic"]))[:4])]
    return [
        dm.meta.tukey_hsd(scores, trials=300, seed=3),
        dm.meta.paired_bootstrap(scores, trials=100, seed=3, workers=2),
        dm.meta.rank_correlation(scores, truth=scores["metric"].iloc[0]),
        dm.meta.means(scores),
    ]


def _charts(dm: Any, place: Place) -> Any:
    lists = list(dm.datasets.harry_potter().lists("0083"))[:2]
    figures = [dm.charts.ranked_list(lists), dm.charts.contributions("ERR-IA@3", lists[0])]
    return [(figure.spec, figure.svg) for figure in figures]


def _pages(dm: Any, place: Place) -> Any:
    queries = dm.datasets.aggregated_search(2)
    return dm.aggregated.score_pages(dm.datasets.simulated_pages(queries), ["AS_DCG", "AS_RBP"])


def _names(dm: Any, place: Place) -> Any:
    # Plug-ins are asked for the last of them.
    return [str(_outcome(dm.metric, name)) for name in NAMES]


def _own(dm: Any, place: Place) -> Any:
    row = dm.register(dataclasses.replace(dm.metric("alpha-nDCG"), name=place.mine))
    results = [dm.evaluate(dm.datasets.yu2017(), None, [f"{place.mine}@3"]), str(row)]
    dm.unregister(place.mine)
    return [*results, _outcome(dm.metric, f"{place.mine}@3")]


def _everybodys(dm: Any, place: Place) -> Any:
    """Do a task whose result depends on the others; it must be a result or one sentence."""
    row = dataclasses.replace(dm.metric("ERR-IA"), name="everybodys")
    for call in (
        lambda: dm.register(row),
        lambda: dm.evaluate(dm.datasets.yu2017(), None, ["everybodys@3"]),
        lambda: dm.unregister("everybodys"),
    ):
        for _ in range(5):
            _outcome(call)
    return "no more than a sentence"


def _scores(dm: Any, place: Place) -> Any:
    shared = place.shared
    some = dm.evaluate(shared["collection"], None, shared["metrics"][:6])
    return [some, dm.evaluate(shared["small"], None, shared["metrics"])]


def _explained(dm: Any, place: Place) -> Any:
    ranked, small = place.shared["list"], place.shared["small"]
    other = small.list(next(iter(small.runs)), small.topics[0].id)
    metrics = place.shared["metrics"]
    whole = [_outcome(dm.explain, metric, one) for metric in metrics[:7] for one in (ranked, other)]
    return [*whole, *(_outcome(dm.explain_in_words, metric, ranked) for metric in metrics[:3])]


def _checked(dm: Any, place: Place) -> Any:
    return [dm.check(metric @ 3, place.shared["list"]) for metric in place.shared["metrics"][:5]]


def _taken_apart(dm: Any, place: Place) -> Any:
    """Return collections made from the shared one, and its lists."""
    whole, small = place.shared["collection"], place.shared["small"]
    ids = list(whole.pools)[3:6]
    return [
        dm.evaluate(whole.select(ids).uniform(), None, "ERR-IA@5"),
        dm.evaluate(small.with_runs([*small.runs.values()][:2]), None, "AP-IA@9"),
        [one.docs for one in whole.lists(ids[0])],
        dm.datasets.statistics(small),
    ]


def _left(dm: Any, place: Place) -> Any:
    """Return state that the threads change temporarily and must have restored by their end."""
    warnings.warn("still heard", dm.DivmetricsWarning, stacklevel=1)
    return importlib.import_module("altair").theme.active


FIRST: Mapping[str, Callable[[Any, Place], Any]] = {
    "files": _read,
    "evaluate on files": _evaluate,
    "small worlds": _worlds,
    "disagree": _disagree,
    "comparisons of metrics": _meta,
    "charts": _charts,
    "pages": _pages,
    "names": _names,
    WORDS[0]: _own,
    WORDS[1]: _everybodys,
}
SHARED: Mapping[str, Callable[[Any, Place], Any]] = {
    "evaluate what is shared": _scores,
    "explain what is shared": _explained,
    "check what is shared": _checked,
    "parts of what is shared": _taken_apart,
}


def _outcome(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return the result of a call or the sentence of its error; pass any other error on."""
    from divmetrics.errors import DivmetricsError

    try:
        return call(*arguments, **options)
    except DivmetricsError as error:
        return f"refused: {error}"


def bits(value: Any) -> Any:
    """Return a value as plain texts and lists that differ if one bit of it does."""
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, Mapping):
        return [[bits(key), bits(inner)] for key, inner in value.items()]
    if isinstance(value, list | tuple):
        return [bits(inner) for inner in value]
    if hasattr(value, "to_numpy") and hasattr(value, "columns"):  # a DataFrame
        return [[name, bits(value[name].to_numpy())] for name in value.columns]
    if hasattr(value, "tobytes") and value.dtype != object:
        return [value.dtype.str, list(value.shape), value.tobytes().hex()]
    if hasattr(value, "tolist"):
        return bits(value.tolist())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [bits(getattr(value, one.name)) for one in dataclasses.fields(value)]
    return repr(value)


class Heard:
    """Answers of all threads, and the warnings that came with each."""

    def __init__(self) -> None:
        self.answers: Answers = {}
        self._warned: dict[int, list[str]] = {}
        self._lock = threading.Lock()

    def warned(self, message: Any, *others: Any, **more: Any) -> None:
        """Record a warning in place of `warnings.showwarning`."""
        self._warned.setdefault(threading.get_ident(), []).append(str(message))

    def ask(self, task: str, function: Callable[[Any, Place], Any], place: Place) -> None:
        """Do a task, and record its outcome."""
        mine = self._warned[threading.get_ident()] = []
        try:
            answer = bits(function(importlib.import_module("divmetrics"), place))
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        names = [] if task == WORDS[1] else sorted(mine)
        text = json.dumps([answer, names]).replace(place.mine, "mine")
        digest = hashlib.sha256(text.encode()).hexdigest()
        shortened = text if len(text) < 1000 else f"{text[:500]} ... {text[-500:]}"
        with self._lock:
            answers = self.answers.setdefault(task, {})
            answers[digest] = answers.get(digest, (0, ""))[0] + 1, shortened


def together(folder: Path, seed: int, threads: int, only: str) -> Heard:
    """Run all tasks in several threads at once, in laps, and return the answers."""
    heard = Heard()
    warnings.simplefilter("always")
    warnings.showwarning = heard.warned
    for lap in range(LAPS):
        tasks = {name: task for name, task in {**FIRST, **(SHARED if lap else {})}.items() if only in name}
        place = Place(folder, "", {})
        if lap:
            place = dataclasses.replace(place, shared=make(importlib.import_module("divmetrics"), place))
        orders = [random.Random(f"{seed} {lap} {number}") for number in range(threads)]
        barrier = threading.Barrier(threads)

        def work(rng: random.Random, mine: Place, tasks: Any = tasks, barrier: Any = barrier) -> None:
            barrier.wait()
            for name in rng.sample(list(tasks), len(tasks)):
                heard.ask(name, tasks[name], mine)

        sys.setswitchinterval(SWITCHES[lap % len(SWITCHES)])
        places = [dataclasses.replace(place, mine=f"mine-{number}") for number in range(threads)]
        workers = [
            threading.Thread(target=work, args=arguments) for arguments in zip(orders, places, strict=True)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if lap:
            heard.ask(LEFT, _left, places[0])
    return heard


def _in_a_process(folder: Path, seed: int, threads: int, only: str) -> Answers:
    command = [sys.executable, "-m", "tools.explore.threads", str(folder), str(seed), str(threads), only]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return {"the process": {f"ended, {threads}": (1, done.stderr[-2000:])}}
    return dict(json.loads(done.stdout))


def explore(effort: Effort) -> Iterator[SearchResult]:
    """Yield a SearchResult for each task, one round per unit of effort; the seed decides files and orders."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), effort.seed)
        alone = _in_a_process(Path(folder), effort.seed, 1, effort.only)
        counts, seconds, failures = dict[str, int](), dict[str, float](), dict[str, str]()
        for number in range(effort.times):
            start = time.perf_counter()
            by_task = _in_a_process(Path(folder), effort.seed + number, THREADS, effort.only)
            for task, answers in by_task.items():
                expected = alone.get(task, {})
                counts[task] = counts.get(task, 0) + sum(count for count, _ in answers.values())
                seconds[task] = seconds.get(task, 0) + (time.perf_counter() - start) / len(by_task)
                others = [answer for digest, (_, answer) in answers.items() if digest not in expected]
                if others or len(expected) != 1:
                    expected_answers = [answer for _, answer in expected.values()]
                    failures.setdefault(
                        task, f"round {number}: alone {expected_answers}\nin eight threads {others[:3]}"
                    )
    for task in counts:
        yield SearchResult(f"{task}, {THREADS} threads", counts[task], seconds[task], failures.get(task, ""))


if __name__ == "__main__":
    _folder, _seed, _threads, _only = sys.argv[1:]
    print(json.dumps(together(Path(_folder), int(_seed), int(_threads), _only).answers))
