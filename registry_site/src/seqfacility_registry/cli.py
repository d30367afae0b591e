"""The public registry of SeqFacility: serve it, check it, mirror it.

Content and secrets are found through SEQFACILITY_REGISTRY_CONTENT, SEQFACILITY_REGISTRY_SECRETS and
SEQFACILITY_REGISTRY_PUBLIC_URL.
"""

import argparse
import atexit
import gc
import json
import logging
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from seqfacility_wire.command_line.program import Help, add_program_options, quiet_output
from seqfacility_wire.command_line.refusal import Refused
from seqfacility_wire.environment import OF_AN_INSTANCE, InvalidVariable, unknown_variables
from seqfacility_wire.listening import check_bindable
from seqfacility_wire.plurals import counted

from seqfacility_registry.release import RELEASE
from seqfacility_registry.settings import VARIABLES, public_url_from, settings_from
from seqfacility_registry.trust.cli import add_trust_commands, existing_folder

EXAMPLES = """\
examples:
  seqfacility-registry serve --bind 127.0.0.1:8090
  seqfacility-registry export /srv/mirror --public-url https://mirror.example.org/api
  seqfacility-registry verify-mirror https://mirror.example.org/api
"""
DEFAULT_BIND = "127.0.0.1:8090"
_BIND = re.compile(r"([^\s:/]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}")


