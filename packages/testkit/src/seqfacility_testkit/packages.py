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


PARTS = 5
HALTING_PART = 3
_PARTS_SNAKEFILE = f"""\
from pathlib import Path

OUT = Path(config["outdir"])
RUN = OUT.parent

rule all:
    input: OUT / "done.txt"

rule part:
    output: OUT / "parts" / "{{n}}.txt"
    shell:
        "echo {{wildcards.n}} >> {{RUN}}/ledger.txt; "
        "if [ {{wildcards.n}} = {HALTING_PART} ]; then "
        "test ! -e {{RUN.parent}}/fail || exit 9; while [ -e {{RUN.parent}}/hold ]; do sleep 0.1; done; fi; "
        "echo done > {{output:q}}"

rule work:
    input: expand(OUT / "parts" / "{{n}}.txt", n=range({PARTS}))
    output: OUT / "done.txt"
    shell: "echo all >> {{RUN}}/ledger.txt; cat {{input:q}} > {{output:q}}"
"""


def parts() -> dict[str, Any]:
    """Make a package whose tasks write into `ledger.txt` of the run folder that they were begun.

    The part `HALTING_PART` fails while the run directory has a file `fail`, and goes on while it has `hold`.
    """
    payload = sleeper("2.0.0")
    payload["workflow"] = {"workflow/Snakefile": _PARTS_SNAKEFILE}
    payload["definition"]["steps"].insert(
        0,
        {
            "id": "parts",
            "name": "Parts",
            "description": "Makes the parts.",
            "dependsOn": [],
            "processMatchers": [{"kind": "exact", "value": "part"}],
        },
    )
    payload["sha256"] = payload_digest(payload)
    return payload


GREETER = "greeter"

_GREETINGS = """\
from pathlib import Path

OUT = Path(config["outdir"])
NAMES = [f"t{number}" for number in range(config["tasks"])]

rule all:
    input: [OUT / f"{name}.txt" for name in NAMES]

rule greet:
    output: text=OUT / "{name}.txt", table=OUT / "{name}.tsv"
    log: "logs/{name}.log"
    params: gate=config["gate"], bad=config["bad"]
    shell:
        'echo "<b>hello</b> {wildcards.name}" > {log:q}; '
        'while [ -n "{params.gate}" ] && [ ! -e "{params.gate}/{wildcards.name}" ]; do sleep 0.1; done; '
        'if [ "{params.bad}" = "{wildcards.name}" ]; then '
        '    echo "OSError: [Errno 28] No space left on device" | tee -a {log:q} >&2; exit 1; '
        'fi; '
        'echo "said hello to {wildcards.name}" >&2; echo done > {output.text:q}; '
        'printf "name,\\tlength\\n<b>{wildcards.name}</b>\\t5\\n" > {output.table:q}'
"""


def greeter() -> dict[str, Any]:
    """Make a package of `tasks` tasks, `t0` and so on, each of which logs into a file of its own.

    A task ends once a file of its name is in the folder `gate`, if one is named; the one called `bad` fails.
    """
    payload = sleeper()
    payload |= {"id": GREETER, "workflow": {"workflow/Snakefile": _GREETINGS}}
    payload["definition"]["pipeline"] = GREETER
    payload["definition"]["steps"][0] |= {
        "id": "greet",
        "name": "Greet",
        "processMatchers": [{"kind": "exact", "value": "greet"}],
    }
    payload["manifest"]["package"] |= {"id": GREETER, "name": "Greeter"}
    output = payload["manifest"]["outputs"][0] | {"pattern": "t0.txt"}
    payload["manifest"]["outputs"] = [output, output | {"id": "table", "pattern": "t0.tsv", "primary": False}]
    payload["registry"] |= {
        "id": GREETER,
        "name": "Greeter",
        "configSchema": {
            "type": "object",
            "properties": {
                "tasks": {"type": "integer"},
                "gate": {"type": "string"},
                "bad": {"type": "string"},
            },
            "additionalProperties": False,
        },
        "defaultConfig": {"tasks": 3, "gate": "", "bad": ""},
    }
    payload["sha256"] = payload_digest(payload)
    return payload


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


CONVERTER = "converter"

_CONVERSION = """\
import csv, gzip
from pathlib import Path

with open(config["input"]) as sheet:
    (FLOW_CELL,) = csv.DictReader(sheet)
DATA = Path(FLOW_CELL["samplesheet"]).read_text().split("[BCLConvert_Data]\\n")[1].splitlines()
SAMPLES = [row["Sample_ID"] for row in csv.DictReader(DATA)]
OUT = Path(config["outdir"]) / FLOW_CELL["id"]
READS = [OUT / f"{name}_S{at}_{mate}_001.fastq.gz"
         for at, name in enumerate(SAMPLES, 1) for mate in ("R1", "R2")]

rule work:
    input: Path(FLOW_CELL["flowcell"]) / "RunInfo.xml"
    output: READS
    run:
        for path in READS:
            with gzip.open(path, "wt") as file:
                file.write(f"@{path.name.partition('_S')[0]}\\nACGT\\n+\\nIIII\\n")
"""


def converter() -> dict[str, Any]:
    """Make a package that works on a sequencing run: a read for each mate of each sample of its sheet."""
    payload = sleeper()
    payload["workflow"] = {"workflow/Snakefile": _CONVERSION}
    payload["id"] = payload["definition"]["pipeline"] = CONVERTER
    manifest = payload["manifest"]
    manifest["package"] |= {"id": CONVERTER, "name": "Converter"}
    manifest |= {
        "inputs": [{"id": "run", "source": "sequencing-run", "required": True}],
        "minServiceVersion": "0.2.0",
        "outputs": [
            {
                "id": f"reads-{mate.lower()}",
                "label": f"Reads {mate}",
                "pattern": f"*/*_{mate}_001.fastq.gz",
                "matchSample": "name",
                "destination": "artifact",
                "artifactType": "reads",
                "mate": mate,
                "required": mate == "R1",
            }
            for mate in ("R1", "R2")
        ],
    }
    payload["samplesheet"]["columns"] = [
        {"name": "id", "source": "sequencingRun.runId", "required": True},
        {"name": "samplesheet", "source": "sequencingRun.sampleSheet", "required": True},
        {"name": "flowcell", "source": "sequencingRun.folder", "required": True},
    ]
    payload["registry"] |= {"id": CONVERTER, "name": "Converter"}
    payload["sha256"] = payload_digest(payload)
    return payload
