"""Copy the published payloads of the bundled pipelines from the registry's content into the instance.

Run it after a bundled pipeline was published: `python instance/tools/bundle_pipelines.py`. With `--check` it
changes nothing and fails when a file is missing, different or left over.
"""

import argparse
import sys
from pathlib import Path

from seqfacility_pipeline_package.documents import JsonObject, canonical_json
from seqfacility_pipeline_package.payload import pack
from seqfacility_wire.versions import Version

BUNDLED = ("fastq-checksum", "mag", "read-cleaning", "reads-qc", "simulate-reads", "taxprofiler")
"""Gap: G139."""

ROOT = Path(__file__).resolve().parents[2]
CONTENT = ROOT / "registry_site/content/pipelines"
TARGET = ROOT / "instance/src/seqfacility_instance/pipelines/bundled"


def newest_payload(content: Path, pipeline_id: str) -> JsonObject:
    """Pack the newest published version of a pipeline, as the registry hands it out. Gap: G234."""
    folders = [folder for folder in (content / pipeline_id / "versions").iterdir() if folder.is_dir()]
    newest = max(folders, key=lambda folder: Version.parse(folder.name) or Version((0,)))
    return pack(newest / pipeline_id)


def bundled_files(content: Path) -> dict[str, bytes]:
    """Give the bundled payloads by file name: `<id>-<version>.json`, canonical JSON. Gap: G140."""
    payloads = [newest_payload(content, pipeline_id) for pipeline_id in BUNDLED]
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
