"""Faults outside of the program (disks, streams, signals): an old file stays whole, and one line says why."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import divmetrics as dm
from divmetrics.atomic_files import atomic_writer, save
from divmetrics.cli import main
from divmetrics.notebook.charts.figure import Figure

QRELS = "1 1 d1 2\n1 2 d2 1\n"
RUN = "1 Q0 d1 1 3.0 mine\n1 Q0 d2 2 2.0 mine\n"
OLD = "what was there before\n"
COMMAND = [sys.executable, "-m", "divmetrics"]
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals, pipes and limits of POSIX")
FULL = Path("/dev/full")


@pytest.fixture(autouse=True)
def hears_ctrl_c() -> Iterator[None]:
    """Tests that run in the background ignore it, and so would the processes that they start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def paths(tmp_path: Path) -> tuple[str, str, Path]:
    """Judgments, a run, and a file with an old result."""
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "out.csv").write_text(OLD)
    return str(tmp_path / "qrels"), str(tmp_path / "run"), tmp_path / "out.csv"


def evaluation(qrels: str, run: str, *options: str) -> list[str]:
    return ["evaluate", qrels, run, "-m", "ERR-IA@2", *options]


def one_line(err: str, *words: str) -> None:
    assert err.count("\n") == 1, err
    assert err.startswith("divmetrics: ")
    for word in words:
        assert word in err, err


# ------------------------------------------------------------------------------------------- what is written


def test_a_failure_keeps_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_text(OLD)
    with pytest.raises(KeyboardInterrupt), atomic_writer(path) as file:  # noqa: PT012 - half of it is the point
        file.write(b"half")
        raise KeyboardInterrupt
    assert path.read_text() == OLD
    assert os.listdir(tmp_path) == ["file"]
    save(path, "new\n")
    assert path.read_bytes() == b"new\n"
    assert os.listdir(tmp_path) == ["file"]


def test_a_command_that_fails_keeps_the_old_result(paths, capsys):
    """ndeval's format finds only while it writes that a topic is no number."""
    qrels, run, out = paths
    Path(qrels).write_text(QRELS + "x 1 d1 1\n")
    Path(run).write_text(RUN + "x Q0 d1 1 3.0 mine\n")
    command = ["evaluate", qrels, run, "--convention", "ndeval", "--format", "ndeval", "-o", str(out)]
    assert main(command) == 2
    one_line(capsys.readouterr().err, "'x' is not a number")
    assert out.read_text() == OLD
    assert sorted(os.listdir(out.parent)) == ["out.csv", "qrels", "run"]


