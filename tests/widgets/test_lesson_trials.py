"""Trials of a conclusion say in how many combinations it holds, and what the others have in common."""

from __future__ import annotations

from divmetrics_widgets.lessons import tried


def test_a_conclusion_that_always_holds() -> None:
    all_of_them = tried(lambda a, b: a < b, a=[1, 2], b=[3, 4])
    assert (all_of_them.holds, all_of_them.tried, all_of_them.fails) == (4, 4, ())
    assert repr(all_of_them) == "Tried: a, b. Holds in 4 of 4 combinations."


def test_few_failures_are_named() -> None:
    one = tried(lambda a, b: a < b, a=[1, 2], b=[2, 3])
    assert one.fails == ({"a": 2, "b": 2},)
    assert repr(one).endswith("Holds in 3 of 4 combinations. Fails for a 2, b 2.")


def test_many_failures_are_counted_by_what_tells_them_apart() -> None:
    many = tried(lambda name, cutoff: name == "x" or cutoff > 9, cutoff=range(1, 11), name=["x", "<y>"])
    assert many.fails_by("name") == {"<y>": 9}
    assert repr(many).endswith("Holds in 11 of 20 combinations. Fails for name <y> (9 times).")
    assert "&lt;y&gt;" in many._repr_html_()
