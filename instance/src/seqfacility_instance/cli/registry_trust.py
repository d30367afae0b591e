"""Show whose signatures of the registry are trusted, or begin anew at another root.

`reset` is for the day on which the registry has lost its keys, or moves to others without a chain of roots:
everything that was seen is forgotten, so an older publication is believed once more.
The audit trail keeps it.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from seqfacility_instance.cli.installation import open_installation

if TYPE_CHECKING:
    from seqfacility_instance.registry_trust.service import SeenRegistry

EXAMPLES = """\
examples:
  seqfacility registry-trust show
  seqfacility registry-trust reset --root /etc/seqfacility/root.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION", title="actions")
    actions.add_parser("show", help="say who signed what, until when, and which versions were seen")
    reset = actions.add_parser("reset", help="forget what was seen, and trust this root from now on")
    reset.add_argument("--root", type=Path, required=True, metavar="FILE", help="root metadata, JSON")
    reset.add_argument(
        "--url", metavar="ADDRESS", help="the registry's address, ending in /api; without, the configured one"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run one action. Decision: G920, G921, G980."""
    with open_installation() as services:
        if arguments.action == "reset":
            address = None if arguments.url is None else arguments.url.rstrip("/")
            lines = _registry_lines(services.registry_trust.reset(arguments.root, address))
        else:
            report = services.registry_trust.report(None)
            pinned = services.registry_trust.pinned_root()
            lines = [f"registry: {report.address}", f"trust: {report.policy.value}", f"root: {pinned}"]
            for seen in report.registries:
                lines += _registry_lines(seen)
            for row in report.refusals:
                lines.append(
                    f"{row.address}: refused {row.refused_at:%Y-%m-%d %H:%M} UTC: {row.message}; {row.reason}"
                )
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0


def _registry_lines(seen: "SeenRegistry") -> list[str]:
    at = seen.verified_at
    lines = [f"{seen.address}: {'begun anew' if at is None else f'verified {at:%Y-%m-%d %H:%M} UTC'}"]
    for role in seen.roles:
        signers = ", ".join(key[:16] for key in role.signed_by)
        vouches = "" if role.documents is None else f", {role.documents} documents"
        until = f"until {role.expires:%Y-%m-%d}{vouches}"
        lines.append(f"  {role.name} {role.version}: {until}, signed by {signers} ({role.threshold} needed)")
    return lines
