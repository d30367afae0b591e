"""Commands for people who write packages.

check FOLDER...   print one line per problem, exit 1 when there is any
digest FOLDER     print the SHA-256 of the package's payload
lock CONTENT      add new versions to the lock file of a registry's content; `--check` only compares
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from seqfacility_pipeline_package.package import check_package
from seqfacility_pipeline_package.payload import pack
from seqfacility_pipeline_package.problems import PackageInvalid
from seqfacility_pipeline_package.published import changed_versions, digests_below, read_lock, write_lock


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; give the exit status. Decision: G259."""
    parser = argparse.ArgumentParser(
        prog="python -m seqfacility_pipeline_package",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="check package folders")
    check.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    digest = commands.add_parser("digest", help="print the digest of a package")
    digest.add_argument("folder", type=Path, metavar="FOLDER")
    lock = commands.add_parser("lock", help="keep the lock file of published versions")
    lock.add_argument("content", type=Path, metavar="CONTENT")
    lock.add_argument("--check", action="store_true", help="compare only, write nothing")
    options = parser.parse_args(arguments)
    try:
        if options.command == "check":
            return _check(options.folders)
        if options.command == "digest":
            print(pack(options.folder)["sha256"])
            return 0
        return _lock(options.content, options.check)
    except PackageInvalid as refusal:
        print("\n".join(refusal.details))
        return 1


def _check(folders: Sequence[Path]) -> int:
    faulty = False
    for folder in folders:
        for problem in check_package(folder):
            faulty = True
            print(f"{folder}/{problem}" if len(folders) > 1 else problem)
    return int(faulty)


def _lock(content: Path, compare_only: bool) -> int:
    if compare_only:
        faults = changed_versions(read_lock(content), digests_below(content))
    else:
        faults = write_lock(content)
    print("\n".join(faults), end="\n" if faults else "")
    return int(bool(faults))
