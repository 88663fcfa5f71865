"""Release of assignments and grading of submissions; nothing of this package is ever handed out.

`assignment.py` defines an assignment, and a file named after each (`ps1.py`) has its right and its known
wrong answers; a large one has more files of that name (`ps4_pairs.py`). A submission goes this way:
`submissions.py` finds it, `notebook_file.py` reads it, `rebuild.py` puts its answers into the released
notebook, `sandbox.py` runs that where it can do no harm (`sandbox_runner.py` is the process inside),
`judge.py` compares, `result.py` holds the outcome, `groups.py` shares it among students who work together,
and `gradebook.py`, `feedback.py`, `feedback_zip.py`, `import_tables.py` and `grade.py` write it down;
`one.py` does all that for one file. `question_text.py` shows questions and answers in the feedback, and
`signals.py` looks for shared work. `formgrader_notebook.py` is the notebook that formgrader shows, and
`manual_points.py` what a person enters there. `release.py` makes what students get, after `leaks.py` has
searched it and `self_test.py` has tried the grader on copies whose points are known. `exit_status.py` has the
exit status of these two commands.
"""
