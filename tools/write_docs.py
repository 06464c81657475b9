"""Write docs/protocol.md from the event types and docs/configuration.md from the settings, so that they cannot differ.

    python tools/write_docs.py

tests/test_docs.py compares them.
"""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path

from voiceprep import config
from voiceprep.core import events
from voiceprep.store.header import Header

DOCS = Path(__file__).resolve().parent.parent / "docs"

PROTOCOL = """# Protocol: every event

Written by `python tools/write_docs.py` from `voiceprep/core/events.py`; a test keeps it so.

A session's log (`events.jsonl`) has one event a line, as JSON with `kind` and `at` first. `at` is the session clock in
seconds and never decreases; `media`, `start` and `end` are seconds from the first sample of the candidate's recording. The
first line is the header.

Facts come up from the world, the conductor turns them into decisions and commands, and every command is answered by exactly
one fact whose `of` is the command's `id` (its own answer, or `EdgeFailed`). `PauseSpeaking`, `ResumeSpeaking` and
`StopSpeaking` have none of their own: they change how the `Speak` they name goes on. Feeding the facts of a log through a
fresh conductor, made from its header, gives the same log.
"""


CONFIGURATION = """# Settings

Written by `python tools/write_docs.py` from the table in `voiceprep/config.py`; a test keeps it so.

A value is looked for in this order, the later winning: the default, `config.toml` in voiceprep's home, the environment, the
command line.

```
# config.toml
language = "zh"
duplex = "full"
```

`VOICEPREP_HOME` moves everything voiceprep keeps: recordings, models, rendered lines, logs. Without it, a checkout keeps models
and caches in `.voiceprep/` and sessions in `recordings/`; an installed package uses the user's data folder.
`VOICEPREP_RECORDINGS` moves the recordings alone.

| in config.toml | in the environment | default | what it does |
|---|---|---|---|
"""


def protocol() -> str:
    parts = [PROTOCOL, _section("The header", [("Header", Header)])]
    for title, kind in (("Facts", events.Fact), ("Decisions", events.Decision), ("Commands", events.Command)):
        parts.append(_section(title, [(name, each) for name, each in events.KINDS.items() if issubclass(each, kind)]))
    parts.append(_section("Values inside events", [("Word", events.Word), ("Evidence", events.Evidence)]))
    return "\n".join(parts)


def _section(title: str, kinds: list[tuple[str, type]]) -> str:
    lines = [f"## {title}\n"]
    for name, kind in kinds:
        text = " ".join((inspect.getdoc(kind) or "").split("\n\nAttributes:")[0].split())
        fields = ", ".join(f"`{f.name}`: {f.type}" for f in dataclasses.fields(kind) if f.name != "at")
        lines.append(f"**{name}** — {text}  \n{fields}\n")
    return "\n".join(lines)


def configuration() -> str:
    rows = []
    for row in config.TABLE:
        default = f"`{row.default}`" if row.default != "" else "(none)"
        choices = f": {', '.join(row.choices)}" if row.choices and row.choices[0] not in row.help else ""
        rows.append(f"| `{row.name}` | `VOICEPREP_{row.name.upper()}` | {default} | {row.help}{choices} |\n")
    return CONFIGURATION + "".join(rows)


def main() -> None:
    for name, text in (("protocol.md", protocol()), ("configuration.md", configuration())):
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"wrote docs/{name}")


if __name__ == "__main__":
    main()
