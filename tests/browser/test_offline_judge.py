"""A judge on a page without a kernel: every answer leads to what Python says of it."""

from __future__ import annotations

import random
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from divmetrics_widgets import PreferenceJudge
from tests.support.offline_page import opened, wait_for_widgets, written


def judged(page: Page, answers: list[str]) -> Locator:
    """Answer every question by its key, or skip it, and open the tables at the end."""
    judge = page.locator("[data-widget='preference-judge']")
    for answer in answers:
        judge.locator(f"[data-key='{answer or 'skip'}']").click()
        if answer:
            page.keyboard.press("Enter")
    expect(judge.locator(".dm-outcomes")).to_have_count(2)
    judge.locator("[data-key=tables]").click()
    return judge


def said_by(judge: PreferenceJudge) -> tuple[list[str], list[str]]:
    """The sentences and the rows of the tables for its answers."""
    words = [sentence for sentences in judge.sentences().values() for sentence in sentences]
    rows = []
    for row in judge.agreement().itertuples():
        wide = row.low < row.high
        interval = f"{row.low:+.2f} to {row.high:+.2f}" if wide else ""
        rows.append(f"{row.metric}{row.agree}{row.disagree}{row.ties}{row.tau:+.2f}{interval}")
    return words, rows


def test_answers_are_compared_and_survive_a_reload(chromium: Browser, tmp_path: Path) -> None:
    chance = random.Random(7)
    python = PreferenceJudge()
    python.answers = [chance.choice(["left", "same", "right", ""]) for _ in python.answers]
    python.answers = ["left", *python.answers[1:-1], "right"]
    with opened(written(tmp_path, [PreferenceJudge()]), chromium) as page:
        judge = judged(page, python.answers)
        words, rows = said_by(python)
        texts = judge.locator(".dm-outcomes li p").all_text_contents()
        assert [text.split(" It chose")[0] for text in texts] == words
        assert judge.locator(".dm-agreement tbody tr").all_text_contents() == rows
        for text, (_, metric) in zip(texts, python.agreement()[["question", "metric"]].values, strict=True):
            assert text.startswith(metric)
        against = python.disagreements()
        named = [text.split("It chose the other list of ")[1] for text in texts if "It chose" in text]
        assert sum(len(text.replace(" and ", ", ").split(", ")) for text in named) == len(against)
        page.reload()
        wait_for_widgets(page)
        first_open = python.answers.index("")
        expect(judge.locator("progress")).to_have_attribute("value", str(first_open))
        judge.locator("[data-key=back]").click()
        pressed = judge.locator("[aria-pressed=true]")
        expect(pressed).to_have_attribute("data-key", python.answers[first_open - 1])


def test_a_metric_that_is_tied_on_all_pairs_says_so(chromium: Browser, tmp_path: Path) -> None:
    metric = "S-recall@1"
    python = PreferenceJudge(metrics=metric)
    python.answers = ["left"] * len(python.answers)
    with opened(written(tmp_path, [PreferenceJudge(metrics=metric)]), chromium) as page:
        texts = judged(page, python.answers).locator(".dm-outcomes li p").all_text_contents()
        assert [text.split(" It chose")[0] for text in texts] == said_by(python)[0]
