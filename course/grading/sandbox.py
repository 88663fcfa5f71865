"""Sandbox for submissions (bubblewrap), without network, key or other submissions in sight.

The sandbox sees Python and its packages, the two packages of this project and the files released with the
assignment, all read-only, and an empty folder of its own. Without bubblewrap, `Sandbox(trust=True)` runs the
same unprotected, on the caller's responsibility.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

import divmetrics
import divmetrics_widgets
from course.grading.untrusted import read_json
from divmetrics.errors import DivmetricsError

RUNNER = Path(__file__).with_name("sandbox_runner.py")
PACKAGES = [Path(package.__file__).parent for package in (divmetrics, divmetrics_widgets) if package.__file__]
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/localtime")
MOST_BYTES = 8 * 2**20  # of all replies of a process
MOST_MEMORY = 4 * 2**30  # of all processes of a submission
DISK = 256 * 2**20  # bytes that a submission can write into each of its three folders, which lie in memory
WRITABLE = ("/tmp", "/dev/shm", "/home/student")
RESTRICTED = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
CONTAINER = Path("/.dockerenv")
START_SECONDS = 120.0
LONGEST = 300.0  # all cells of a submission, with every new beginning
LOOK = 0.25  # between two looks at a submission's memory
GRACE = 5.0  # for a cell to end after it was stopped
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/home/student",
    "IPYTHONDIR": "/tmp/ipython",
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "ARROW_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
}  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """A cell to run: its name, its code, and whether it is part of the release (locked)."""

    name: str
    source: str
    locked: bool = True


@dataclass
class RunResult:
    """Submitted answers and errors by cell, and results of submitted functions by question."""

    handed: dict[str, list[Any]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    called: dict[str, list[Any]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)  # cells that ended the kernel, with what happened
    stopped: dict[str, str] = field(
        default_factory=dict
    )  # cells that took too long; what they did before counts
    timed_out: bool = False


class SandboxError(DivmetricsError):
    """Raised if this machine has no sandbox, or the grader's own process does not start in it."""


class Ended(Exception):
    """Raised if the process inside has ended or was killed; its text says why."""


class TimedOut(Ended):
    """Raised if the process inside took too long, which a busy machine can be the reason of."""


