"""Cases on the Tool Registry Service: its documents agree with the index, and files with their checksums.

Decision: G934, G935.
"""

import hashlib

from seqfacility_schemas import problems

from seqfacility_registry.conformance.documents import check_link, pipelines_of
from seqfacility_registry.conformance.mirror import Mirror, Skipped, expect
from seqfacility_registry.trs.rules import ROOT, tool_id


def service_info(mirror: Mirror) -> None:
    mirror.checked(_path(mirror, "service-info"), "registry/trs-service-info")
    mirror.checked(_path(mirror, "toolClasses"), "registry/trs-tool-classes")


def tools(mirror: Mirror) -> None:
    listed = mirror.checked(_path(mirror, "tools"), "registry/trs-tools")
    said = {tool["id"]: [version["id"] for version in tool["versions"]] for tool in listed}
    offered = {
        tool_id(row["id"]): [
            version["version"] for version in row["versions"] if version.get("status") != "yanked"
        ]
        for row in pipelines_of(mirror)
        if row["status"] != "private"
    }
    expect(said == offered, "tools and their versions are not those of the index")
    for tool in listed:
        one = mirror.checked(_path(mirror, f"tools/{tool['id']}"), "registry/trs-tool")
        expect(one == tool, f"{tool['id']}: differs from the list")
        for link in (tool["url"], *(version["url"] for version in tool["versions"])):
            check_link(tool["id"], link)
        path = _path(mirror, f"tools/{tool['id']}/versions")
        versions = mirror.checked(path, "registry/trs-tool-versions")
        expect(versions == tool["versions"], f"{tool['id']}: versions differ from the list")


def files(mirror: Mirror) -> None:
    listed = mirror.checked(_path(mirror, "tools"), "registry/trs-tools")
    for tool in listed:
        for version in tool["versions"]:
            path = _path(mirror, f"tools/{tool['id']}/versions/{version['id']}")
            one = mirror.checked(path, "registry/trs-tool-version")
            expect(one == version, f"{tool['id']} {version['id']}: differs from the list")
            for kind in version["descriptor_type"]:
                _check_files(mirror, f"{path}/{kind}")


def encoded_ids(mirror: Mirror) -> None:
    """An id has a slash, which clients encode; a server of files may take that for a part of a name."""
    listed = mirror.checked(_path(mirror, "tools"), "registry/trs-tools")
    for tool in listed[:1]:
        reply = mirror.ask(_path(mirror, f"tools/{tool['id'].replace('/', '%2F')}"))
        if mirror.is_static and reply.status != 200:
            raise Skipped("the server does not decode a slash: see server/ of the export")
        expect(reply.status == 200 and reply.json() == tool, f"{tool['id']}: not found with an encoded slash")


def unknown_tool(mirror: Mirror) -> None:
    for path in ("tools/seqfacility/no-such-thing", "tools/seqfacility/no-such-thing/versions/1.0.0"):
        reply = mirror.ask(_path(mirror, path))
        expect(reply.status == 404, f"{path}: status {reply.status}")
        if mirror.is_static and reply.headers.get("content-type") != "application/json":
            raise Skipped("the server refuses in its own words: see server/ of the export")
        found = problems("registry/trs-error", reply.json())
        expect(not found, "; ".join(found[:1]))


def _check_files(mirror: Mirror, path: str) -> None:
    listed = mirror.checked(f"{path}/files", "registry/trs-tool-files")
    primary = [row["path"] for row in listed if row["file_type"] == "PRIMARY_DESCRIPTOR"]
    expect(len(primary) == 1, f"{path}: {len(primary)} main scripts")
    mirror.checked(f"{path}/tests", "registry/trs-tests")
    main = mirror.checked(f"{path}/descriptor", "registry/trs-file")
    for row in listed:
        file = mirror.checked(f"{path}/descriptor/{row['path']}", "registry/trs-file")
        expect(row["path"] != primary[0] or file == main, f"{path}: two main scripts")
        digest = hashlib.sha256(file.get("content", "").encode()).hexdigest()
        sums = [one["checksum"] for one in file.get("checksum", ())]
        expect(
            "content" not in file or sums == [digest], f"{path}/descriptor/{row['path']}: checksum differs"
        )


def _path(mirror: Mirror, name: str) -> str:
    return mirror.beside(f"{ROOT.removeprefix('/')}/{name}")