@POSIX
def test_permissions_and_links_stay(tmp_path):
    target, link = tmp_path / "folder" / "file", tmp_path / "link"
    target.parent.mkdir()
    target.write_text(OLD)
    target.chmod(0o640)
    link.symlink_to(target)
    save(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    fresh, plain = tmp_path / "fresh", tmp_path / "plain"
    save(fresh, "new")
    plain.write_text("new")
    assert fresh.stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("way", ["the same name", "a symbolic link", "a hard link"])
def test_output_cannot_replace_an_input(which, way, paths, tmp_path, capsys):
    name, before = paths[which], Path(paths[which]).read_text()
    other = tmp_path / "other"
    if way == "the same name":
        other = Path(name)
    elif way == "a symbolic link":
        other.symlink_to(name)
    else:
        other.hardlink_to(name)
    assert main(evaluation(paths[0], paths[1], "-o", str(other))) == 2
    one_line(capsys.readouterr().err, str(other), "but is also read")
    assert Path(name).read_text() == before


def test_a_file_of_the_data_folder_is_no_place_to_write(paths, capsys):
    out = paths[2]
    assert main(["reproduce", "yu2017", "--data", str(out.parent), "-o", str(out)]) == 2
    one_line(capsys.readouterr().err, str(out), "but is also read")
    assert out.read_text() == OLD


def test_unwritable_outputs_are_refused(paths, tmp_path, capsys):
    qrels, run, _ = paths
    for place, word in (
        ("", "has no name"),
        (str(tmp_path), "it is a folder"),
        (str(tmp_path / "no" / "file"), "no such folder"),
        ("a\0b", "cannot be written"),
    ):
        assert main(evaluation(qrels, run, "-o", place)) == 2
        one_line(capsys.readouterr().err, word)


def test_figures_and_tools_write_whole_files(paths, monkeypatch):
    from tools import notebook_files

    figure = Figure(None, "a picture")
    out = paths[2].with_suffix(".svg")
    out.write_text(OLD)
    monkeypatch.setattr(Figure, "svg", "<svg/>")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(dm.DivmetricsError, match="No space left"):
        figure.save(out)
    assert out.read_text() == OLD
    assert notebook_files.save is save


@POSIX
def test_a_full_disk_keeps_the_old_result(paths):
    qrels, run, out = paths
    Path(run).write_text("".join(f"1 Q0 d{k} {k} {-k} mine\n" for k in range(1, 40)))
    command = COMMAND + evaluation(qrels, run, "-o", str(out), *(f"-mP-IA@{k}" for k in range(1, 300)))
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # noqa: E731 - a file of 1000 bytes
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    assert done.returncode == 2
    one_line("\n".join(line for line in done.stderr.splitlines() if "warning" not in line) + "\n", "out.csv")
    assert out.read_text() == OLD
    assert sorted(os.listdir(out.parent)) == ["out.csv", "qrels", "run"]


WRITES_HALF = """
import sys
from divmetrics.atomic_files import atomic_writer
from divmetrics.cli import _process
_process.prepare()
with atomic_writer(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("now", flush=True)
    sys.stdin.read()
"""


@POSIX
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_ended_keeps_the_old_file(number, tmp_path):
    path = tmp_path / "file"
    path.write_text(OLD)
    script = tmp_path / "divmetrics"
    script.write_text(WRITES_HALF)
    with subprocess.Popen(
        [sys.executable, script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"now\n"
        process.send_signal(number)
        err = process.stderr.read().decode()
    assert path.read_text() == OLD
    if number == signal.SIGKILL:
        assert err == ""
    else:
        assert process.returncode == 128 + number
        one_line(err, "stopped")
        assert sorted(os.listdir(tmp_path)) == ["divmetrics", "file"]


# --------------------------------------------------------------------------------------------------- Ctrl-C


def _writer(pipe: Path) -> int | None:
    """The pipe, as soon as somebody reads it."""
    try:
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return None


STOPPED = "divmetrics: stopped by Ctrl-C\n"


def interrupted(
    command: list[str], pipe: Path, stderr: int = subprocess.PIPE, **environment: str
) -> str | None:
    """What stderr shows of a Ctrl-C while the process waits for a pipe to be written."""
    os.mkfifo(pipe)
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=stderr, text=True, env={**os.environ, **environment}
    )
    while (writer := _writer(pipe)) is None:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    out = None
    while out is None:
        process.send_signal(signal.SIGINT)
        # A signal between two steps of the interpreter, just before it reads, does not wake the reading.
        with suppress(subprocess.TimeoutExpired):
            out, err = process.communicate(timeout=10)
    os.close(writer)
    assert (process.returncode, out) == (130, "")
    return err


@POSIX
def test_ctrl_c_while_a_file_is_read(paths, tmp_path):
    assert interrupted(COMMAND + evaluation(str(tmp_path / "pipe"), paths[1]), tmp_path / "pipe") == STOPPED


@POSIX
def test_ctrl_c_while_threads_read(paths, tmp_path):
    pipe = tmp_path / "pipe"
    assert interrupted([*COMMAND, "evaluate", *paths[:2], str(pipe), "-m", "ERR-IA"], pipe) == STOPPED


@POSIX
def test_ctrl_c_on_a_terminal_wipes_the_bar(paths, tmp_path):
    ours, theirs = os.openpty()
    interrupted(COMMAND + evaluation(str(tmp_path / "pipe"), paths[1]), tmp_path / "pipe", stderr=theirs)
    assert os.read(ours, 10_000).decode().endswith("\r\033[Kdivmetrics: stopped by Ctrl-C\r\n")
    os.close(ours)
    os.close(theirs)


@POSIX
def test_ctrl_c_while_modules_are_loaded(tmp_path):
    """A numpy of that name stands before the real one and waits."""
    (tmp_path / "numpy.py").write_text(f"open({str(tmp_path / 'pipe')!r}).read()\n")
    assert interrupted([*COMMAND, "metrics"], tmp_path / "pipe", PYTHONPATH=str(tmp_path)) == STOPPED


@POSIX
def test_a_program_that_imports_the_library_keeps_its_own_ctrl_c():
    script = "import signal; before = signal.getsignal(signal.SIGINT); import divmetrics\n"
    script += "assert signal.getsignal(signal.SIGINT) is before"
    subprocess.run([sys.executable, "-c", script], check=True)


# -------------------------------------------------------------------------------------------------- streams


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [("metrics",), ("--help",), ("conventions",)])
def test_full_stdout_is_reported(arguments):
    with FULL.open("w") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    one_line(done.stderr, "standard output cannot be written (No space left on device)")


@pytest.mark.slow
@POSIX
def test_closed_streams(paths):
    qrels, run, out = paths
    shell = f'exec "{sys.executable}" -m divmetrics '
    done = subprocess.run(["sh", "-c", f"{shell} metrics >&-"], stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    one_line(done.stderr, "standard output is closed")
    bad = subprocess.run(["sh", "-c", f"{shell} metrics ERRRIA 2>&-"], stdout=subprocess.PIPE, text=True)
    assert (bad.returncode, bad.stdout) == (2, "")
    good = f"{shell} {' '.join(evaluation(qrels, run, '-o', str(out)))} >&- 2>&-"
    assert subprocess.run(["sh", "-c", good]).returncode == 0
    assert out.read_text().startswith("run,topic,metric,score\n")
    if FULL.exists():
        bad = subprocess.run(["sh", "-c", f"{shell} metrics ERRRIA 2>/dev/full"], stdout=subprocess.PIPE)
        assert (bad.returncode, bad.stdout) == (2, b"")


@pytest.mark.slow
def test_names_that_a_stream_cannot_write_are_escaped(tmp_path):
    """ASCII as on a Windows stdout that is redirected; a file name that is not UTF-8."""
    (tmp_path / "qrels").write_text(QRELS, encoding="utf-8")
    runs = [os.fsencode(tmp_path) + b"/a\xe9.run", os.fsencode(tmp_path) + b"/b.run"]
    try:
        for path in runs:
            with open(path, "w", encoding="utf-8") as file:
                file.write(RUN.replace("d1", "caf\u00e9"))
    except OSError:
        pytest.skip("file names are UTF-8 here")
    command = [*COMMAND, "evaluate", str(tmp_path / "qrels"), *runs, "-m", "ERR-IA@2"]
    for encoding in ("ascii", "utf-8"):
        done = subprocess.run(
            command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding}, check=True
        )
        assert b"\na\\udce9,1,ERR-IA@2," in done.stdout
        out = tmp_path / "out.csv"
        subprocess.run([*command, "-o", out], capture_output=True, check=True)
        assert "\na\\udce9,1,ERR-IA@2," in out.read_text(encoding="utf-8")
    process = subprocess.run(
        [*COMMAND, "explain", str(tmp_path / "qrels"), runs[1], "--topic", "1", "-m", "ERR-IA@2"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=True,
    )
    assert b"rank 1  caf\\xe9" in process.stdout


@pytest.mark.slow
@POSIX
def test_exhausted_memory_is_reported(paths, tmp_path):
    """60 MB more than what is loaded, and a run of 90."""
    big = tmp_path / "big.run"
    with big.open("wb") as file:
        for part in range(30):
            file.write(b"".join(b"1 Q0 d%d 1 1.0 mine\n" % k for k in range(part << 17, (part + 1) << 17)))
    script = (
        "import resource, sys, divmetrics.cli as cli, divmetrics.cli.commands, divmetrics.io.trec\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (60 << 20),) * 2)\n"
        f"sys.exit(cli.main({evaluation(paths[0], str(big))!r}))\n"
    )
    if not Path("/proc/self/statm").exists():
        pytest.skip("how much memory is in use is not told here")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 2
    one_line(done.stderr, "memory")


def test_exhausted_memory_is_reported_at_any_allocation(paths, capsys, monkeypatch):
    def no_more(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("divmetrics.cli.commands.score_runs", no_more)
    assert main(evaluation(paths[0], paths[1])) == 2
    one_line(capsys.readouterr().err, "there is not enough memory")
