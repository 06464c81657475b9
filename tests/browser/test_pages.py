"""Every view: it opens without a complaint, is fit for a screen reader (axe), fits a phone, speaks Chinese, obeys keys."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bench.long_session import empty
from tests.browser.archive import PERSONA, ROUND, session, spoken_at_once
from tests.browser.conftest import LAPTOP, PHONE, SLOW, Browsers, Housed, sound
from tests.review.test_recording import interview
from tests.web.test_own_voice import ALONE, MIDDLE, hears
from tests.web.test_recordings import Slow, opens
from voiceprep.content.drills import load_drills
from voiceprep.speech.speakers.apart import Voice

__all__ = ["opens"]

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = {
    "start": ("", ".programme li"),
    "round": ("round/gpu-technical", ".desk-card"),
    "loop": ("loops/gpu", ".ladder li"),
    "sound check": ("check", ".steps"),
    "drills": ("drills", ".drills li"),
    "sessions": ("sessions", ".sessions tbody tr"),
    "progress": ("progress", "h1"),
    "settings": ("settings", ".settings table"),
    "replay": ("replay/{session}", ".turn.candidate [data-word]"),
}
SERIOUS = {"serious", "critical"}


def show(housed: Housed, page: Any, name: str) -> None:
    path, there = VIEWS[name]
    made = session(housed.recordings)
    page.goto(f"{housed.origin}/#/{path.format(session=made)}")
    page.wait_for_selector(there)


SETTLED = """async (scheme) => {
  const frame = () => new Promise((go) => requestAnimationFrame(go));
  while (!matchMedia(`(prefers-color-scheme: ${scheme})`).matches) await frame();
  const changing = () => document.getAnimations().some((one) => one instanceof CSSTransition);
  for (let still = 0; still < 2; still = changing() ? 0 : still + 1) await frame();
}"""
"""All of the page is in this scheme. On a busy machine it takes some frames, with one colour of the old and one of the new."""


def dressed(page: Any, scheme: str) -> None:
    """The page in the light or the dark scheme, at rest."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate(SETTLED, scheme)


def findings(page: Any) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for each in found["violations"]
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


def test_nothing_is_shown_before_its_words_are_there(housed: Housed, browsers: Browsers) -> None:
    """The masthead asked how far loading is, and had the answer before the words: "ready.title" stood in it."""
    page = browsers.page()
    page.add_init_script(
        """{
          const own = fetch;
          window.fetch = async (...asked) => {
            if (String(asked[0]).includes("i18n")) await new Promise((go) => (window.words = go));
            return own(...asked);
          };
        }"""
    )
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{housed.origin}/#/drills")
    page.wait_for_function("Boolean(window.words)")
    assert not any("/api/" in url for url in asked), "what has no words yet need not be known"
    page.evaluate("window.words()")
    page.wait_for_selector(".drills li")
    assert any("/api/ready" in url for url in asked)


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (tools/setup.sh --tests installs it by npm)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_view_has_a_serious_finding(housed: Housed, browsers: Browsers, scheme: str) -> None:
    page = browsers.page(color_scheme=scheme, reduced_motion="reduce")
    found = {}
    for name in VIEWS:
        show(housed, page, name)
        found[name] = findings(page)
    assert found == {name: [] for name in VIEWS}


