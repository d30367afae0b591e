"""Cases on what the documents say: schemas, cross-references, digests.

Decision: G232, G233, G234, G235, G237, G238, G239, G240. Spec: registry, Pipeline registry index;
registry, Pipeline registry; registry, MIxS registry; registry, Release feed; registry, Research-data
tracker; registry, Install profiles.
"""

from typing import Any

from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_schemas import problems
from seqfacility_schemas.catalog_rules import COLLECTIONS
from seqfacility_wire.versions import is_newer

from seqfacility_registry.catalog import publishing_checks as catalog_checks
from seqfacility_registry.checklists import publishing_checks as checklist_checks
from seqfacility_registry.conformance.mirror import Mirror, Skipped, expect
from seqfacility_registry.pipelines.ro_crate import FILE_NAME
from seqfacility_registry.releases.rules import newest_first
from seqfacility_registry.settings import ADDRESS

INDEX = "/registry"
CHECKLISTS = "/registry/mixs"
CATALOG = "/registry/sequencing-tech"
RELEASES = "/version"
RESEARCH = "/research-data"
PROFILES = "/install-profiles"


def health(mirror: Mirror) -> None:
    mirror.document("/health", "registry/health")


def pipelines_of(mirror: Mirror) -> list[dict[str, Any]]:
    """Return the entries of the index."""
    document = mirror.document(INDEX, "registry/pipeline-index")
    check_link("baseUrl", document["baseUrl"])
    rows: list[dict[str, Any]] = document["pipelines"]
    return rows


def index(mirror: Mirror) -> None:
    rows = pipelines_of(mirror)
    ids = [row["id"] for row in rows]
    expect(len(ids) == len(set(ids)), "an id stands twice")
    for row in rows:
        versions = [version["version"] for version in row["versions"]]
        expect(row["latestVersion"] in versions, f"{row['id']}: latestVersion is not among versions")
        hosted = [version for version in row["versions"] if "downloadUrl" in version]
        for version in hosted:
            check_link(f"{row['id']}: downloadUrl", version["downloadUrl"])
        expect(not hosted or row["status"] != "private", f"{row['id']}: private, but with a downloadUrl")
        yanked = {version["version"] for version in row["versions"] if version.get("status") == "yanked"}
        expect(
            row["latestVersion"] not in yanked or len(yanked) == len(versions),
            f"{row['id']}: latestVersion is withdrawn, another version is not",
        )


def entries(mirror: Mirror) -> None:
    for row in pipelines_of(mirror):
        entry = entry_of(mirror, row["id"])
        for key, value in row.items():
            if key != "versions":
                expect(entry[key] == value, f"{row['id']}: {key} differs between index and entry")
        listed = [(version["version"], version.get("yankReason")) for version in row["versions"]]
        said = [(version["version"], version.get("yankReason")) for version in entry["versions"]]
        expect(said == listed, f"{row['id']}: versions differ")
        for version in entry["versions"]:
            if "downloadUrl" in version:
                check_link(f"{row['id']}: downloadUrl", version["downloadUrl"])
        known = {step["id"] for step in entry["steps"]}
        wanted = {name for step in entry["steps"] for name in step["dependsOn"]}
        expect(wanted <= known, f"{row['id']}: a step depends on an unknown one")


def entry_of(mirror: Mirror, pipeline_id: str) -> dict[str, Any]:
    """Return the full entry of a pipeline."""
    return mirror.document(f"{INDEX}/{pipeline_id}", "registry/pipeline-entry")


def hosted_digests(mirror: Mirror) -> dict[str, dict[str, str]]:
    """Return the announced digest of every hosted version, by pipeline."""
    return {
        row["id"]: {
            version["version"]: version["sha256"]
            for version in entry_of(mirror, row["id"])["versions"]
            if "sha256" in version
        }
        for row in pipelines_of(mirror)
    }


