"""Faults at random moments: process killed or interrupted, disk or memory full, streams closed.

After any fault, the file of `-o` is the old one or the complete new one, and the message is one line without
a traceback.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.explore import Effort, SearchResult

ROUNDS = 10  # moments of each kind for --times 1
OLD = b"what was there before\n"
COMMAND = [sys.executable, "-m", "divmetrics"]
SLOWLY = """
import sys
from divmetrics.cli._process import finish
from divmetrics.atomic_files import atomic_writer
with atomic_writer(sys.argv[1]) as file:
    for number in range(2000):
        file.write(b"%d\\n" % number * 50)
        file.flush()
finish()
"""  # writes long enough to be ended in the middle
NEW = b"".join(b"%d\n" % number * 50 for number in range(2000))


class Place:
    """Judgments, a run and an old result, and the result of a command without a fault."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "out.csv"
        docs = [f"d{k}" for k in range(60)]
        (folder / "qrels").write_text(
            "".join(f"{t} {i} {d} {(i + t) % 3}\n" for t in range(60) for i in (1, 2) for d in docs)
        )
        (folder / "run").write_text(
            "".join(f"{t} Q0 {d} {k} {-k} A\n" for t in range(60) for k, d in enumerate(docs))
        )
        names = [f"-m{name}@{k}" for name in ("ERR-IA", "D#-nDCG", "alpha-nDCG") for k in range(1, 20)]
        self.plain = ["evaluate", str(folder / "qrels"), str(folder / "run"), *names]
        self.command = [*COMMAND, *self.plain, "-o", str(self.out)]
        script = (
            folder / "divmetrics"
        )  # its name makes it the command line, which a Ctrl-C ends with one line
        script.write_text(SLOWLY)
        self.slowly = [sys.executable, str(script), str(self.out)]
        start = time.perf_counter()
        subprocess.run(self.command, check=True, capture_output=True)
        self.seconds, self.new = time.perf_counter() - start, self.out.read_bytes()

    def left(self, output: bytes, new: bytes = b"") -> str:
        """Return what is wrong with the result file and the output."""
        content = self.out.read_bytes()
        if content not in (OLD, new or self.new):
            return f"a torso of {len(content)} bytes"
        return f"a traceback: {output.decode()[-900:]}" if b"Traceback" in output else ""


def ended(place: Place, command: list[str], new: bytes, number: signal.Signals, rng: random.Random) -> str:
    """End a process at a random moment after its signal handlers are installed."""
    place.out.write_bytes(OLD)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and not _listens(process.pid):
        time.sleep(0.001)
    time.sleep(rng.uniform(0, place.seconds))
    process.send_signal(number)
    out, output = process.communicate()
    wrong = place.left(out + output, new)
    if wrong or number == signal.SIGKILL:
        return wrong
    lines = [line for line in output.splitlines() if b"warning: " not in line]
    if process.returncode not in (0, 130) or len(lines) > (process.returncode == 130):
        return f"status {process.returncode}, {output.decode()!r}"
    hidden = [name for name in os.listdir(place.folder) if name.startswith(".divmetrics")]
    return f"left behind: {hidden}" if hidden else ""


def _listens(pid: int) -> bool:
    """Return whether the process catches SIGTERM, which Python alone does not."""
    try:
        caught = Path(f"/proc/{pid}/status").read_text().split("SigCgt:")[1].split()[0]
    except (OSError, IndexError):
        return False
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)


def limited(place: Place, kind: int, limit: int) -> str:
    """Run with a disk (file size) or a memory that is too small."""
    place.out.write_bytes(OLD)
    done = subprocess.run(
        place.command, capture_output=True, preexec_fn=lambda: resource.setrlimit(kind, (limit, limit))
    )
    return place.left(done.stdout + done.stderr) or _one_line(done, (0, 2))


