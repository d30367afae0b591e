"""The commands of those who sign a registry: keygen, new-root, sign, timestamp."""

import argparse
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqfacility_wire.environment import InvalidVariable

from seqfacility_registry.trust.errors import TrustRefused

if TYPE_CHECKING:
    from securesystemslib.signer import SSlibKey

    from seqfacility_registry.trust.publishing_checks import TrustFindings

_SEVERAL: dict[str, Any] = {"type": Path, "nargs": "+", "action": "extend"}
"""Of an option that takes files, all of them behind it or one each time that it is given."""


def add_trust_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    keygen = commands.add_parser(
        "keygen", help="make a key: FILE for its owner alone, FILE.pub for everybody"
    )
    keygen.add_argument("file", type=Path, metavar="FILE")
    keygen.set_defaults(run=_keygen)

    root = commands.add_parser("new-root", help="say who signs for which role; what is not named stays")
    _add_content(root)
    root.add_argument("--root-key", **_SEVERAL, default=[], metavar="PUB", help="keys kept offline")
    root.add_argument("--threshold", type=int, metavar="N", help="so many root keys have to sign a root")
    root.add_argument("--snapshot-key", **_SEVERAL, default=[], metavar="PUB", help="release keys")
    root.add_argument("--timestamp-key", **_SEVERAL, default=[], metavar="PUB", help="online keys")
    publisher_help = "who signs the pipelines NAME-*; NAME= without a key takes it back"
    root.add_argument("--publisher", action="append", default=[], metavar="NAME=PUB", help=publisher_help)
    root.set_defaults(run=_new_root)

    sign = commands.add_parser("sign", help="add signatures; nothing is published before timestamp")
    _add_content(sign)
    sign.add_argument(
        "--role", required=True, metavar="ROLE", help="root, snapshot or the name of a publisher"
    )
    sign.add_argument("--key", **_SEVERAL, required=True, metavar="FILE", help="private keys")
    sign.set_defaults(run=_sign)

    timestamp = commands.add_parser("timestamp", help="publish what is signed, for seven days")
    _add_content(timestamp)
    timestamp.add_argument("--key", type=Path, required=True, metavar="FILE", help="private key")
    timestamp.add_argument("--expires", type=_date, metavar="DATE", help="for example 2031-05-11")
    timestamp.set_defaults(run=_timestamp)


def present_time(environment: Mapping[str, str] = os.environ) -> datetime:
    """Return the time that things are signed at: now, or SOURCE_DATE_EPOCH, so that bytes can be made again.

    Raises `InvalidVariable`. Decision: G906.
    """
    fixed = environment.get("SOURCE_DATE_EPOCH") or ""
    if not fixed:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(fixed), UTC)
    except (ValueError, OverflowError, OSError):
        raise InvalidVariable("SOURCE_DATE_EPOCH", "must be whole seconds since 1970") from None


def signed_content_findings(content: Path) -> "TrustFindings":
    """Check the signed side of a sound content; nothing is wrong with one that has none."""
    from seqfacility_registry.content_folder import read_publication
    from seqfacility_registry.trust.documents import documents_of
    from seqfacility_registry.trust.folder import trust_folder
    from seqfacility_registry.trust.publishing_checks import TrustFindings, trust_findings

    folder = trust_folder(content)
    if not folder.exists:
        return TrustFindings()
    return trust_findings(folder, documents_of(read_publication(content)), present_time())


def read_root(path: Path) -> bytes:
    """Read a root that somebody handed over; raises `TrustRefused` when the file is none."""
    from seqfacility_registry.trust.folder import read_metadata

    try:
        content = path.read_bytes()
    except OSError as unreadable:
        raise TrustRefused(f"{path} cannot be read: {unreadable.strerror}") from unreadable
    read_metadata(content, "root", None, str(path))
    return content


def _add_content(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("content", type=existing_folder, metavar="CONTENT", help="folder that is published")


def _keygen(options: argparse.Namespace) -> int:
    from seqfacility_registry.trust.keys import write_key_pair

    keyid = write_key_pair(options.file)
    print(f"{options.file} is private, {options.file}.pub is for the others; key {keyid}")
    return 0


def _new_root(options: argparse.Namespace) -> int:
    from seqfacility_registry.trust.folder import trust_folder
    from seqfacility_registry.trust.keys import read_public_key
    from seqfacility_registry.trust.roots import RootChange, new_root
    from seqfacility_registry.trust.signing import WAITING

    publishers: dict[str, SSlibKey | None] = {}
    for text in options.publisher:
        name, equals, file = text.partition("=")
        if not equals:
            raise TrustRefused(f"--publisher {text}: must be NAME=PUB")
        publishers[name] = read_public_key(Path(file)) if file else None
    change = RootChange(
        root_keys=[read_public_key(path) for path in options.root_key],
        threshold=options.threshold,
        snapshot_keys=[read_public_key(path) for path in options.snapshot_key],
        timestamp_keys=[read_public_key(path) for path in options.timestamp_key],
        publishers=publishers,
    )
    version = new_root(trust_folder(options.content), change, present_time())
    print(f"root {version} {WAITING}")
    return 0


def _sign(options: argparse.Namespace) -> int:
    from seqfacility_registry.check import content_problems
    from seqfacility_registry.content_folder import read_publication
    from seqfacility_registry.trust.documents import documents_of
    from seqfacility_registry.trust.folder import trust_folder
    from seqfacility_registry.trust.keys import read_signer
    from seqfacility_registry.trust.root_checks import root_lines
    from seqfacility_registry.trust.roots import sign_root, waiting_root
    from seqfacility_registry.trust.signing import Signing

    folder = trust_folder(options.content)
    signers = [read_signer(path) for path in options.key]
    if options.role == "root":
        now = present_time()
        root, before = waiting_root(folder, now)
        # Who signs a root answers for what it says, whoever wrote the file.
        print("\n".join(root_lines(root.signed, None if before is None else before.signed)))
        print(sign_root(folder, signers, now))
        return 0
    problems = content_problems(options.content)
    if problems:
        more = f" (and {len(problems) - 1} more: check)" if len(problems) > 1 else ""
        raise TrustRefused(f"the content is broken: {problems[0]}{more}")
    documents = documents_of(read_publication(options.content))
    signing = Signing(folder, signers, present_time())
    if options.role == "snapshot":
        print(signing.sign_snapshot(documents))
    else:
        print(signing.sign_publisher(options.role, documents))
    return 0


def _timestamp(options: argparse.Namespace) -> int:
    from seqfacility_registry.trust.folder import trust_folder
    from seqfacility_registry.trust.keys import read_signer
    from seqfacility_registry.trust.signing import TIMESTAMP_LIFE, Signing

    now = present_time()
    if options.expires is None and now + TIMESTAMP_LIFE <= datetime.now(UTC):
        raise TrustRefused(f"SOURCE_DATE_EPOCH is {now:%Y-%m-%d}: what is made then has expired; unset it")
    signing = Signing(trust_folder(options.content), [read_signer(options.key)], now)
    print(signing.make_timestamp(options.expires))
    return 0


def existing_folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text} is not a folder")
    return Path(text)


def _date(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise argparse.ArgumentTypeError("must be a date, for example 2031-05-11") from None