def downloads(mirror: Mirror) -> None:
    for pipeline_id, versions in hosted_digests(mirror).items():
        for version, announced in versions.items():
            payload = mirror.document(_download(pipeline_id, version), "pipeline_package/payload")
            where = f"{pipeline_id} {version}"
            expect((payload["id"], payload["version"]) == (pipeline_id, version), f"{where}: another package")
            expect(payload["sha256"] == payload_digest(payload), f"{where}: sha256 does not fit the payload")
            expect(payload["sha256"] == announced, f"{where}: sha256 is not the announced one")


def crates(mirror: Mirror) -> None:
    for pipeline_id, versions in hosted_digests(mirror).items():
        for version in versions:
            path = f"{INDEX}/pipelines/{pipeline_id}/{version}/{FILE_NAME}"
            named = {entity["@id"] for entity in mirror.document(path, "registry/ro-crate")["@graph"]}
            main = mirror.document(path, "registry/ro-crate")["@graph"][1]["mainEntity"]["@id"]
            expect(main in named, f"{pipeline_id} {version}: the main workflow is not described")


def private_downloads(mirror: Mirror) -> None:
    rows = [row for row in pipelines_of(mirror) if row["status"] == "private"]
    if not rows:
        raise Skipped("no private pipeline is listed")
    for row in rows:
        reply = mirror.ask(_download(row["id"], row["latestVersion"]))
        mirror.expect_refusal(reply, 404, "Pipeline package not found")


def checklists(mirror: Mirror) -> None:
    document = mirror.document(CHECKLISTS, "registry/mixs")
    found = list(checklist_checks.set_problems(document["checklists"]))
    expect(not found, "; ".join(found[:3]))


def checklist_by_accession(mirror: Mirror) -> None:
    mirror.needs_service()
    document = mirror.document(CHECKLISTS, "registry/mixs")
    for wanted in document["checklists"][:3]:
        answer = mirror.ask(CHECKLISTS, query={"accession": wanted["accession"]}).json()
        found = problems("registry/mixs-checklist", answer)
        expect(not found, "; ".join(found[:3]))
        expect(answer == {"version": document["version"], "checklist": wanted}, "differs from the list")


def checklist_changes(mirror: Mirror) -> None:
    newest = mirror.document(CHECKLISTS, "registry/mixs")["version"]
    document = mirror.document(f"{CHECKLISTS}/changes", "registry/mixs-changes")
    numbers = [edition["version"] for edition in document["editions"]]
    expect(numbers == sorted(set(numbers), reverse=True), "versions are not in descending order, or repeated")
    expect(document["version"] == numbers[0] == newest, "the newest version is not that of the list")


def catalog(mirror: Mirror) -> None:
    found = catalog_checks.item_problems(mirror.document(CATALOG, "registry/sequencing-tech"))
    expect(not found, "; ".join(found[:3]))


def images(mirror: Mirror) -> None:
    """Spec: registry, Catalog sync source: relative paths are resolved against the origin."""
    document = mirror.document(CATALOG, "registry/sequencing-tech")
    items = [item for name in COLLECTIONS for item in document[name]]
    paths = {str(item[key]) for item in items for key in ("icon", "image") if item.get(key)}
    for path in sorted(path for path in paths if path.startswith("/")):
        reply = mirror.ask(f"/{path}")
        kind = reply.headers.get("content-type", "")
        expect(reply.status == 200 and kind.startswith("image/"), f"{path}: {reply.status} {kind}")


def is_without_release(mirror: Mirror) -> bool:
    """Return whether nothing has been released yet, which has a refusal of its own.

    Spec: registry, Errors.
    """
    reply = mirror.ask(RELEASES)
    if reply.status == 404:
        mirror.expect_refusal(reply, 404, "No releases found for channel")
    return reply.status == 404


