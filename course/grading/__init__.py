"""What releases assignments and grades submissions; nothing of it is ever handed out.

`assignment.py` says what an assignment is, and a file named after each (`ps1.py`) what is right and what is
known to be wrong; a large one has more files of that name (`ps4_pairs.py`). A submission goes this way:
`submissions.py` finds and reads it, `rebuild.py` puts its answers into the released notebook, `sandbox.py`
runs that where it can harm nothing (`inside.py` is the part on the other side of the wall), `judge.py`
compares, and `gradebook.py`, `feedback.py`, `giving_back.py` and `grade.py` write down. `shown.py` is what
formgrader shows, and `by_hand.py` what a person gives there. `release.py` makes what students get, after
`leaks.py` has looked through it and `copies.py` has tried the grader on copies whose points are known.
`command.py` says how these two commands end.
"""
