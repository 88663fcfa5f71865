"""What nbgrader and formgrader read when they are started in this folder."""

from __future__ import annotations

import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
c = get_config()  # noqa: F821 - nbgrader brings it
c.CourseDirectory.root = str(HERE)
c.CourseDirectory.course_id = tomllib.loads((HERE / "course.toml").read_text(encoding="utf-8"))["course"]
# `make course` releases and `make grade` grades. The buttons that formgrader has for both work on copies of
# their own, so that they spoil no release. Its Autograde would run programs of students without a sandbox:
# here it runs none and changes no points.
c.CourseDirectory.source_directory = "formgrader/source"
c.CourseDirectory.release_directory = "formgrader/release"
c.CourseDirectory.submitted_directory = "formgrader/submitted"
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = []
