"""How long the IPython extension takes: to load, and to score two lists in a kernel.

    python benchmarks/magics.py

Loading is measured in a Python that has IPython already, as a kernel has: numpy, divmetrics on top of it, and
the extension on top of that, in seconds of the processor. Ratios can be compared between machines. Scoring
is measured in a real kernel, by its own clock and with the way through Jupyter's messages. Medians.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from jupyter_client.manager import start_new_kernel

STARTS = 7
ROUNDS = 30
LOAD = """
import time
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
times = [time.process_time()]
import numpy
times.append(time.process_time())
import divmetrics
times.append(time.process_time())
shell.run_line_magic("load_ext", "divmetrics")
times.append(time.process_time())
print(*(after - before for before, after in zip(times, times[1:])))
"""
TEN = "S-recall@10 AP-IA@10 ERR-IA@10 nDCG-IA@10 Q-IA@10 alpha-nDCG@10 NRBP@10 D#-nDCG@10 DIN#-Q@10 RBU@10"
LISTS = """
%load_ext divmetrics
from divmetrics import datasets
A, B, *_ = datasets.synthetic(seed=1).lists("01")
"""


def loading() -> list[float]:
    """Seconds to import numpy, divmetrics after that, and to load the extension after that."""
    starts = []
    for _ in range(STARTS):
        done = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True)
        starts.append([float(number) for number in done.stdout.split()])
    return [statistics.median(column) for column in zip(*starts, strict=True)]


def scoring() -> dict[str, float]:
    """Seconds of `%diveval` of two lists: the first time, then the median in the kernel and as a cell."""
    manager, client = start_new_kernel(kernel_name="python3")
    try:

        def run(code: str) -> tuple[float, str]:
            texts: list[str] = []

            def output(message: dict) -> None:
                content = message["content"]
                texts.append(content.get("text", "") + "\n".join(content.get("traceback", [])))

            start = time.perf_counter()
            reply = client.execute_interactive(code, output_hook=output)
            taken = time.perf_counter() - start
            if reply["content"]["status"] != "ok":
                raise RuntimeError("".join(texts))
            return taken, "".join(texts)

        run(LISTS)
        magic = "%diveval A B -m " + " -m ".join(TEN.split())
        first, _ = run(magic)
        cells = [run(magic)[0] for _ in range(ROUNDS)]
        timed = (
            "import statistics, time\ntimes = []\n"
            "run = get_ipython().run_line_magic\n"
            f"for _ in range({ROUNDS}):\n    start = time.perf_counter()\n"
            f"    run('diveval', {magic.removeprefix('%diveval ')!r})._repr_html_()\n"
            "    times.append(time.perf_counter() - start)\nprint(statistics.median(times))"
        )
        inside = float(run(timed)[1])
        return {"first cell": first, "median cell": statistics.median(cells), "median in the kernel": inside}
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def main() -> None:
    """Print a table."""
    numpy, *ours = loading()
    for what, seconds in zip(("import divmetrics", "%load_ext divmetrics"), ours, strict=True):
        print(f"{what:40} {1000 * seconds:7.1f} ms, {seconds / numpy:.2f} times import numpy")
    for what, seconds in scoring().items():
        print(f"%diveval, 2 lists, 10 metrics: {what:20}{seconds * 1000:6.1f} ms   (asked: below 50)")


if __name__ == "__main__":
    main()