def _one_line(done: subprocess.CompletedProcess[bytes], statuses: tuple[int, ...]) -> str:
    lines = [line for line in (done.stderr or b"").splitlines() if b"warning: " not in line]
    if done.returncode not in statuses or len(lines) > (done.returncode == 2):
        return f"status {done.returncode}, {done.stderr!r}"
    return ""


def small_disk(place: Place, rng: random.Random) -> str:
    """Run with a limit on file size, as on a full disk."""
    return limited(place, resource.RLIMIT_FSIZE, rng.randrange(len(place.new) + 1000))


def mounted_disk(place: Place, rng: random.Random) -> str:
    """Run on a nearly full disk of 64 kB, if this process may mount one."""
    disk = place.folder / "disk"
    disk.mkdir(exist_ok=True)
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True
    ).returncode:
        return ""
    try:
        out = disk / "out.csv"
        out.write_bytes(OLD)
        (disk / "other").write_bytes(b"x" * rng.randrange(57_000))
        done = subprocess.run([*COMMAND, *place.plain, "-o", str(out)], capture_output=True)
        if out.read_bytes() not in (OLD, place.new):
            return "a torso"
        return _one_line(done, (0, 2)) or ("left behind" if len(os.listdir(disk)) > 2 else "")
    finally:
        subprocess.run(["umount", disk], check=True)


def small_memory(place: Place, rng: random.Random) -> str:
    """Run with an address space in which the arrays may not fit, though Python and numpy do."""
    return limited(place, resource.RLIMIT_AS, rng.randrange(3 << 30, 6 << 30))


def streams(place: Place, rng: random.Random) -> str:
    """Run with stdout and stderr full, closed or partly read, in any combination."""
    out = rng.choice([">&-", ">/dev/full", "| head -c 20 >/dev/null", ">/dev/null"])
    err = rng.choice(["", "2>&-", "2>/dev/full"])
    words = rng.choice(
        [place.plain, ["metrics"], ["metrics", "ERR-IA"], ["metrics", "nonsense"], ["--help"], []]
    )
    line = " ".join(f"'{word}'" for word in [*COMMAND, *words])
    done = subprocess.run(["sh", "-c", f"{line} {err} {out}"], capture_output=True)
    wrong = "nonsense" in words or not words or "full" in out or "&-" in out
    if "head" in out and done.stderr:
        done.returncode = 2  # else the status of a pipeline is that of its end
    problem = _one_line(done, (0, 2) if "head" in out else (2,) if wrong else (0,))
    if not problem and b"Traceback" in done.stderr + done.stdout:
        problem = "a traceback"
    return f"{' '.join(words)[:40]} {err} {out}: {problem}" if problem else ""


KINDS: dict[str, Callable[[Place, random.Random], str]] = {
    "kill -9 while a command runs": lambda p, r: ended(p, p.command, p.new, signal.SIGKILL, r),
    "kill -9 while a file is written": lambda p, r: ended(p, p.slowly, NEW, signal.SIGKILL, r),
    "Ctrl-C while a command runs": lambda p, r: ended(p, p.command, p.new, signal.SIGINT, r),
    "Ctrl-C while a file is written": lambda p, r: ended(p, p.slowly, NEW, signal.SIGINT, r),
    "a small disk": small_disk,
    "a disk of 64 kB": mounted_disk,
    "a small memory": small_memory,
    "streams": streams,
}


def explore(effort: Effort) -> Iterator[SearchResult]:
    """Yield a SearchResult for each kind of fault; the seed decides the moments, not the run's timing."""
    # In the background Ctrl-C is ignored, also by the processes that are started there.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        for kind, fault in KINDS.items():
            if effort.only not in kind:
                continue
            start, failure = time.perf_counter(), ""
            rng = random.Random(f"{effort.seed} {kind}")
            for _ in range(ROUNDS * effort.times):
                failure = failure or fault(place, rng)
                for name in os.listdir(folder):
                    if name.startswith(".divmetrics"):
                        os.unlink(place.folder / name)
            yield SearchResult(kind, ROUNDS * effort.times, time.perf_counter() - start, failure)
