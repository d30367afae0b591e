"""Requests and answers of file operations. Spec: instance, File operations (checksum)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqfacility_wire.timestamps import format_time

from seqfacility_instance.core import limits
from seqfacility_instance.files.errors import PathsRequired, TooManyFiles
from seqfacility_instance.tables.results import Assembly

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def file_paths(body: dict[str, object]) -> list[str]:
    """Read the list of paths; raises `PathsRequired` or `TooManyFiles`. Decision: G125, G126."""
    listed = body.get("filePaths")
    if not isinstance(listed, list) or not listed or not all(isinstance(path, str) for path in listed):
        raise PathsRequired
    if len(listed) > limits.FILE_PATHS_PER_CALL:
        raise TooManyFiles
    return listed


def checksum_answer(results: list[answers.ChecksumsResult]) -> answers.ChecksumsAnswer:
    """Answer a checksum call: one result for each entry, in request order. Decision: G125, G276."""
    successful = [result for result in results if "error" not in result]
    updated = [result for result in results if result["updatedReadRecord"]]
    return {
        "success": True,
        "results": results,
        "summary": {
            "total": len(results),
            "successful": len(successful),
            "failed": len(results) - len(successful),
            "updatedReadRecords": len(updated),
            "notLinkedToRead": len(successful) - len(updated),
        },
    }


def assembly_shape(assembly: Assembly, *, is_downloadable: bool) -> answers.Assembly:
    """Show an assembly, its sample and run joined. Decision: G127."""
    sample, run = assembly.sample, assembly.created_by_pipeline_run
    return {
        "id": assembly.id,
        "assemblyName": assembly.assembly_name,
        "assemblyFile": assembly.assembly_file,
        "assemblyAccession": assembly.assembly_accession,
        "sampleId": sample.id,
        "sampleCode": sample.sample_code,
        "orderId": sample.order_id,
        "studyId": sample.study_id,
        "size": assembly.size,
        "pipelineRunId": run.id,
        "runNumber": run.run_number,
        "downloadable": is_downloadable,
        "createdAt": format_time(assembly.created_at),
    }
