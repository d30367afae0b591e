"""Install a pipeline from the registry, a file, a folder, or a git repository.

A package is code that this facility will run: install only what you trust.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from seqfacility_wire.command_line.refusal import Refused, one_line, read_secret

from seqfacility_instance.cli.installation import open_installation

if TYPE_CHECKING:
    from seqfacility_schemas import answers

    from seqfacility_instance.pipelines.bodies import RepositoryRequest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pipeline_id", metavar="ID")
    parser.add_argument("--version", metavar="V", help="the newest when none is named")
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--file", type=Path, metavar="PACKAGE", help="a downloaded payload or a package folder; no registry"
    )
    source.add_argument("--repository", metavar="URL", help="a git repository that holds the package")
    parser.add_argument("--ref", default="HEAD", help="tag, branch or commit of the repository")
    parser.add_argument("--folder", default="", metavar="PATH", help="the package's folder in the repository")
    parser.add_argument(
        "--without-workflow", action="store_true", help="leave the workflow to the engine, which fetches it"
    )
    parser.add_argument("--key-stdin", action="store_true", help="read the key of a private repository")
    parser.add_argument(
        "--enable", action="store_true", help="let people start runs of it at once, with this version"
    )
    parser.add_argument(
        "--allow-downgrade", action="store_true", help="also below a version that is installed"
    )


def run(arguments: argparse.Namespace) -> int:
    """Install a package and print what is installed now. Decision: G144, G145, G262."""
    from seqfacility_instance.pipelines.bodies import Decision

    warnings: list[str] = []
    content = None if arguments.file is None else _payload(arguments.file)
    with open_installation() as services:
        pipelines, installation = services.runs.pipelines, services.runs.pipeline_installation
        if arguments.repository is not None:
            installed = installation.import_package(
                None, _request(arguments), arguments.pipeline_id, arguments.version
            )
        elif content is None:
            answer = installation.install(
                None, arguments.pipeline_id, arguments.version, allow_downgrade=arguments.allow_downgrade
            )
            installed, warnings = answer["pipeline"], answer.get("warnings", [])
        else:
            installed = installation.install_file(
                content, arguments.pipeline_id, arguments.version, allow_downgrade=arguments.allow_downgrade
            )
            warnings = installation.file_warnings()
        if arguments.enable:
            used = Decision(enabled=True, current_version=installed["version"])
            installed = pipelines.configure(None, arguments.pipeline_id, used)
    sys.stdout.writelines(f"{line}\n" for line in _lines(installed))
    sys.stdout.writelines(f"warning: {warning}\n" for warning in warnings)
    return 0


def _request(arguments: argparse.Namespace) -> "RepositoryRequest":
    from seqfacility_instance.pipelines.bodies import RepositoryRequest

    return RepositoryRequest(
        repository=arguments.repository,
        ref=arguments.ref,
        descriptor_path=arguments.folder,
        include_workflow=not arguments.without_workflow,
        key=read_secret("the key") if arguments.key_stdin else None,
        allow_downgrade=arguments.allow_downgrade,
    )


def _lines(installed: "answers.AdminPipeline") -> list[str]:
    source = installed["source"]
    is_current = installed["currentVersion"] == installed["version"]
    reasons = "; ".join(installed["unavailableReasons"])
    return [
        f"installed: {installed['id']} {installed['version']}",
        f"sha256: {installed['sha256']}",
        *([] if source is None else [f"commit: {source['commit']}"]),
        f"enabled: {'yes' if installed['enabled'] else 'no'}",
        *([] if is_current else [f"in use: no, runs use {installed['currentVersion']}"]),
        f"runnable here: {'yes' if installed['available'] else f'no, {reasons}'}",
    ]


def _payload(path: Path) -> bytes:
    """Read a payload from a file, or make the one of a package folder; raises `Refused`."""
    from seqfacility_pipeline_package.documents import canonical_json
    from seqfacility_pipeline_package.payload import pack
    from seqfacility_pipeline_package.problems import PackageInvalid

    try:
        return canonical_json(pack(path)) if path.is_dir() else path.read_bytes()
    except PackageInvalid as invalid:
        raise Refused(one_line("Package validation failed", invalid.details)) from invalid
    except OSError as unreadable:
        raise Refused(f"{path} cannot be read: {unreadable.strerror}") from unreadable
