"""The replay in Chromium against a real server: what it shows of a session whose every second is known."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.archive import ANSWER, LINE, ROUND_TRIP, session, spoken_at_once
from tests.browser.conftest import PHONE, Browsers, Housed
from voiceprep.content import load_content
from voiceprep.web.peaks import MOST_POINTS

Opened = tuple[Any, str]
FIRST_ANSWER = LINE + 1.0


@pytest.fixture
def open_replay(housed: Housed, browsers: Browsers) -> Callable[..., Opened]:
    def opened(exchanges: int = 2, place: str = "", **how: Any) -> Opened:
        name = session(housed.recordings, exchanges)
        page = browsers.page(**how)
        page.goto(f"{housed.origin}/#/replay/{name}{place}")
        page.wait_for_selector(".turn.candidate [data-word]")
        return page, name

    return opened


def time_of(page: Any) -> float:
    minutes, seconds = page.locator(".deck .time").inner_text().split(":")
    return float(minutes) * 60 + float(seconds)


def until_time(page: Any, low: float, high: float) -> None:
    page.wait_for_function(
        "([low, high]) => { const [m, s] = document.querySelector('.deck .time').textContent.split(':'); "
        "const time = m * 60 + Number(s); return low <= time && time <= high; }",
        arg=[low, high],
    )


def test_case_109_a_click_on_a_word_is_heard_from_there(open_replay: Callable[..., Opened], browsers: Browsers) -> None:
    page, _ = open_replay()
    page.get_by_text("capacity", exact=True).first.click()
    page.wait_for_selector(".play[aria-label=Pause]")
    page.wait_for_selector("[data-word].sounds")
    page.keyboard.press("k")
    page.wait_for_selector(".play[aria-label=Play]")
    at = page.evaluate("document.querySelector('[data-word].sounds').word.start")
    assert FIRST_ANSWER < at < FIRST_ANSWER + ANSWER
    assert at - 0.1 <= time_of(page) <= at + 8.0
    assert browsers.complaints == []


def test_case_111_what_was_said_stays_text(open_replay: Callable[..., Opened]) -> None:
    page, _ = open_replay()
    assert page.get_by_text("<b>It", exact=True).count() == 2
    assert page.locator(".turn b").count() == 0


def test_a_doubtful_word_and_a_long_silence_are_marked(open_replay: Callable[..., Opened]) -> None:
    page, _ = open_replay()
    assert page.locator(".turn .doubted").first.inner_text() == SAID_FOURTH
    assert page.locator(".turn .hush").first.inner_text() == "0:12"


SAID_FOURTH = "the"


def test_jumps_by_flag_question_and_silence(open_replay: Callable[..., Opened]) -> None:
    page, _ = open_replay()
    page.keyboard.press("s")  # the silence before the answer is too short to be worth a jump
    until_time(page, 9.0, 16.0)
    page.keyboard.press("q")
    until_time(page, ROUND_TRIP, ROUND_TRIP)
    page.keyboard.press("f")
    until_time(page, ROUND_TRIP + 15.0, ROUND_TRIP + 26.0)


def test_search_speed_and_region(open_replay: Callable[..., Opened]) -> None:
    page, _ = open_replay()
    page.keyboard.press("/")
    page.keyboard.type("forty minutes")
    page.get_by_text("1 of 2").wait_for()
    page.keyboard.press("Enter")
    page.get_by_text("2 of 2").wait_for()
    assert time_of(page) > ROUND_TRIP
    page.keyboard.press("Escape")
    page.get_by_label("Speed").select_option("2")
    assert page.evaluate("document.querySelector('.deck select').value") == "2"
    page.keyboard.press("l")
    page.wait_for_selector(".deck .tool[aria-pressed=true]")


def test_reading_elsewhere_ends_following(open_replay: Callable[..., Opened]) -> None:
    page, _ = open_replay(8)
    follow = page.get_by_role("button", name="Follow")
    assert follow.get_attribute("aria-pressed") == "true"
    page.locator(".transcript").hover()
    page.mouse.wheel(0, 600)
    page.wait_for_selector("button[aria-pressed=false] >> text=Follow")
    follow.click()
    assert follow.get_attribute("aria-pressed") == "true"


def test_notes_are_made_changed_undone_and_found_again(open_replay: Callable[..., Opened]) -> None:
    page, _ = open_replay(place="?t=12.0")
    page.get_by_role("tab", name="Notes").click()
    page.get_by_text("ask about the queue").wait_for()  # left while the session ran
    page.keyboard.press("n")
    page.keyboard.type("say it sooner")
    page.keyboard.press("Enter")
    note = page.locator(".notes .items li", has_text="say it sooner")
    note.wait_for()
    assert note.locator(".at").inner_text() == "0:12"
    note.get_by_role("button", name="Edit").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("say it first")
    page.keyboard.press("Enter")
    page.get_by_text("say it first").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("say it sooner").wait_for()
    page.get_by_role("button", name="Redo").click()
    page.get_by_text("say it first").wait_for()
    page.reload()
    page.get_by_role("tab", name="Notes").click()
    page.get_by_text("say it first").wait_for()


def test_a_word_is_corrected_and_the_correction_undone(open_replay: Callable[..., Opened]) -> None:
    page, _ = open_replay()
    page.get_by_text("capacity", exact=True).first.dblclick()
    page.get_by_role("dialog").get_by_role("textbox").fill("quota")
    page.keyboard.press("Enter")
    page.get_by_text("quota", exact=True).first.wait_for()
    page.keyboard.press("u")
    page.get_by_text("quota", exact=True).first.wait_for(state="detached")


def test_the_address_names_the_moment(open_replay: Callable[..., Opened]) -> None:
    page, name = open_replay(place="?t=30.5")
    until_time(page, 30.4, 30.6)
    page.get_by_text("nine", exact=True).last.click()
    page.keyboard.press("k")
    page.wait_for_url(re.compile(rf"#/replay/{name}\?t=(3[5-9]|4\d)\.\d$"))


def test_the_signals_are_guessed_before_they_are_told(open_replay: Callable[..., Opened]) -> None:
    page, _ = open_replay()
    page.get_by_role("tab", name="Signals").click()
    first = page.locator(".quiz .items li").first
    assert "meant" not in first.inner_text()
    first.get_by_role("button", name="on track").click()
    first.get_by_text("It meant off track.").wait_for()
    page.reload()
    page.get_by_role("tab", name="Signals").click()
    page.locator(".quiz .items li").first.get_by_text("It meant off track.").wait_for()


def test_takes_of_one_question_stand_side_by_side(housed: Housed, open_replay: Callable[..., Opened]) -> None:
    session(housed.recordings, 1, "We simply agreed in a joint meeting.", "2026-11-29T09:00:00Z")
    page, _ = open_replay()
    page.get_by_role("tab", name="Takes").click()
    page.locator(".take").nth(1).wait_for()
    assert "joint meeting" in page.locator(".take").nth(1).inner_text()
    again = page.get_by_role("link", name="Answer this question again").get_attribute("href")
    assert "question=question-1" in again


def test_an_export_is_a_download_and_a_deletion_can_be_undone(open_replay: Callable[..., Opened]) -> None:
    page, name = open_replay()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="WebVTT").click()
    assert download.value.suggested_filename == f"{name}.vtt"
    page.get_by_role("button", name="Delete the session").click()
    page.wait_for_url(re.compile("#/sessions"))
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(re.compile(f"#/replay/{name}"))


def test_a_session_of_75_minutes_is_fetched_in_pieces(housed: Housed, browsers: Browsers) -> None:
    name = session(housed.recordings, round(75 * 60 / ROUND_TRIP))
    page = browsers.page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{housed.origin}/#/replay/{name}")
    page.wait_for_selector(".turn.candidate [data-word]")
    page.wait_for_selector(".wave >> canvas", state="attached")
    shown = page.locator("[data-word]").count()
    assert 0 < shown < 40 * 40  # of 167 answers
    for url in asked:
        if "/transcript?" in url:
            start, end = (float(value) for value in re.findall(r"(?:from|to)=([\d.]+)", url))
            assert end - start <= 300
        if "/peaks?" in url:
            assert int(re.findall(r"points=(\d+)", url)[0]) <= MOST_POINTS
    page.get_by_label("Zoom").fill("60")
    page.locator(".transcript").hover()
    page.mouse.wheel(0, 1_000_000)  # as a reader does: what is played is followed no more
    page.wait_for_function(f"() => [...document.querySelectorAll('[data-word]')].some(span => span.word.start > {70 * 60})")


@pytest.mark.parametrize("how", [{"viewport": PHONE}, {"locale": "zh-CN"}])
def test_it_fits_a_phone_and_speaks_chinese(open_replay: Callable[..., Opened], how: dict[str, Any]) -> None:
    page, _ = open_replay(**how)
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if "locale" in how:
        assert page.evaluate("document.documentElement.lang") == "zh-CN"
        assert page.get_by_role("tab", name="复盘").is_visible()


def test_a_recording_that_speaks_at_once_shows_its_first_words(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    page.goto(f"{housed.origin}/#/replay/{spoken_at_once(housed.recordings)}")
    page.wait_for_selector(".turn.candidate [data-word='0']")
    assert page.locator(".turn.candidate [data-word='0']").inner_text() == "I"
    assert browsers.complaints == []


def test_words_that_do_not_come_are_said_to_be_missing_and_asked_for_again(housed: Housed, browsers: Browsers) -> None:
    name = session(housed.recordings, 1)
    page = browsers.page()
    page.route("**/transcript?*", lambda route: route.abort())
    page.goto(f"{housed.origin}/#/replay/{name}")
    page.locator(".turn.candidate").get_by_text("The server does not answer.").wait_for()
    page.unroute("**/transcript?*")
    page.locator(".turn.candidate").get_by_role("button", name="Try again").click()
    page.wait_for_selector(".turn.candidate [data-word]")


COUNTED = """
window.lookups = 0;
for (const name of ["querySelector", "querySelectorAll"]) {
  const real = Element.prototype[name];
  Element.prototype[name] = function (wanted) {
    window.lookups += wanted.includes("data-word");
    return real.call(this, wanted);
  };
}
"""
FOUND = """() => {
  const words = [...document.querySelectorAll("[data-word]")];
  const wanted = words.filter(({ textContent }) => ["forty", "minutes"].includes(textContent));
  return [wanted.length, wanted.filter(({ classList }) => classList.contains("m-hit")).length];
}"""


def test_marks_of_a_long_session_cost_a_row_only_its_own_words(housed: Housed, browsers: Browsers) -> None:
    exchanges = round(75 * 60 / ROUND_TRIP)
    name = session(housed.recordings, exchanges)
    context = browsers.context()
    context.add_init_script(COUNTED)
    page = browsers.page(context)
    page.goto(f"{housed.origin}/#/replay/{name}")
    page.wait_for_selector(".turn.candidate [data-word]")
    page.keyboard.press("/")
    page.keyboard.type("forty minutes")
    page.get_by_text(f"1 of {exchanges}").wait_for()
    shown, marked = page.evaluate(FOUND)
    assert shown == marked > 0
    page.locator(".transcript").hover()
    page.mouse.wheel(0, 1_000_000)  # as a reader does: what is played is followed no more
    page.wait_for_function(f"() => [...document.querySelectorAll('[data-word]')].some(span => span.word.start > {70 * 60})")
    later, marked = page.evaluate(FOUND)
    assert later == marked > 0
    assert page.evaluate("window.lookups") == 0  # it was one for each marked word, again for each row


def test_the_number_of_a_lane_is_what_is_drawn_on_it(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    page.goto(f"{housed.origin}/#/replay/{spoken_at_once(housed.recordings)}")
    page.wait_for_selector(".turn.candidate [data-word]")
    drawn = page.locator(".lane-labels button", has_text="silence").locator(".figures")
    assert drawn.inner_text() == "1"  # twelve seconds; the breath of half a second is not drawn


def test_no_heading_of_the_review_stands_over_nothing(open_replay: Callable[..., Opened]) -> None:
    page, _ = open_replay()
    page.wait_for_selector(".review .block")
    empty = page.evaluate(
        "[...document.querySelectorAll('.review .block')]"
        ".filter((block) => block.textContent === block.querySelector('h3').textContent).map((block) => block.textContent)"
    )
    assert empty == []


def test_the_button_of_an_open_menu_can_be_read_under_the_mouse(open_replay: Callable[..., Opened]) -> None:
    page, _ = open_replay(reduced_motion="reduce")
    page.get_by_role("button", name="Export").click()
    page.wait_for_function(
        "() => { const style = getComputedStyle(document.querySelector('.menu .button:hover[aria-expanded=true]'));"
        " const [a, b] = [style.color, style.backgroundColor].map((text) => text.match(/\\d+/g).slice(0, 3).map(Number));"
        " return a.reduce((sum, each, n) => sum + Math.abs(each - b[n]), 0) > 300; }"
    )


def test_a_chinese_page_names_the_interviewer_as_the_session_did(open_replay: Callable[..., Opened]) -> None:
    page, _ = open_replay(locale="zh-CN")
    persona = load_content("gpu-hm-screen").round.persona.name
    assert persona["zh"] != persona["en"]
    page.wait_for_selector(".review .block")
    told = page.locator("main").inner_text()
    assert persona["en"] in told
    assert persona["zh"] not in told
