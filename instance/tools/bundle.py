"""Copy into the instance what the registry publishes: the catalog with its images, checklists, six pipelines.

The instance never imports the registry, and a facility without a network has all of this after `init`. Run it
after the content has changed:

    python instance/tools/bundle.py

With `--check` it changes nothing and fails when a copy is missing, different or left over.
"""

import argparse
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

from seqfacility_pipeline_package.documents import canonical_json, read_json
from seqfacility_registry.answers import ANY_ADDRESS, Answer
from seqfacility_registry.catalog.content import read_catalog
from seqfacility_registry.checklists.content import read_checklists
from seqfacility_registry.pipelines.content import read_pipelines

PIPELINES = ("fastq-checksum", "mag", "read-cleaning", "reads-qc", "simulate-reads", "taxprofiler")
"""What a fresh instance has, each in its newest version. Decision: G139, G298."""

ROOT = Path(__file__).resolve().parents[2]
CONTENT = ROOT / "registry_site/content"
INSTANCE = ROOT / "instance/src/seqfacility_instance"
PACKED = ".gz"


def bundled_files(content: Path) -> dict[str, bytes]:
    """Return every copy by its path below the instance's package: canonical JSON, the large ones packed.

    Each is the answer of the registry, with its illustrations and digests, checked against its schema.

    Decision: G71, G140, G224.
    """
    copies = {path: _file(path, answer) for path, answer in _answers(content)}
    images = {
        f"/images/catalog/{file.name}": file.read_text("utf-8")
        for file in sorted((content / "catalog/images").glob("*.svg"))
    }
    copies["catalog/shipped_images.json.gz"] = _packed(canonical_json(images))
    return copies


def present_files() -> dict[str, bytes]:
    """Read the copies that the instance has."""
    paths = [*INSTANCE.glob("*/shipped*.json.gz"), *INSTANCE.glob("pipelines/bundled/*.json")]
    return {path.relative_to(INSTANCE).as_posix(): path.read_bytes() for path in paths}


def unpacked(path: str, content: bytes) -> bytes:
    """Return the JSON of a copy: the same JSON may be packed into other bytes on another machine."""
    return gzip.decompress(content) if path.endswith(PACKED) else content


def differences(wanted: dict[str, bytes], present: dict[str, bytes]) -> list[str]:
    """Name the copies that are missing, different or left over."""
    same = {
        path
        for path in wanted.keys() & present.keys()
        if unpacked(path, wanted[path]) == unpacked(path, present[path])
    }
    return sorted((wanted.keys() | present.keys()) - same)


def main() -> int:
    """Write what differs, or say so."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="change nothing, fail on a difference")
    is_check = parser.parse_args().check
    wanted = bundled_files(CONTENT)
    found = differences(wanted, present_files())
    for path in found:
        sys.stdout.write(f"{path} {'differs' if is_check else 'written' if path in wanted else 'removed'}\n")
        if not is_check:
            _put(INSTANCE / path, wanted.get(path))
    return 1 if is_check and found else 0


def _answers(content: Path) -> Iterator[tuple[str, Answer]]:
    yield "catalog/shipped.json.gz", read_catalog(content / "catalog").catalog
    yield "checklists/shipped.json.gz", read_checklists(content / "checklists").all
    pipelines = read_pipelines(content / "pipelines")
    for name in PIPELINES:
        newest = pipelines.pipelines[name].versions[0].version
        yield f"pipelines/bundled/{name}-{newest}.json", pipelines.downloads[name, newest]


def _file(path: str, answer: Answer) -> bytes:
    if fault := answer.fault(ANY_ADDRESS):
        raise SystemExit(f"error: broken content: {fault}")
    text = canonical_json(read_json(answer.ready(ANY_ADDRESS).content))
    return _packed(text) if path.endswith(PACKED) else text


def _packed(text: bytes) -> bytes:
    return gzip.compress(text, compresslevel=9, mtime=0)


def _put(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


if __name__ == "__main__":
    sys.exit(main())