class Sandbox:
    """A sandbox that runs submissions; raises SandboxError if none can be made, unless `trust` is set."""

    def __init__(self, trust: bool = False) -> None:
        self.missing = self._why_not()
        if self.missing and not trust:
            raise SandboxError(
                f"Submissions are programs, and have no sandbox: {self.missing} If you trust every student "
                "with this account's files and network, say so with TRUST=1."
            )

    @staticmethod
    def _why_not() -> str:
        """Return why no sandbox can be made here and what to do, in sentences; empty if one can."""
        if sys.platform != "linux":
            return (
                f"bubblewrap needs Linux, and this is {platform.system()}. Grade in a virtual machine with "
                "Linux or, on Windows, in WSL 2."
            )
        if not shutil.which("bwrap"):
            return "bubblewrap is not installed. Install it (Debian, Ubuntu: apt-get install bubblewrap)."
        with tempfile.TemporaryDirectory() as folder:
            tried = subprocess.run(
                [*_walls(Path(folder)), sys.executable, "-c", "pass"],
                env=ENVIRONMENT, capture_output=True, text=True, check=False,
            )  # fmt: skip
        return _explain(tried.stderr.strip()) if tried.returncode else ""

    def run(
        self,
        cells: Sequence[Cell],
        files: Path,
        cases: Mapping[str, list[list[Any]]] | None = None,
        seconds: float = 20.0,
    ) -> RunResult:
        """Run cells in order; stop one that takes too long, and restart without one that ends the kernel.

        `files` is the folder of the release, whose Python files the cells can import. Submitted functions are
        called on their cases after all cells have run, when no further answers are accepted.
        """
        ran = RunResult()
        until = time.monotonic() + LONGEST
        calls = {f"call {question}": question for question in cases or {}}
        while True:
            tasks: list[dict[str, Any]] = [
                {"name": cell.name, "source": cell.source, "locked": cell.locked}
                for cell in cells
                if cell.name not in ran.left_out
            ]
            tasks += [
                {"name": name, "question": question, "cases": (cases or {})[question]}
                for name, question in calls.items()
                if name not in ran.left_out
            ]
            ran.handed, ran.errors, ran.called = {}, {}, {}
            with _Process(files, walled=not self.missing) as process:
                name = ""
                try:
                    process.wait("start", START_SECONDS)
                    for task in tasks:
                        name = task["name"]
                        allowed = min(seconds, until - time.monotonic())
                        if allowed <= 0:
                            return self._ended(ran, tasks, name, "the submission had used up its time")
                        reply = process.ask({**task, "seconds": allowed}, allowed)
                        self._keep(ran, name, reply, calls, allowed)
                except Ended as ended:
                    if not name and isinstance(ended, TimedOut):
                        return self._ended(ran, tasks, name, "the machine was too busy to begin")
                    if not name:
                        raise SandboxError(f"The grader's own process did not start: {ended}") from None
                    ran.left_out[name] = str(ended)
                    ran.timed_out |= isinstance(ended, TimedOut)
                    continue
            return ran

    @staticmethod
    def _ended(ran: RunResult, tasks: list[dict[str, Any]], first: str, why: str) -> RunResult:
        """Leave out the task of that name and all after it, by default all."""
        names = [task["name"] for task in tasks]
        ran.left_out |= dict.fromkeys(names[names.index(first) if first else 0 :], why)
        ran.timed_out = True
        return ran

    @staticmethod
    def _keep(
        ran: RunResult, name: str, reply: dict[str, Any], calls: Mapping[str, str], allowed: float
    ) -> None:
        """Store a reply; nothing that comes from inside is trusted to have the right form."""
        if name in calls:
            results = reply.get("results")
            ran.called[calls[name]] = results if isinstance(results, list) else []
            return
        handed, error = reply.get("handed"), reply.get("error")
        ran.handed[name] = handed if isinstance(handed, list) else []
        if error is not None:
            ran.errors[name] = str(error)[:300]
        if reply.get("late"):
            ran.timed_out = True
            ran.stopped[name] = _too_long(allowed)
            ran.errors[name] = f"a stop after {allowed:.0f} seconds"


def _too_long(seconds: float) -> str:
    return f"it ran for more than {seconds:.0f} seconds"


def _explain(message: str) -> str:
    """Return why bubblewrap, which is installed, made no sandbox here, and what to do about it."""
    said = f"bubblewrap is installed and failed ({message or 'without a message'})."
    if RESTRICTED.exists() and RESTRICTED.read_text().strip() == "1":
        return (
            f"{said} AppArmor keeps programs from making user namespaces here, as Ubuntu does from 23.10 on. "
            "Allow it for bubblewrap by a profile in /etc/apparmor.d that has `userns,` for /usr/bin/bwrap "
            f"(LECTURER.md has it), or for all programs: sudo sysctl kernel.{RESTRICTED.name}=0."
        )
    if CONTAINER.exists() or os.environ.get("CODESPACES"):
        return (
            f"{said} This is a container, and its seccomp profile forbids user namespaces. Grade outside of "
            "it, or start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined."
        )
    return f"{said} It needs a kernel that lets users make user namespaces."


def _walls(home: Path) -> list[str]:
    """Return the bwrap command line; `home` has the files that a submission may see beside Python."""
    words = [
        shutil.which("bwrap") or "bwrap", "--unshare-all", "--unshare-user", "--uid", "65534",
        "--gid", "65534", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox",
        "--proc", "/proc", "--dev", "/dev",
    ]  # fmt: skip
    for folder in WRITABLE:
        words += ["--size", str(DISK), "--tmpfs", folder]
    pythons = {sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable))}
    outside = sorted(each for each in pythons if not each.startswith("/usr"))
    for each in (*SYSTEM, *outside):
        if os.path.islink(each):
            words += ["--symlink", os.readlink(each), each]
        elif os.path.exists(each):
            words += ["--ro-bind", each, each]
    for package in PACKAGES:
        words += ["--ro-bind", str(package), f"/course/lib/{package.name}"]
    words += ["--ro-bind", str(RUNNER), "/course/sandbox_runner.py"]
    for file in sorted(home.glob("*.py")):
        words += ["--ro-bind", str(file), f"/home/student/{file.name}"]
    for folder in ("/dev", "/"):  # tmpfs of bubblewrap's own, of no fixed size
        words += ["--remount-ro", folder]
    return [*words, "--chdir", "/home/student", "--setenv", "PYTHONPATH", "/course/lib:/home/student"]


