"""What nbgrader and formgrader read when they are started in this folder."""

from __future__ import annotations

import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
c = get_config()  # noqa: F821 - nbgrader brings it
c.CourseDirectory.root = str(HERE)
c.CourseDirectory.course_id = tomllib.loads((HERE / "course.toml").read_text(encoding="utf-8"))["course"]
