"""What of this computer is to be sent: found, described, and planned by the facility."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from seqfacility_wire.command_line.refusal import Refused, one_line

from seqfacility_client import bodies
from seqfacility_client.checksum_lists import absolute, found_checksums
from seqfacility_client.errors import Stopped, TransferRefused
from seqfacility_client.facility import OrderAtFacility, UploadRules
from seqfacility_client.local_files import Part, fingerprint, found_files, part_of
from seqfacility_client.rules.plan import Plan, plan_of
from seqfacility_client.running import each
from seqfacility_client.vocabulary import ARTIFACTS, Mate

MAX_FILES = 10_000
"""What a plan takes. Decision: G635."""


@dataclass(frozen=True, slots=True)
class Found:
    """The files of a command, of which `named` were given themselves; fingerprints of what can be read."""

    parts: Mapping[Path, Part]
    named: frozenset[Path]
    fingerprints: Mapping[Path, str]
    checksums: Mapping[Path, str]


def found(arguments: argparse.Namespace, rules: UploadRules, stop: Event) -> Found:
    """Describe every file that may be sent; raises `Refused`, `TransferRefused`."""
    named, below = found_files(arguments.files)
    if arguments.role not in ARTIFACTS:
        # WHY: a sequencer's folder has many files that are no reads, and each would be opened and asked for.
        endings = tuple(extension.lower() for extension in rules.extensions)
        below = [path for path in below if path.name.lower().endswith(endings)]
    paths = [*named, *below]
    if not paths:
        raise _no_reads(rules)
    if len(paths) > MAX_FILES:
        raise Refused(
            f"{len(paths)} files are more than the {MAX_FILES} of one upload: "
            "give fewer folders, and the others in another command"
        )
    for path in paths:
        if not _is_text(path.name):
            shown = os.fsencode(path).decode("utf-8", "replace")
            raise Refused(f"nothing was sent: {shown} has a name that is not UTF-8")
    folders = [path for path in arguments.files if path.is_dir()]
    checksums = found_checksums([*folders, *(path.parent for path in paths)])
    parts = [part_of(path) for path in paths]
    prints = each(parts, _fingerprint, arguments.parallel, stop)
    if stop.is_set():
        raise Stopped
    return Found(
        {part.path: part for part in parts},
        frozenset(named),
        {part.path: known for part, known in zip(parts, prints, strict=True) if known is not None},
        {path: checksums[place] for path in paths if (place := absolute(path)) in checksums},
    )


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_reads(rules: UploadRules) -> Refused:
    return Refused("there is no read file; the extensions are " + " ".join(rules.extensions))


def _fingerprint(part: Part) -> str | None:
    """Return a fingerprint; None of a file that cannot be read, which is its own trouble later."""
    try:
        return fingerprint(part)
    except (TransferRefused, OSError):
        return None


def planned(
    order: OrderAtFacility,
    rules: UploadRules,
    files: Found,
    arguments: argparse.Namespace,
    sequencing_run_id: str | None,
) -> Plan:
    """Ask the facility what becomes of the files; raises `Refused` with every problem that there is.

    Decision: G635, G760.
    """
    keys = _keys([*files.parts])
    shown = order.plan(_body(files, keys, arguments, sequencing_run_id))
    paths = {key: path for path, key in keys.items()}
    verdicts = [bodies.read_verdict(one, paths[one["path"]]) for one in shown["files"]]
    uploads = [bodies.read_placed(one, tuple(paths[key] for key in one["paths"])) for one in shown["uploads"]]
    plan = plan_of(verdicts, uploads, files.named)
    if any(one.code == "choice" for one in verdicts):
        raise Refused(plan.problems[0])
    if plan.problems:
        raise Refused(one_line("nothing was sent: " + plan.problems[0], plan.problems[1:]))
    if not plan.placed and not plan.failed:
        raise _no_reads(rules)
    return plan


def _keys(paths: Sequence[Path]) -> dict[Path, str]:
    """Return by which path the facility hears of each file: it is told which lie side by side, not where.

    Decision: G760.
    """
    folders = {folder: number for number, folder in enumerate(dict.fromkeys(path.parent for path in paths))}
    return {path: f"{folders[path.parent]}/{path.name}" for path in paths}


def _body(
    files: Found, keys: Mapping[Path, str], arguments: argparse.Namespace, sequencing_run_id: str | None
) -> dict[str, object]:
    known = {"fingerprint": files.fingerprints, "md5": files.checksums}
    body: dict[str, object] = {
        "files": [
            {"path": key, "size": files.parts[path].size}
            | {name: values[path] for name, values in known.items() if path in values}
            for path, key in keys.items()
        ],
        "joinLanes": arguments.join_lanes,
    }
    if arguments.sample is not None:
        body["sampleOf"] = dict.fromkeys(keys.values(), arguments.sample)
    if arguments.role in ARTIFACTS:
        body["targetRole"] = arguments.role
    elif arguments.role is not None:
        body["mateOf"] = dict.fromkeys(keys.values(), Mate(arguments.role).value)
    if arguments.data_class is not None:
        body["dataClass"] = arguments.data_class
    if sequencing_run_id is not None:
        body["sequencingRunId"] = sequencing_run_id
    return body
