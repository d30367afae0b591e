"""Discovery scripts of packages: what they find is added to what the manifest's patterns find."""

import json
import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from seqfacility_pipeline_package.enums import SAMPLE_DESTINATIONS
from seqfacility_pipeline_package.manifest import Output
from seqfacility_workflow_runtime.package_script import ScriptFailed, ScriptTooSlow, run_package_script

from seqfacility_instance.core import limits
from seqfacility_instance.results.output_folder import TooSlow
from seqfacility_instance.results.rules.matching import Found


@dataclass(frozen=True, slots=True)
class Findings:
    """What scripts said. Decision: G137, G189."""

    found: list[Found] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def run_discovery(
    scripts: Sequence[Path],
    run_folder: Path,
    outputs: Sequence[Output],
    sizes: Mapping[str, int],
    codes: Collection[str],
    seconds: float | None,
) -> Findings:
    """Run the discovery scripts of a package over a run folder.

    A script answers `{files: [{path, output, sample?}], errors: [string], summary}`: paths relative to
    `output/`, the id of an output of the manifest, a sample code. Only files that are really there, of
    known outputs and samples, are taken. Raises `TooSlow` when a caller that has only `seconds` could not
    wait for them, which says nothing about the run.

    Decision: G137, G180, G189.
    """
    findings = Findings()
    deadline = time.monotonic() + (math.inf if seconds is None else seconds)
    for script in scripts:
        bound = min(deadline - time.monotonic(), limits.DISCOVERY_SCRIPT_SECONDS)
        try:
            content = run_package_script(script, run_folder, bound, limits.DISCOVERY_OUTPUT_MAX_BYTES)
            answer = json.loads(content)
        except ScriptTooSlow as failed:
            if bound < limits.DISCOVERY_SCRIPT_SECONDS:
                raise TooSlow from failed
            findings.errors.append(f"{script.name}: {failed}")
            continue
        except ScriptFailed as failed:
            findings.errors.append(f"{script.name}: {failed}")
            continue
        except (ValueError, RecursionError):
            findings.errors.append(f"{script.name}: its answer is no JSON")
            continue
        _take(script.name, answer, findings, outputs, sizes, codes)
    return findings


def _take(
    name: str,
    answer: object,
    findings: Findings,
    outputs: Sequence[Output],
    sizes: Mapping[str, int],
    codes: Collection[str],
) -> None:
    if not isinstance(answer, dict):
        findings.errors.append(f"{name}: its answer is no object")
        return
    errors, files = answer.get("errors"), answer.get("files")
    findings.errors.extend(str(error)[:500] for error in (errors if isinstance(errors, list) else [])[:100])
    positions = {output.id: (position, output) for position, output in enumerate(outputs)}
    for file in files if isinstance(files, list) else []:
        found = _found(file, positions, sizes, codes)
        if found is None:
            findings.warnings.append(f"{name}: names a file that cannot be taken")
        else:
            findings.found.append(found)


def _found(
    file: object,
    positions: Mapping[str, tuple[int, Output]],
    sizes: Mapping[str, int],
    codes: Collection[str],
) -> Found | None:
    if not isinstance(file, dict):
        return None
    path, known, code = file.get("path"), positions.get(str(file.get("output"))), file.get("sample")
    if not isinstance(path, str) or path not in sizes or known is None:
        return None
    if code is not None and (not isinstance(code, str) or code not in codes):
        return None
    position, output = known
    if code is None and output.destination in SAMPLE_DESTINATIONS:
        return None
    return Found(output, position, path, code)
