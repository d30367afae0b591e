"""What a run could be made of, as the page that starts one reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqfacility_instance.runs.service.options import Options, SampleOption

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def run_options(options: Options) -> answers.RunOptions:
    """Write what may be chosen of a run. Decision: G770, G932, G987."""
    answer: answers.RunOptions = {
        "pipelineId": options.package.id,
        "version": options.package.version,
        "config": dict(options.config),
        "executionModes": [mode.value for mode in options.modes],
        "defaultMode": options.default_mode.value,
        "samples": [_sample_option(option) for option in options.samples],
    }
    if options.sequencing_runs is not None:
        answer["sequencingRuns"] = [
            {
                "id": run.id,
                "runId": run.run_id,
                "samples": len(run.sample_ids),
                "problems": run.problems or ([] if run.sample_ids else ["has no samples"]),
            }
            for run in options.sequencing_runs
        ]
    if options.warnings:
        answer["warnings"] = options.warnings
    return answer


def _sample_option(option: SampleOption) -> answers.RunOptionsSample:
    alias = option.sample.sample["sampleAlias"]
    return {
        "id": option.sample.id,
        "sampleId": option.sample.code,
        "sampleAlias": alias if isinstance(alias, str) else None,
        "problems": option.problems,
    }
