"""Pipeline packages for tests: a workflow that sleeps, works, or fails as its configuration says."""

import json
from typing import Any

from seqfacility_instance.pipelines.service import bundled_payloads
from seqfacility_pipeline_package.payload import payload_digest

SLEEPER = "sleeper"

_SNAKEFILE = """\
from pathlib import Path

OUT = Path(config["outdir"])

rule all:
    input: OUT / "done.txt"

rule work:
    output: OUT / "done.txt"
    params: seconds=config["seconds"], code=config["code"]
    shell: "sleep {params.seconds}; echo complaint >&2; echo done > {output:q}; exit {params.code}"
"""


def sleeper(version: str = "1.0.0") -> dict[str, Any]:
    """Make a package whose one task sleeps `seconds` and ends with `code`; its output is `done.txt`."""
    (content,) = [body for name, body in bundled_payloads().items() if name.startswith("simulate-reads")]
    payload: dict[str, Any] = json.loads(content)
    payload |= {"id": SLEEPER, "version": version, "parsers": {}, "scripts": {}}
    payload["workflow"] = {"workflow/Snakefile": _SNAKEFILE}
    payload["definition"] = {
        "pipeline": SLEEPER,
        "steps": [
            {
                "id": "work",
                "name": "Work",
                "description": "Sleeps.",
                "dependsOn": [],
                "processMatchers": [{"kind": "exact", "value": "work"}],
            }
        ],
    }
    payload["manifest"]["package"] |= {"id": SLEEPER, "version": version, "name": "Sleeper"}
    payload["manifest"]["outputs"] = [
        {"id": "done", "label": "Done", "pattern": "done.txt", "destination": "artifact", "primary": True}
    ]
    payload["registry"] |= {
        "id": SLEEPER,
        "name": "Sleeper",
        "configSchema": {
            "type": "object",
            "properties": {"seconds": {"type": "number"}, "code": {"type": "integer"}},
            "additionalProperties": False,
        },
        "defaultConfig": {"seconds": 0, "code": 0},
    }
    payload["sha256"] = payload_digest(payload)
    return payload