def release_feed(mirror: Mirror) -> None:
    if is_without_release(mirror):
        return
    document = mirror.document(RELEASES, "registry/release-feed")
    expect(document["updateAvailable"] is False, "updateAvailable without a version to compare")
    expect("currentVersion" not in document, "currentVersion without being named")
    expect(document["latest"]["channel"] == "stable", "the default channel is not stable")


def all_releases(mirror: Mirror) -> None:
    releases = mirror.document("/releases", "registry/releases")["releases"]
    expect(releases == newest_first(releases), "releases are not in descending order of their versions")
    newest = next((row for row in releases if row["channel"] == "stable"), None)
    latest = (
        None if is_without_release(mirror) else mirror.document(RELEASES, "registry/release-feed")["latest"]
    )
    expect(newest == latest, "the newest stable release is not that of the feed")


def release_comparison(mirror: Mirror) -> None:
    mirror.needs_service()
    if is_without_release(mirror):
        return
    latest = mirror.document(RELEASES, "registry/release-feed")["latest"]["version"]
    core = latest.split("-")[0].split(".")
    higher = ".".join([*core[:-1], str(int(core[-1]) + 10)])
    for current, newer in {
        "0.0.0": is_newer(latest, "0.0.0"),
        latest: False,
        higher: False,
        "x": False,
    }.items():
        answer = mirror.ask(RELEASES, query={"current": current}).json()
        found = problems("registry/release-feed", answer)
        expect(not found, "; ".join(found[:3]))
        said = (answer["updateAvailable"], answer.get("currentVersion"))
        expect(said == (newer, current), f"current={current}: {said}")


def research_data(mirror: Mirror) -> None:
    document = mirror.document(RESEARCH, "registry/research-data")
    expect(document["count"] == len(document["metrics"]), "count is not the number of metrics")
    for metric in document["metrics"]:
        dates = [point[0] for point in metric["series"]]
        expect(dates == sorted(dates), f"{metric['id']}: series is not chronological")
        expect(metric["category"] in document["categories"], f"{metric['id']}: unknown category")


def research_filters(mirror: Mirror) -> None:
    mirror.needs_service()
    whole = mirror.document(RESEARCH, "registry/research-data")
    flagship = [metric for metric in whole["metrics"] if metric["flagship"]]
    answer = mirror.ask(RESEARCH, query={"flagship": "1", "latest": "true"}).json()
    wanted = [{**metric, "series": metric["series"][-1:]} for metric in flagship]
    expect(answer["metrics"] == wanted, "flagship and latest do not combine")
    expect(answer["count"] == len(wanted), "count is not taken after filtering")
    expect(answer["categories"] == whole["categories"], "categories are filtered")
    nothing = mirror.ask(RESEARCH, query={"metric": "no-such-metric"}).json()
    expect((nothing["count"], nothing["metrics"]) == (0, []), "an unknown metric is not simply absent")


def install_profiles(mirror: Mirror) -> None:
    rows = mirror.document(PROFILES, "registry/install-profile-list")["profiles"]
    for row in rows:
        entry = mirror.document(f"{PROFILES}/{row['id']}", "registry/install-profile")
        expect(all(entry[key] == value for key, value in row.items()), f"{row['id']}: differs from the list")
        expect(row["enabled"], f"{row['id']}: listed, but not enabled")
        check_link(f"{row['id']}: resolveUrl", row["resolveUrl"])
        expect(
            row["resolveUrl"] in entry["installCommand"], f"{row['id']}: the command names another address"
        )


def check_link(where: str, link: str) -> None:
    """Refuse a link without an address, which only signed documents have, and one that is more than that.

    Decision: G902, G1111.
    """
    expect(link.startswith(("http://", "https://")), f"{where} has no address")
    expect(ADDRESS.fullmatch(link) is not None, f"{where} is no address: {link!r}")


def _download(pipeline_id: str, version: str) -> str:
    return f"{INDEX}/pipelines/{pipeline_id}/{version}/download"
