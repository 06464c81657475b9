"""`voiceprep drill [ID]`: one skill at a time, by voice and against the clock, with the result at once."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from voiceprep.cli import practice
from voiceprep.cli.output import console, messages, print_json

if TYPE_CHECKING:  # heavy: numpy and the sound libraries come with them, and `--help` needs none
    from voiceprep.config import Places, Settings
    from voiceprep.content.drill_content import TakePlan
    from voiceprep.live.drill import Held
    from voiceprep.review.takes import Suggestion
    from voiceprep.speech.stt.base import Recogniser
    from voiceprep.store.drills import Kept
    from voiceprep.store.schedule import Grade

KEYS = "Enter: my answer is finished    p: pause    l: later (voiceprep drill ID --resume)    q: end"

DrillId = Annotated[
    str | None,
    typer.Argument(metavar="[ID]", help="A drill's id. Without one, all drills are listed by round, with what is due."),
]
Prompt = Annotated[
    int | None, typer.Option(metavar="N", help="Which of the drill's prompts; else the one after the last take's.")
]
Retake = Annotated[bool, typer.Option("--retake", help="The prompt of the last take once more.")]
Resume = Annotated[bool, typer.Option("--resume", help="Take up the take that was broken off, where it stopped.")]
DueOnly = Annotated[bool, typer.Option("--due", help="List only what is due, the most overdue first; questions of rounds too.")]
ForRound = Annotated[str | None, typer.Option("--round", metavar="ROUND", help="List only the drills of this round.")]
Rate = Annotated[
    str | None,
    typer.Option(
        metavar="again|hard|good|easy", help="How the drill's last take went in your own view: it decides when it is due."
    ),
]


def drill(
    drill_id: DrillId = None,
    mic: practice.Mic = None,
    speaker: practice.Speaker = None,
    lang: practice.Lang = None,
    stt: practice.Stt = None,
    mode: practice.Mode = None,
    voice: practice.Voice = None,
    device: practice.Device = None,
    headphones: practice.Headphones = False,
    duplex: practice.Duplex = None,
    pace: practice.Pace = "live",
    prompt: Prompt = None,
    retake: Retake = False,
    resume: Resume = False,
    due: DueOnly = False,
    for_round: ForRound = None,
    rate: Rate = None,
    json: practice.AsJson = False,
) -> None:
    """Practise one skill against the clock, or list the drills there are.

    The prompt is spoken, you answer aloud, the time that is left stands large on the screen. The result comes at once, with
    your own words; one key holds the same prompt again. Your clock begins with your first word, or where the prompt ends if
    you talk over it. Every take is kept like a session.

    Example: voiceprep drill headline-30 --lang zh
    """
    from voiceprep import config
    from voiceprep.errors import UsageError

    if pace not in {"live", "fast"}:
        raise UsageError(f"--pace {pace} is neither live nor fast", code="bad-setting")
    settings = config.load().with_arguments(
        microphone=mic,
        speaker=speaker,
        language=lang,
        stt=stt,
        mode=mode,
        voice=voice,
        device=device,
        duplex="full" if headphones else duplex,
    )
    places = config.places()
    if drill_id is None:
        if prompt is not None or retake or resume or rate is not None:
            raise UsageError("that needs a drill's id", code="bad-setting", hint="voiceprep drill lists them")
        from voiceprep.cli.drill_list import list_drills

        list_drills(places, settings["language"], for_round, due_only=due, as_json=json)
        return
    if rate is not None:
        _overrule(places, drill_id, rate)
        return
    if sum((prompt is not None, retake, resume)) > 1:
        raise UsageError("--prompt, --retake and --resume exclude each other", code="bad-setting")
    try:
        asyncio.run(_drill(_Wanted(drill_id, prompt, retake, resume, pace, json), settings, places))
    except asyncio.CancelledError:  # a polite kill while things were still being prepared
        raise KeyboardInterrupt from None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the command line asks for besides the settings."""

    drill: str
    prompt: int | None
    retake: bool
    resume: bool
    pace: Any
    as_json: bool


# --- holding takes --------------------------------------------------------------------------------------------------------


async def _drill(wanted: _Wanted, settings: Settings, places: Places) -> None:
    """Takes, one after the other, until the user has enough: only people at a terminal are asked."""
    from voiceprep.cli.stage import preparing
    from voiceprep.content.drill_content import drill_content
    from voiceprep.live.drill import new_take, retake, taken_up
    from voiceprep.speech.stt.opening import open_recogniser

    practice.end_politely()
    tell, progress = messages(), preparing()
    practice.recover_sessions(places)
    if wanted.resume:
        plan = taken_up(places, wanted.drill)
    elif wanted.retake:
        plan = retake(places, wanted.drill)
    else:
        plan = new_take(places, wanted.drill, wanted.prompt)
        _offer_resume(places, wanted.drill, tell)
    drill_content(plan)  # a prompt that is not there is told before anything is opened
    settings = practice.quiet_where_nothing_sounds(settings, wanted.pace, tell)
    asks = sys.stdin.isatty() and sys.stdout.isatty() and not wanted.as_json
    recogniser = await open_recogniser(settings, places, lambda what, _share: progress(what)) if asks else None
    try:
        following: TakePlan | None = plan
        while following is not None:
            held = await _take(following, wanted, settings, places, progress, recogniser)
            following = await _after(held, following, settings, places, wanted, asks=asks)
    finally:
        if recogniser is not None:
            await recogniser.close()


