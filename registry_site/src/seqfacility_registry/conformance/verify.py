"""Run every case against one host, and compare its versions with an earlier examination."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from seqfacility_wire.versions import is_newer

from seqfacility_registry.conformance.cases import CASES
from seqfacility_registry.conformance.documents import CATALOG, CHECKLISTS, RELEASES, hosted_digests
from seqfacility_registry.conformance.mirror import Failed, Mirror, Skipped, open_mirror
from seqfacility_registry.conformance.report import Outcome, Report, Result, Versions

MONOTONIC = "versions never go back and published packages stay"
_Found = TypeVar("_Found")


def verify_mirror(url: str, previous: Versions | None) -> Report:
    """Examine a registry; raises `ValueError` when the address is none or nobody answers. Gap: G266."""
    mirror = open_mirror(url)
    results = [result_of(case.name, partial(case.run, mirror)) for case in CASES]
    versions = versions_of(mirror)
    results.append(result_of(MONOTONIC, lambda: check_monotonic(previous, versions)))
    return Report(mirror.base_url, mirror.is_static, results, versions)


def result_of(name: str, run: Callable[[], None]) -> Result:
    """Run one case and say what became of it."""
    try:
        run()
    except Skipped as skipped:
        return Result(name, Outcome.SKIP, str(skipped))
    except Failed as failed:
        return Result(name, Outcome.FAIL, str(failed))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as strange:
        # The host may answer anything: what a case stumbles over breaks the contract as well.
        return Result(name, Outcome.FAIL, f"an answer has another shape: {type(strange).__name__}")
    return Result(name, Outcome.OK)


def versions_of(mirror: Mirror) -> Versions:
    """Read what may only grow; None where the host does not say it."""
    return Versions(
        catalog=_or_none(lambda: int(mirror.read(CATALOG).json()["version"])),
        checklists=_or_none(lambda: int(mirror.read(CHECKLISTS).json()["version"])),
        release=_or_none(lambda: str(mirror.read(RELEASES).json()["latest"]["version"])),
        packages=_or_none(lambda: hosted_digests(mirror)),
    )


def check_monotonic(previous: Versions | None, now: Versions) -> None:
    """Compare with an earlier report; raises `Failed`, or `Skipped` without one.

    Spec: registry, Versioning. Gap: G290.
    """
    if previous is None:
        raise Skipped("no previous report is given")
    faults = [*_lower(previous, now), *_changed(previous, now)]
    if faults:
        raise Failed("; ".join(faults))


def _lower(previous: Versions, now: Versions) -> Iterator[str]:
    for name in ("catalog", "checklists"):
        before, after = getattr(previous, name), getattr(now, name)
        if before is not None and (after is None or after < before):
            yield f"{name} version went from {before} to {after}"
    if previous.release is not None and (now.release is None or is_newer(previous.release, now.release)):
        yield f"latest release went from {previous.release} to {now.release}"


def _changed(previous: Versions, now: Versions) -> Iterator[str]:
    for name, versions in (previous.packages or {}).items():
        there = (now.packages or {}).get(name, {})
        for version, digest in versions.items():
            if version not in there:
                yield f"{name} {version} is no longer published"
            elif there[version] != digest:
                yield f"{name} {version} has changed"


def _or_none(read: Callable[[], _Found]) -> _Found | None:
    try:
        return read()
    except (Failed, KeyError, TypeError, ValueError):
        return None
