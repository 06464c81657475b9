"""What was taken in for a session: a CV's claims and a job's demands. Kept with the session, so that a replay asks the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from voiceprep.errors import BadInputError
from voiceprep.intake.claims import Claim, find_claims
from voiceprep.intake.demands import Demand, backed, find_demands
from voiceprep.intake.document import Document, read_document
from voiceprep.intake.lexicon import Lexicon, load_lexicon
from voiceprep.intake.ranking import ranked

SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The file that something was read from: its name without a folder, and the sha256 of its bytes."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Everything that later decisions rest on. The files themselves are not part of it.

    Attributes:
        claims: most worth probing first.
        demands: in the order of the job description.
    """

    schema: int = SCHEMA
    cv: Origin | None = None
    job: Origin | None = None
    claims: tuple[Claim, ...] = ()
    demands: tuple[Demand, ...] = ()


_SHAPE = TypeAdapter(Intake)


def take_in(cv: Path | None, job: Path | None, lexicon: Lexicon | None = None) -> Intake:
    """Read a CV and a job description, either of which may be missing. Raises BadInputError (see `read_document`)."""
    lexicon = lexicon or load_lexicon()
    about_me = read_document(cv) if cv is not None else None
    about_job = read_document(job) if job is not None else None
    demands = find_demands(about_job.lines, lexicon) if about_job is not None else ()
    if about_me is None:
        return Intake(job=_origin(about_job), demands=demands)
    demands = backed(demands, about_me.lines, lexicon)
    claims = ranked(find_claims(about_me.lines, lexicon), demands, lexicon)
    return Intake(cv=_origin(about_me), job=_origin(about_job), claims=claims, demands=demands)


def _origin(document: Document | None) -> Origin | None:
    return Origin(name=document.name, sha256=document.sha256) if document is not None else None


def as_document(intake: Intake) -> dict[str, Any]:
    """As JSON: what intake.json holds."""
    document: dict[str, Any] = json.loads(json.dumps(asdict(intake)))
    return document


def from_document(document: Mapping[str, Any] | bytes, where: str) -> Intake:
    """The intake of such a JSON document. Raises BadInputError (`bad-intake`), `where` being the file that it names."""
    try:
        text = document if isinstance(document, bytes) else json.dumps(document)
        intake = _SHAPE.validate_json(text)
    except (ValidationError, ValueError) as error:
        raise BadInputError(
            f"{where} is damaged", code="bad-intake", hint="Take it away with: voiceprep intake --forget SESSION"
        ) from error
    if intake.schema != SCHEMA:
        raise BadInputError(
            f"{where} has schema {intake.schema}, which this version does not know", code="bad-intake", hint="Update voiceprep"
        )
    return intake
