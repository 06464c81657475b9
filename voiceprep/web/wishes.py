"""What a page's hello asks to be held, as a plan."""

from __future__ import annotations

from dataclasses import replace

from voiceprep.content import round_ids
from voiceprep.errors import UsageError
from voiceprep.live.going_on import plan_to_go_on
from voiceprep.live.plan import Plan
from voiceprep.web.drills import take_plan
from voiceprep.web.loops import next_of
from voiceprep.web.protocol import Hello
from voiceprep.web.services import Services


def planned(served: Services, hello: Hello) -> Plan:
    """The plan.

    Raises UsageError: no such round, drill, loop or question, or no session to go on with; or BadInputError: files are bad.
    """
    take = take_plan(served.places, hello)
    if take is not None:
        plan = Plan("", take=take)
    elif hello.resumes is not None:
        plan, _ = plan_to_go_on(served.places.recordings, hello.resumes)
    elif hello.loop is not None:
        plan = next_of(served, hello)
    else:
        if hello.round not in round_ids():
            raise UsageError("there is no such round", code="unknown-round")
        plan = Plan(hello.round, severity=hello.severity, lens=hello.lens or "", question=hello.question or "")
    return replace(plan, browser=hello.audio == "browser")
