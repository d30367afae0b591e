"""Copy the published payloads of the bundled pipelines from the registry's content into the instance.

Run it after `BUNDLED` names another version: `python instance/tools/bundle_pipelines.py`. With `--check` it
changes nothing and fails when a file is missing, different or left over.
"""

import argparse
import sys
from pathlib import Path

from seqfacility_pipeline_package.documents import JsonObject, canonical_json
from seqfacility_pipeline_package.payload import pack

BUNDLED = {
    "fastq-checksum": "1.0.0",
    "mag": "5.5.0",
    "read-cleaning": "1.0.0",
    "reads-qc": "1.0.0",
    "simulate-reads": "1.0.0",
    "taxprofiler": "2.0.0",
}
"""What a fresh instance has; later versions are installed from the registry. Gap: G139."""

ROOT = Path(__file__).resolve().parents[2]
CONTENT = ROOT / "registry_site/content/pipelines"
TARGET = ROOT / "instance/src/seqfacility_instance/pipelines/bundled"


def published_payload(content: Path, pipeline_id: str, version: str) -> JsonObject:
    """Pack one published version of a pipeline, as the registry hands it out. Gap: G234."""
    return pack(content / pipeline_id / "versions" / version / pipeline_id)


def bundled_files(content: Path) -> dict[str, bytes]:
    """Give the bundled payloads by file name: `<id>-<version>.json`, canonical JSON. Gap: G140."""
    payloads = [published_payload(content, *bundled) for bundled in BUNDLED.items()]
    return {f"{payload['id']}-{payload['version']}.json": canonical_json(payload) for payload in payloads}


def main() -> int:
    """Write the files, or say what is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail on a difference")
    is_check = parser.parse_args().check
    wanted = bundled_files(CONTENT)
    there = {path.name: path.read_bytes() for path in TARGET.glob("*.json")}
    changed = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
    for name in changed:
        sys.stdout.write(f"{name} {'differs' if is_check else 'written'}\n")
    if is_check:
        return 1 if changed else 0
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in there.keys() - wanted.keys():
        (TARGET / name).unlink()
    for name, content in wanted.items():
        (TARGET / name).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