class _Process:
    """The kernel inside the sandbox, and the two pipes to it."""

    def __init__(self, files: Path, walled: bool) -> None:
        self.scratch: tempfile.TemporaryDirectory[str] | None = None
        environment = dict(ENVIRONMENT)
        if walled:
            command = [*_walls(files), sys.executable, "/course/sandbox_runner.py", "alone"]
        else:
            self.scratch = tempfile.TemporaryDirectory()
            for file in files.glob("*.py"):
                shutil.copy(file, self.scratch.name)
            paths = [*(str(package.parent) for package in PACKAGES), self.scratch.name]
            environment |= {"HOME": self.scratch.name, "PYTHONPATH": os.pathsep.join(paths)}
            environment["IPYTHONDIR"] = os.path.join(self.scratch.name, ".ipython")
            command = [sys.executable, str(RUNNER)]
        self.process = subprocess.Popen(
            command, env=environment, cwd=self.scratch.name if self.scratch else "/",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        self.pending, self.bytes = b"", 0

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *reason: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        if self.scratch:
            self.scratch.cleanup()

    def ask(self, task: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send a task and return the reply; raises Ended. The process itself stops a cell after `seconds`."""
        pipe = self.process.stdin
        assert pipe  # noqa: S101 - it was asked for above
        until = time.monotonic() + seconds + GRACE
        rest = memoryview(json.dumps(task).encode() + b"\n")
        os.set_blocking(pipe.fileno(), False)  # a submission may stop reading
        while rest:
            _, ready, _ = select.select([], [pipe], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimedOut(_too_long(seconds))
            try:
                rest = rest[os.write(pipe.fileno(), rest) :]
            except BrokenPipeError:
                raise Ended("it ended the kernel") from None
        return self.wait(task["name"], seconds, until)

    def wait(self, name: str, seconds: float, until: float | None = None) -> dict[str, Any]:
        """Return the reply to a task; raises Ended."""
        pipe = self.process.stdout
        assert pipe  # noqa: S101 - it was asked for above
        until = until or time.monotonic() + seconds
        look = 0.0
        while b"\n" not in self.pending:
            now = time.monotonic()
            if now >= until:
                raise TimedOut(_too_long(seconds))
            if now >= look:
                look = now + LOOK
                if _memory(self.process.pid) > MOST_MEMORY:
                    raise Ended(f"it used more than {MOST_MEMORY / 2**30:g} GB of memory")
            ready, _, _ = select.select([pipe], [], [], min(until - now, LOOK))
            if not ready:
                continue
            more = os.read(pipe.fileno(), 65536)
            if not more:
                raise Ended("it ended the kernel")
            self.pending += more
            self.bytes += len(more)
            if self.bytes > MOST_BYTES:
                raise Ended("it wrote more than can be an answer")
        line, _, self.pending = self.pending.partition(b"\n")
        try:
            reply = read_json(line)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict) or reply.get("done") != name:
            raise Ended("it wrote into the grader's pipe")
        return reply


def _memory(process: int) -> int:
    """Return the bytes of memory that a process's descendants use; what they share counts once at most."""
    used: dict[str, int] = {"rss": 0, "uss": 0}
    with contextlib.suppress(psutil.Error):
        inside = psutil.Process(process).children(recursive=True)
        for kind, ask in (("rss", psutil.Process.memory_info), ("uss", psutil.Process.memory_full_info)):
            for each in inside:
                with contextlib.suppress(psutil.Error):
                    used[kind] += getattr(ask(each), kind)
            if used[kind] <= MOST_MEMORY:  # the second takes longer
                return used[kind]
    return used["uss"]
