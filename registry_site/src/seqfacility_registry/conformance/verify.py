"""Run every case against one host, and compare its versions with an earlier examination."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_wire.versions import is_newer

from seqfacility_registry.conformance.cases import CASES, Case
from seqfacility_registry.conformance.documents import (
    CATALOG,
    CHECKLISTS,
    PROFILES,
    RELEASES,
    RESEARCH,
    hosted_digests,
)
from seqfacility_registry.conformance.mirror import Failed, Mirror, Skipped, open_mirror
from seqfacility_registry.conformance.report import Outcome, Report, Result, Versions

if TYPE_CHECKING:
    from seqfacility_registry.conformance.signed import SignedSide

_LINKS = frozenset({"baseUrl", "resolveUrl", "installCommand"})
MONOTONIC = "versions never go back and published packages stay"
_Found = TypeVar("_Found")


def verify_mirror(url: str, previous: Versions | None, root: bytes | None = None) -> Report:
    """Examine a registry; raises `ValueError` when the address is none or nobody answers.

    With the bytes of a `root` that is known, what is signed is examined, too. Decision: G266, G909.
    """
    mirror = open_mirror(url)
    results = [_result_with_warnings(mirror, case) for case in CASES]
    found: list[SignedSide] = []
    if root is not None:
        results += _signed_results(mirror, root, found)
    versions = versions_of(mirror, found[0].versions if found else None)
    results.append(result_of(MONOTONIC, lambda: check_monotonic(previous, versions)))
    return Report(mirror.base_url, mirror.is_static, results, versions)


def _signed_results(mirror: Mirror, root: bytes, found: "list[SignedSide]") -> Iterator[Result]:
    from seqfacility_registry.conformance import signed, signed_files

    chain = Case(
        "the root leads to the signed documents",
        lambda host: found.append(signed.read_signed_side(host, root)),
    )
    yield _result_with_warnings(mirror, chain)
    if found:
        documents = Case(
            "every signed document has its digest", lambda host: signed.check_documents(host, found[0])
        )
        views = Case("every answer says what is signed", lambda host: signed.check_views(host, found[0]))
        files = Case("no file says anything else", lambda host: signed_files.check_files(host, found[0]))
        for case in (documents, views, files):
            yield _result_with_warnings(mirror, case)


def _result_with_warnings(mirror: Mirror, case: Case) -> Result:
    """Run a case; what is read more than once is warned about once."""
    known = set(mirror.warnings)
    result = result_of(case.name, partial(case.run, mirror))
    news = dict.fromkeys(line for line in mirror.warnings if line not in known)
    return (
        Result(case.name, Outcome.WARN, "; ".join(news)) if news and result.outcome is Outcome.OK else result
    )


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


def versions_of(mirror: Mirror, signed: Mapping[str, int] | None) -> Versions:
    """Read what may only grow; None where the host does not say it, or nobody has verified it."""
    return Versions(
        catalog=_or_none(lambda: int(mirror.read(CATALOG).json()["version"])),
        checklists=_or_none(lambda: int(mirror.read(CHECKLISTS).json()["version"])),
        release=_or_none(lambda: str(mirror.read(RELEASES).json()["latest"]["version"])),
        packages=_or_none(lambda: hosted_digests(mirror)),
        documents=documents_of(mirror),
        signed=signed,
    )


def documents_of(mirror: Mirror) -> dict[str, dict[str, str]]:
    """Return version and digest of every document that has a version and can be read. Decision: G446."""
    found: dict[str, dict[str, str]] = {}

    def note(name: str, version: object, document: object) -> None:
        digest = hashlib.sha256(canonical_json(_without_links(document))).hexdigest()
        found[name] = {"version": str(version), "sha256": digest}

    def read_catalog() -> None:
        catalog = mirror.read(CATALOG).json()
        note("catalog", catalog["version"], catalog)

    def read_checklists() -> None:
        checklists = mirror.read(CHECKLISTS).json()
        note("checklists", checklists["version"], checklists)
        for row in checklists["checklists"]:
            note(f"checklists/{row['accession']}", checklists["version"], row)

    def read_release() -> None:
        release = mirror.read(RELEASES).json()["latest"]
        note(f"releases/{release['channel']}", release["version"], release)

    def read_research() -> None:
        research = mirror.read(RESEARCH).json()
        note("research-data", research["generatedAt"], research)

    def read_profiles() -> None:
        for row in mirror.read(PROFILES).json()["profiles"]:
            note(f"profiles/{row['id']}", row["version"], mirror.read(f"{PROFILES}/{row['id']}").json())

    for read in (read_catalog, read_checklists, read_release, read_research, read_profiles):
        _or_none(read)
    return found


def _without_links(document: Any) -> Any:
    if isinstance(document, dict):
        return {key: _without_links(value) for key, value in document.items() if key not in _LINKS}
    return [_without_links(item) for item in document] if isinstance(document, list) else document


def check_monotonic(previous: Versions | None, now: Versions) -> None:
    """Compare with an earlier report; raises `Failed`, or `Skipped` without one.

    Spec: registry, Versioning. Decision: G290, G446, G1110.
    """
    if previous is None:
        raise Skipped("no previous report is given")
    faults = [*_lower(previous, now), *_lower_signed(previous, now)]
    faults += [*_changed(previous, now), *_changed_documents(previous, now)]
    if faults:
        raise Failed("; ".join(faults))


def _lower(previous: Versions, now: Versions) -> Iterator[str]:
    for name in ("catalog", "checklists"):
        before, after = getattr(previous, name), getattr(now, name)
        if before is not None and (after is None or after < before):
            yield f"{name} version went from {before} to {after}"
    if previous.release is not None and (now.release is None or is_newer(previous.release, now.release)):
        yield f"latest release went from {previous.release} to {now.release}"


def _lower_signed(previous: Versions, now: Versions) -> Iterator[str]:
    if previous.signed is not None and now.signed is None:
        yield "the previous report has signed versions, and these are unknown: --root is needed"
        return
    for role, before in (previous.signed or {}).items():
        after = (now.signed or {}).get(role, 0)
        if after < before:
            yield f"{role} went from {before} to {after}"


def _changed(previous: Versions, now: Versions) -> Iterator[str]:
    for name, versions in (previous.packages or {}).items():
        there = (now.packages or {}).get(name, {})
        for version, digest in versions.items():
            if version not in there:
                yield f"{name} {version} is no longer published"
            elif there[version] != digest:
                yield f"{name} {version} has changed"


def _changed_documents(previous: Versions, now: Versions) -> Iterator[str]:
    for name, before in (previous.documents or {}).items():
        after = (now.documents or {}).get(name)
        if after is not None and after["version"] == before["version"] and after != before:
            yield f"{name} has changed under version {before['version']}"


def _or_none(read: Callable[[], _Found]) -> _Found | None:
    try:
        return read()
    except (Failed, KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None