def test_every_view_opens_without_a_complaint_fits_a_phone_and_speaks_chinese(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page(viewport=PHONE, locale="zh-CN")
    for name in VIEWS:
        show(housed, page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
        assert page.evaluate("document.documentElement.lang") == "zh-CN"
        assert page.locator("nav [aria-current=page]").count() == 1, name
    assert browsers.complaints == []


def test_language_and_light_are_chosen_and_remembered(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    show(housed, page, "start")
    page.get_by_role("button", name="中文: switch the page to Chinese").click()
    page.get_by_role("heading", name="先开口，再上场。").wait_for()
    page.get_by_role("button", name="跟随系统，点击切换").click()
    page.get_by_role("button", name="浅色，点击切换").click()
    page.reload()
    page.get_by_role("heading", name="先开口，再上场。").wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_the_keyboard_reaches_a_round_and_the_sheet_of_keys(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    show(housed, page, "start")
    page.keyboard.press("?")
    page.get_by_role("heading", name="Keys").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Hiring manager screen, GPU scheduling", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".desk-card")
    assert page.get_by_role("link", name="Begin").get_attribute("href").startswith("#/live?round=gpu-hm-screen")


def test_first_visit_begins_with_the_sound(housed: Housed, browsers: Browsers) -> None:
    context = browsers.context()
    context.add_init_script("localStorage['voiceprep.prefs'] = '{}'")
    page = browsers.page(context)
    page.goto(housed.origin)
    page.get_by_role("link", name="Check the sound").click()
    page.get_by_role("button", name="Record ten seconds").click()
    page.locator("audio").wait_for()
    page.locator(".checks li").first.wait_for()


def test_the_sound_check_knows_a_voice_and_forgets_it(
    housed: Housed, browsers: Browsers, monkeypatch: pytest.MonkeyPatch
) -> None:
    hears(monkeypatch, Voice(MIDDLE, 12.0, ALONE))
    page = browsers.page(flags=browsers.microphone(sound((1.0, True)), loop=True))
    show(housed, page, "sound check")

    def talk() -> None:
        page.get_by_role("button", name="Talk for fifteen seconds").click()
        page.get_by_role("button", name=re.compile(r"^\d+ s$")).click()  # pressed again, it is enough

    talk()
    page.get_by_text("Your voice is known.").wait_for()
    page.reload()
    page.get_by_text("Your voice is known.").wait_for()
    hears(monkeypatch, Voice(MIDDLE, 2.0, ALONE))
    talk()
    page.get_by_text("Too little speech was heard").wait_for()  # and the one that was kept may still be forgotten
    page.get_by_role("button", name="Forget it").click()
    page.get_by_text("Nothing is kept of it any more.").wait_for()
    page.reload()
    page.get_by_role("button", name="Talk for fifteen seconds").wait_for()
    assert page.get_by_text("Your voice is known.").count() == 0


def test_a_server_that_is_gone_is_said(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    show(housed, page, "start")
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_role("link", name="Sessions").click()
    page.get_by_text("The server does not answer.").wait_for()
    page.unroute("**/api/**")
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(".sessions tbody tr")


def test_the_list_deletes_and_undoes_and_takes_a_recording_in(
    housed: Housed, browsers: Browsers, opens: Slow, tmp_path: Path
) -> None:
    page = browsers.page()
    show(housed, page, "sessions")
    page.get_by_role("button", name="Delete").first.click()
    page.locator(".sessions tbody tr").first.wait_for(state="detached")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(".sessions tbody tr")
    page.get_by_role("button", name="Delete").first.click()
    page.get_by_role("heading", name="Deleted").wait_for()
    page.reload()  # the word of ten minutes holds for a page that was loaded anew, too
    page.get_by_role("button", name="Bring it back").click()
    page.wait_for_selector(".sessions tbody tr")
    assert page.get_by_role("heading", name="Deleted").count() == 0
    page.get_by_role("button", name="Analyse a recording").click()
    choose, begin = page.get_by_label("A recording of an interview"), page.get_by_role("button", name="Analyse it")
    choose.set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no sound at all" * 100})
    begin.click()
    page.locator("form.send").get_by_text("the recording is not an audio file").wait_for()  # in the form, which is still open
    assert all("400" in each and "/api/recordings" in each for each in browsers.complaints)
    browsers.complaints.clear()
    opens.may.clear()
    page.locator(".send select").nth(2).select_option("gpu-hm-screen")
    page.locator(".send select").nth(3).select_option("recent-project")
    choose.set_input_files(interview(tmp_path))
    begin.click()
    page.get_by_text("Looking for who speaks").wait_for()
    assert opens.asked.wait(SLOW / 1000)
    page.reload()  # it is the server's work: another page shows it too
    page.get_by_role("progressbar", name="Progress of the analysis").wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Stopping at the next step").wait_for()
    opens.may.set()
    choose.set_input_files(interview(tmp_path))
    begin.click()
    page.wait_for_selector(".turn.candidate")
    assert "#/replay/" in page.url
    first = page.url
    page.get_by_role("button", name="I am the other one").click()
    page.get_by_text("Swapped.").wait_for()
    assert page.url != first
    page.wait_for_load_state("networkidle")  # what the undo takes away is not asked for any more
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(first)
    assert browsers.complaints == []


MISPLACED = """() => {
  const seen = (element) => [element, element.getBoundingClientRect()];
  const boxes = (what) => [...document.querySelectorAll(what)].map(seen).filter(([, box]) => box.width > 2 && box.height > 2);
  const controls = boxes("#main :is(select, .button, .switch, input:not([type=radio]))");
  const clipped = (each) => each && (getComputedStyle(each).overflowX !== "visible" || clipped(each.parentElement));
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return {
    out: controls.filter(([control, box]) => box.right > innerWidth + 1 && !clipped(control.parentElement))
      .map(([control]) => control.outerHTML.slice(0, 90)),
    over: boxes("#main h2").filter(([, a]) => controls.some(([, b]) => meet(a, b))).map(([head]) => head.textContent),
  };
}"""


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP])
def test_no_control_ends_outside_the_screen_or_lies_under_a_heading(
    housed: Housed, browsers: Browsers, viewport: dict[str, int]
) -> None:
    page = browsers.page(viewport=viewport)
    session(housed.recordings, 1)
    spoken_at_once(housed.recordings)
    for name in VIEWS:
        show(housed, page, name)
        assert page.evaluate(MISPLACED) == {"out": [], "over": []}, name
    show(housed, page, "settings")
    heading = page.get_by_role("heading", name="What leaves this machine").bounding_box()
    switch = page.locator(".preferences .switch").last.bounding_box()
    assert heading["y"] >= switch["y"] + switch["height"] + 16


def test_the_settings_are_explained_in_chinese(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page(locale="zh-CN")
    show(housed, page, "settings")
    rows = page.locator(".settings tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    assert rows
    broken = """cells => cells.filter((cell) => {
      const all = document.createRange();
      all.selectNodeContents(cell);
      return all.getClientRects().length > 1;
    }).length"""
    assert page.locator(".settings .origin").evaluate_all(broken) == 0
    assert [row for row in rows if not all(any("\u4e00" <= sign <= "\u9fff" for sign in row[n]) for n in (2, 3))] == []


def test_an_address_or_a_session_that_is_not_there_is_said_in_the_language_of_the_page(
    housed: Housed, browsers: Browsers
) -> None:
    page = browsers.page(locale="zh-CN")
    for place, said in (("nonsense", "没有这个页面。"), ("round/xyz", ""), ("replay/xyz", "没有这次记录。")):
        page.goto(f"{housed.origin}/#/{place}")
        page.wait_for_function("said => document.querySelector('.trouble')?.innerText.includes(said)", arg=said)
        assert "The latest" not in page.locator(".trouble").inner_text()
        assert page.get_by_role("button", name="再试一次").count() == 0  # it would not be there the second time either
    page.get_by_role("link", name="回到首页").click()
    page.wait_for_selector(".programme li")


def test_a_round_lists_every_drill_that_trains_it(housed: Housed, browsers: Browsers) -> None:
    wanted = sum("gpu-hm-screen" in drill.rounds for drill in load_drills().values())
    assert wanted > 6
    page = browsers.page()
    page.goto(f"{housed.origin}/#/round/gpu-hm-screen")
    page.wait_for_selector(".beneath li")
    assert page.locator(".beneath li").count() == wanted


def test_a_round_that_broke_off_is_offered_where_one_looks(housed: Housed, browsers: Browsers) -> None:
    session(housed.recordings, 1)
    left = empty(housed.recordings, ROUND, PERSONA, "2026-11-30T12:00:00Z")
    left.close("interrupted")
    page = browsers.page()
    for place, card in (("", ".next"), (f"round/{ROUND}", ".desk-card")):
        page.goto(f"{housed.origin}/#/{place}")
        on = page.locator(card).get_by_role("link", name="Go on with it").get_attribute("href")
        assert f"resumes={left.path.name}" in on
        assert "It goes on where it stopped." in page.locator(card).inner_text()
    page.goto(f"{housed.origin}/#/round/gpu-technical")
    page.wait_for_selector(".desk-card [href*='round=gpu-technical']")
    assert page.get_by_role("link", name="Go on with it").count() == 0


def test_what_was_held_since_takes_the_place_of_a_round_that_broke_off(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    page.goto(housed.origin)
    left = {"id": "left", "round": ROUND, "ended": "interrupted", "goes_on": True, "models": {"voice": "dana"}}
    held = left | {"id": "held", "ended": "completed", "goes_on": False}
    cases = [
        [left],
        [held, left],
        [left, held],
        [held | {"demonstration": True}, left],
        [held | {"models": {}}, left],  # a recording that was analysed
        [held | {"round": "", "drill": "headline-30"}, left],
        [held | {"ended": ""}, left],  # it runs
        [],
    ]
    found = page.evaluate(
        """async (cases) => {
          const { leftOff } = await import("/static/js/parts.js");
          return cases.map((each) => leftOff(each)?.id ?? null);
        }""",
        cases,
    )
    assert found == ["left", None, "left", "left", "left", "left", "left", None]


def test_the_next_round_is_of_the_company_that_was_practised_last(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    show(housed, page, "start")  # with a session of gpu-hm-screen
    assert page.locator(".next").get_by_role("link").get_attribute("href") == "#/round/gpu-technical"


def test_a_chart_keeps_within_its_figure_and_is_none_without_a_value(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page(locale="zh-CN")
    page.goto(housed.origin)
    page.wait_for_selector(".programme li")
    chinese, english = "三十秒先给结论，然后停，二十五个字正好放得下一行字", "Stop within thirty seconds of it, then yield"
    names = [chinese, chinese * 2, english, english * 2, "MMMM with forty GPUs " * 3]
    outside, drawn, said = page.evaluate(
        """async (names) => {
          const { barChart, lineChart } = await import("/static/js/charts/chart.js");
          const rows = names.map((name) => ({ name, value: 96 }));
          const bars = barChart({ title: "t", now: "1:36", rows, format: String });
          const points = [{ at: "2026-11-30T09:00:00Z", value: null }];
          const none = lineChart({ title: "t", points, low: 0, high: 4, ticks: [], none: "时间太短" });
          const grid = document.createElement("div");
          grid.className = "figures-grid";
          grid.append(bars, none);
          document.querySelector("#main").replaceChildren(grid);
          const edge = bars.getBoundingClientRect();
          const out = [...bars.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().right > edge.right + 1);
          const drawn = none.querySelectorAll("svg").length;
          return [out.map((text) => text.textContent), drawn, none.querySelector("p").textContent];
        }""",
        names,
    )
    assert (outside, drawn, said) == ([], 0, "时间太短")
