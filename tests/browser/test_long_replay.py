"""Long sessions in the replay: what is laid out stays bounded, wherever one looks, and nothing of it is lost."""

from __future__ import annotations

from typing import Any

from tests.browser.archive import ROUND_TRIP, monologue, session
from tests.browser.conftest import Browsers, Housed

MOST_WORDS, MOST_ELEMENTS = 1_200, 9_000
THROUGH = """async () => {
  const list = document.querySelector(".transcript");
  const words = () => [...document.querySelectorAll("[data-word]")];
  const seen = new Set();
  let [most, elements] = [0, 0];
  const settled = () => new Promise((done) => {
    let calm = 0;
    const look = () => {
      const box = list.getBoundingClientRect();
      const empty = [...document.querySelectorAll(".turn.candidate")].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > box.top && top < box.bottom && !row.querySelector("[data-word], .faint");
      });
      calm = empty.length ? 0 : calm + 1;
      if (calm > 3) done();
      else requestAnimationFrame(look);
    };
    look();
  });
  for (;;) {
    await settled();
    for (const span of words()) seen.add(span.word.index);
    most = Math.max(most, words().length);
    elements = Math.max(elements, document.querySelectorAll("*").length);
    if (list.scrollTop + list.clientHeight >= list.scrollHeight - 2) return { most, elements, seen: seen.size };
    list.scrollTop += list.clientHeight * 0.9;
  }
}"""
"""Read the transcript page by page to its end: the most words and elements there were at once, and all words that were seen."""


def opened(housed: Housed, browsers: Browsers, name: str) -> Any:
    page = browsers.page()
    page.goto(f"{housed.origin}/#/replay/{name}")
    page.wait_for_selector(".turn.candidate [data-word]")
    return page


def test_words_that_have_left_the_screen_are_taken_away(housed: Housed, browsers: Browsers) -> None:
    page = opened(housed, browsers, session(housed.recordings, round(30 * 60 / ROUND_TRIP)))
    found = page.evaluate(THROUGH)
    total = page.evaluate("fetch(location.origin + '/api/sessions/latest').then((answer) => answer.json())")["word_count"]
    assert found["seen"] == total
    assert found["most"] < min(MOST_WORDS, total / 2)
    assert found["elements"] < MOST_ELEMENTS
    page.locator(".transcript").evaluate("list => list.scrollTo(0, 0)")
    page.wait_for_selector("[data-word='0']")
    assert browsers.complaints == []


def test_one_answer_of_half_an_hour_is_laid_out_in_parts(housed: Housed, browsers: Browsers) -> None:
    page = opened(housed, browsers, monologue(housed.recordings))
    assert 0 < page.locator("[data-word]").count() < MOST_WORDS
    assert page.locator(".turn.candidate").count() > 10
    assert page.locator(".turn .who").count() == 1
    found = page.evaluate(THROUGH)
    assert found["seen"] == 30 * 2 * 28
    assert found["most"] < MOST_WORDS
