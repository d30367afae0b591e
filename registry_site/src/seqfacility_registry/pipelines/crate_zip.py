"""A Workflow RO-Crate as one file: the package folder and its description, as a zip. Decision: G939."""

import io
import zipfile
from pathlib import Path

from seqfacility_registry.answers import ContentBroken
from seqfacility_registry.pipelines.content import PipelineContent
from seqfacility_registry.pipelines.ro_crate import FILE_NAME

_TIME = (1980, 1, 1, 0, 0, 0)
"""The first that a zip can say: the same package gives the same bytes."""


class NoCrate(Exception):
    """There is no such package, or a broken one."""


def crate_zip(pipelines: PipelineContent, content: Path, pipeline_id: str, version: str) -> bytes:
    """Return the zip of a published package; raises `NoCrate`."""
    crate = pipelines.crates.get((pipeline_id, version))
    if crate is None:
        raise NoCrate(f"there is no published package {pipeline_id} {version}")
    try:
        described = crate.ready("").content
    except ContentBroken as broken:
        raise NoCrate(f"the content is broken: {crate.fault('')}") from broken
    home = content / "pipelines" / pipeline_id / "versions" / version / pipeline_id
    read = pipelines.pipelines[pipeline_id].hosted(version).package.files
    files = {path: (home / path).read_bytes() for path in (*read.documents, *read.texts)}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, body in sorted({**files, FILE_NAME: described}.items()):
            archive.writestr(zipfile.ZipInfo(path, _TIME), body, zipfile.ZIP_DEFLATED)
    return made.getvalue()
