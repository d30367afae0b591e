"""Where the events and the trace of one run go, read from the hidden file in its run folder."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

TARGET_VARIABLE = "SEQFACILITY_EVENTS_FILE"


@dataclass(frozen=True, slots=True)
class EventsTarget:
    """The run's name and session, its trace file, and the weblog with its token; `url` "" posts nothing."""

    run_name: str
    session_id: str
    trace: Path
    url: str = ""
    token: str = field(default="", repr=False)


def find_target(environment: Mapping[str, str]) -> EventsTarget | None:
    """Read the file that the environment names; None when there is none or it is not one.

    The token travels in that file, which only its owner can read, because a
    command line and an environment can be read by others. Decision: G170.
    """
    path = environment.get(TARGET_VARIABLE)
    if not path:
        return None
    try:
        document: object = json.loads(Path(path).read_bytes())
    except (OSError, ValueError):
        return None
    match document:
        case {
            "runName": str(run_name),
            "sessionId": str(session_id),
            "trace": str(trace),
            "url": str(url),
            "token": str(token),
        }:
            return EventsTarget(run_name, session_id, Path(trace), url, token)
        case _:
            return None
