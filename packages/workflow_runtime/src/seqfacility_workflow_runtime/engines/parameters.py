"""The parameters of a run as both workflow engines read them."""

from seqfacility_workflow_runtime.engines.contract import StagedRun
from seqfacility_workflow_runtime.run_folder import JsonValue, write_json


def engine_parameters(run: StagedRun) -> dict[str, JsonValue]:
    """Add `input` and `outdir`, the two that every workflow gets, to the run's own; pure.

    They are the service's, so a configuration cannot point them elsewhere.

    Decision: G132.
    """
    own: dict[str, JsonValue] = {"outdir": str(run.folder.output)}
    if run.samplesheet is not None:
        own["input"] = str(run.samplesheet)
    return dict(run.params) | own


def write_parameters(run: StagedRun) -> None:
    """Write the parameters as a JSON file; no shell ever sees a value. Decision: G132."""
    write_json(run.folder.params, engine_parameters(run))