async def _take(
    plan: TakePlan, wanted: _Wanted, settings: Settings, places: Places, progress: Any, recogniser: Recogniser | None
) -> Held:
    from voiceprep.cli.stage import watching
    from voiceprep.live.drill import hold
    from voiceprep.live.plan import Brought, Plan

    with contextlib.ExitStack() as stack:
        row = KEYS.replace("ID", plan.drill)
        watch = watching(stack, settings, row, lambda session: {"l": lambda: session.stop("paused")}, quiet=wanted.as_json)
        return await hold(
            Plan("", wanted.pace, take=plan), settings, places, watch, progress, brought=Brought(recogniser=recogniser)
        )


async def _after(
    held: Held, plan: TakePlan, settings: Settings, places: Places, wanted: _Wanted, *, asks: bool
) -> TakePlan | None:
    """Tell what came of the take; returns the take that is to follow, if any."""
    from voiceprep.cli.drill_result import page, side_by_side
    from voiceprep.review.take_documents import comparison_document, result_document, suggestion_document

    kept = held.kept
    compared, suggested = _around(kept, places)
    if wanted.as_json:
        print_json(
            {"session": held.result.session, "folder": str(held.result.folder), "ended": held.result.ended}
            | {"drill": plan.drill, "prompt": plan.prompt, "result": result_document(kept)}
            | {"comparison": comparison_document(compared) if compared is not None else None}
            | {"next": [suggestion_document(one) for one in suggested[:3]]}
        )
        return None
    out = console()
    out.print()
    out.print(page(kept))
    if compared is not None:
        out.print()
        out.print(side_by_side(compared))
    if kept.complete and kept.result.passed is False:
        console().print(f"once more: voiceprep drill {kept.result.drill} --retake", markup=False, soft_wrap=True)
    _tell_next(suggested, settings["language"])
    out.print(f"  kept in {held.result.folder}", style="dim", soft_wrap=True, markup=False)
    if not asks or held.result.ended == "audio-ended":
        return None
    key = await _asked(suggested)
    if key == "r":
        return replace(plan, brief=True, resumes="", step="", used=0.0)
    if key == "n" and suggested:
        from voiceprep.live.drill import new_take

        return new_take(places, suggested[0].drill)
    return None


def _around(kept: Kept, places: Places) -> tuple[Any, list[Suggestion]]:
    """The comparison with the take before of the same prompt, and what is worth doing next."""
    from voiceprep.content.drills import load_drills
    from voiceprep.review.questions import schedule_of
    from voiceprep.review.takes import compare, kept_takes, suggest, take_before

    known = kept_takes(places.recordings)
    before = take_before(known, kept)
    compared = compare(before, kept) if before is not None and kept.complete else None
    due = schedule_of(places.recordings)
    suggested = suggest(list(load_drills().values()), known, due, datetime.now(UTC), but=kept.result.drill)
    return compared, suggested


def _tell_next(suggested: list[Suggestion], language: Any) -> None:
    from voiceprep.content.committee import load_committee
    from voiceprep.content.drills import load_drill
    from voiceprep.core.pack import tongue_of

    if not suggested:
        return
    first, names = suggested[0], load_committee()
    lacked = dict.fromkeys(name for one in first.what if (name := names.called(one, "en")))  # a drill's own cue has no name
    why = {
        "missing": f"it trains what was missing{': ' if lacked else ''}{', '.join(lacked)}",
        "failed": "it did not go well the last time",
        "due": "it is due",
        "new": "you have not held it yet",
    }[first.why]
    title = load_drill(first.drill).title[tongue_of(language)]
    console().print(f"next: {first.drill} ({title}): {why}", markup=False, soft_wrap=True)


async def _asked(suggested: list[Suggestion]) -> str:
    """The key that the user presses: r, n or anything else."""
    import click

    offers = ["r: the same prompt again"] + (["n: the next drill"] if suggested else []) + ["any other key: enough"]
    console().print(f"[bold]{'    '.join(offers)}[/]")
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        return (await asyncio.to_thread(click.getchar)).lower()
    return ""


def _offer_resume(places: Places, drill_id: str, tell: Any) -> None:
    from voiceprep.live.drill import broken_off

    if broken_off(places, drill_id) is not None:
        tell.print(f"… the last take was broken off; voiceprep drill {drill_id} --resume takes it up again", style="dim")


# --- the user's own grade -------------------------------------------------------------------------------------------------


def _overrule(places: Places, drill_id: str, grade: str) -> None:
    from voiceprep.content.drills import load_drill
    from voiceprep.errors import UsageError
    from voiceprep.review.questions import schedule_of
    from voiceprep.store.drills import takes
    from voiceprep.store.practice_log import Overruled, state
    from voiceprep.store.schedule import Grade, drill_item

    if grade not in get_args(Grade):
        raise UsageError(f"--rate {grade} is no grade", code="bad-setting", hint=f"choose one of: {', '.join(get_args(Grade))}")
    load_drill(drill_id)
    mine = takes(places.recordings, drill_id)
    if not mine:
        raise UsageError(
            f"there is no take of {drill_id} yet", code="no-take", hint=f"Hold one with: voiceprep drill {drill_id}"
        )
    item, chosen = drill_item(drill_id), _grade(grade)
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    state(places.recordings, Overruled(at=moment, session=mine[-1].path.name, item=item, grade=chosen))
    standing = schedule_of(places.recordings).get(item)
    console().print(
        f"{mine[-1].path.name}: {grade}" + (f", due {standing.due[:10]}" if standing is not None else ""), markup=False
    )


def _grade(given: str) -> Grade:
    from voiceprep.store.schedule import GRADES

    return next(grade for grade in GRADES if grade == given)