@quiet_output()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 1 refused or failed, 2 wrong usage. Decision: G259, G266, G503."""
    # WHY: the interpreter looks through all its objects as it ends, a third of what a start takes.
    atexit.register(gc.freeze)
    options = _parser().parse_args(arguments)
    # A command says what is broken in its own lines; only `serve` keeps a log.
    logging.getLogger("seqfacility").addHandler(logging.NullHandler())
    run: Callable[[argparse.Namespace], int] = options.run
    known = [*(name for name, *_ in VARIABLES), *OF_AN_INSTANCE]
    for line in unknown_variables(os.environ, "SEQFACILITY_REGISTRY_", known):
        print(f"warning: {line}", file=sys.stderr)
    try:
        return run(options)
    except InvalidVariable as invalid:
        print(f"error: {invalid}", file=sys.stderr)
        return 2
    except Refused as refusal:
        print(f"error: {refusal}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="seqfacility-registry", description=__doc__, epilog=EXAMPLES, formatter_class=Help
    )
    add_program_options(parser, RELEASE)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="serve the content over HTTP", formatter_class=Help)
    serve.add_argument(
        "--bind", default=DEFAULT_BIND, type=_bind, metavar="HOST:PORT", help="where to listen"
    )
    metrics_help = "show Prometheus metrics there, at /metrics"
    serve.add_argument("--metrics-bind", type=_bind, metavar="HOST:PORT", help=metrics_help)
    serve.set_defaults(run=_serve)
    check = commands.add_parser("check", help="validate all content: one line a problem")
    check.add_argument(
        "content", nargs="?", type=existing_folder, metavar="CONTENT", help="folder; without, the one served"
    )
    check.set_defaults(run=_check)
    export = commands.add_parser("export", help="write a static mirror into an empty folder")
    export.add_argument("folder", type=Path, metavar="DIR")
    export.add_argument("--public-url", metavar="URL", help="address of the mirror, ends in /api")
    _add_layout(export)
    export.set_defaults(run=_export)
    verify = commands.add_parser("verify-mirror", help="run the registry contract against any host")
    verify.add_argument("url", metavar="URL", help="address of the registry, for example http://host/api")
    verify.add_argument("--json", action="store_true", help="print the report as JSON, for --previous")
    verify.add_argument(
        "--previous", type=Path, metavar="REPORT", help="JSON report that versions must not undercut"
    )
    verify.add_argument(
        "--root", type=Path, metavar="FILE", help="root that is known, by which the signed side is examined"
    )
    verify.set_defaults(run=_verify_mirror)
    pull = commands.add_parser("pull", help="make a mirror of files of which every one is verified")
    pull.add_argument("url", metavar="URL", help="address of the registry, for example http://host/api")
    pull.add_argument("folder", type=Path, metavar="DIR", help="becomes a link to the newest copy")
    pull.add_argument("--root", type=Path, required=True, metavar="FILE", help="root that is known")
    pull.add_argument("--public-url", metavar="URL", help="address of the mirror, ends in /api")
    _add_layout(pull)
    pull.set_defaults(run=_pull)
    crate = commands.add_parser("crate", help="write a package as a Workflow RO-Crate, a zip")
    crate.add_argument("pipeline", metavar="ID")
    crate.add_argument("version", metavar="VERSION")
    crate.add_argument("file", type=Path, metavar="FILE", help="for example reads-qc.crate.zip")
    crate.set_defaults(run=_crate)
    add_trust_commands(commands)
    hashing = commands.add_parser("hash-access-code", help="read a code from standard input, print its hash")
    hashing.set_defaults(run=_hash_access_code)
    return parser


def _add_layout(parser: argparse.ArgumentParser) -> None:
    about = "plain for hosts that cannot be told to answer a folder with its index.json"
    parser.add_argument("--layout", choices=("index", "plain"), default="index", help=about)


def _serve(options: argparse.Namespace) -> int:
    from seqfacility_wire import metrics
    from seqfacility_wire.logs import configure_logging

    from seqfacility_registry.connections import TooFewDescriptors
    from seqfacility_registry.server import RegistryServer

    settings = settings_from()
    try:
        check_bindable(options.bind)
        if options.metrics_bind is not None:
            check_bindable(options.metrics_bind, is_shared=True)
        configure_logging(os.environ)
    except OSError as error:
        raise Refused(str(error)) from error
    if options.metrics_bind is not None:
        metrics.record_metrics()
    try:
        server = RegistryServer(settings, options.bind, options.metrics_bind)
    except TooFewDescriptors as refusal:
        raise Refused(str(refusal)) from refusal
    server.run()
    return 0


def _check(options: argparse.Namespace) -> int:
    from seqfacility_registry.check import content_problems, content_warnings
    from seqfacility_registry.trust.cli import signed_content_findings

    content = options.content or settings_from().content
    found = content_problems(content)
    if not found:
        signed = signed_content_findings(content)
        found = signed.problems
        for line in (*signed.warnings, *content_warnings(content)):
            print(f"warning: {line}", file=sys.stderr)
    for line in found:
        print(line)
    return 1 if found else 0


def _export(options: argparse.Namespace) -> int:
    from seqfacility_registry.content_folder import read_publication
    from seqfacility_registry.export import ExportRefused, export
    from seqfacility_registry.trust.cli import signed_content_findings
    from seqfacility_registry.web_root import Layout

    settings = settings_from()
    address = public_address(options.public_url)
    signed = signed_content_findings(settings.content)
    if signed.problems:
        raise Refused(f"{signed.problems[0]} (see check)")
    try:
        count = export(read_publication(settings.content), address, options.folder, Layout(options.layout))
    except ExportRefused as refusal:
        raise Refused(str(refusal)) from refusal
    print(f"{counted(count, 'file')} below {options.folder}, links to {address}")
    _warn_of_default(options.public_url)
    return 0


def _verify_mirror(options: argparse.Namespace) -> int:
    from seqfacility_registry.conformance.report import read_report, report_document
    from seqfacility_registry.conformance.verify import verify_mirror
    from seqfacility_registry.trust.cli import read_root

    try:
        previous = None if options.previous is None else read_report(options.previous)
        root = None if options.root is None else read_root(options.root)
        report = verify_mirror(options.url, previous, root)
    except ValueError as refusal:
        raise Refused(str(refusal)) from refusal
    print(json.dumps(report_document(report), indent=2) if options.json else report.text())
    print(report.verdict(), file=sys.stderr)
    return 0 if report.passed else 1


def _pull(options: argparse.Namespace) -> int:
    from seqfacility_registry.conformance.pulling import pull
    from seqfacility_registry.trust.cli import read_root
    from seqfacility_registry.web_root import Layout

    address = public_address(options.public_url)
    root, layout = read_root(options.root), Layout(options.layout)
    count = pull(options.url, options.folder, root, address, layout)
    print(f"{counted(count, 'file')} below {options.folder}, all verified, links to {address}")
    _warn_of_default(options.public_url)
    return 0


def _crate(options: argparse.Namespace) -> int:
    from seqfacility_registry.content_folder import read_publication
    from seqfacility_registry.pipelines.crate_zip import NoCrate, crate_zip

    content = settings_from().content
    pipelines = read_publication(content).pipelines
    try:
        options.file.write_bytes(crate_zip(pipelines, content, options.pipeline, options.version))
    except NoCrate as refusal:
        raise Refused(str(refusal)) from refusal
    except OSError as unwritable:
        raise Refused(f"{options.file} cannot be written: {unwritable.strerror}") from unwritable
    return 0


def _hash_access_code(_options: argparse.Namespace) -> int:
    from seqfacility_registry.install_profiles.access_codes import hash_access_code

    try:
        print(hash_access_code(sys.stdin.readline().strip()))
    except ValueError as refusal:
        raise Refused(str(refusal)) from refusal
    return 0


def public_address(named: str | None) -> str:
    """Return what the links of a mirror of files begin with. Decision: G225."""
    from seqfacility_registry.export import DEFAULT_PUBLIC_URL

    return public_url_from(named or "") or settings_from().public_url or DEFAULT_PUBLIC_URL


def _warn_of_default(named: str | None) -> None:
    """Tell who made a mirror whose address nobody has said."""
    from seqfacility_registry.export import DEFAULT_PUBLIC_URL

    if named is None and settings_from().public_url is None:
        print(f"warning: links lead to {DEFAULT_PUBLIC_URL}; see --public-url", file=sys.stderr)


def _bind(text: str) -> str:
    if not _BIND.fullmatch(text) or int(text.rpartition(":")[2]) > 65535:
        raise argparse.ArgumentTypeError("must be HOST:PORT")
    return text
