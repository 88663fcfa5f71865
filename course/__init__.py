"""Assignments: what is released (`source/`), and what grades it (`grading/`). See LECTURER.md."""
