"""What the audit trail keeps of the version that a run uses."""

from collections.abc import Sequence

from seqfacility_instance.tables.pipelines import PipelineRun


def used_version(run: PipelineRun, warnings: Sequence[str] = ()) -> dict[str, object]:
    """Return pipeline and version, and what was known against it; it outlives the run. Decision: G928."""
    used: dict[str, object] = {"pipelineId": run.pipeline_id, "pipelineVersion": run.pipeline_version}
    return used | ({"warnings": list(warnings)} if warnings else {})
