"""The samples of a run, and the three stages that every run passes twice: at creation and at launch."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from seqfacility_pipeline_package.descriptor import config_problems, merged_config
from seqfacility_pipeline_package.documents import JsonObject, JsonValue
from seqfacility_pipeline_package.package import Package
from seqfacility_pipeline_package.samplesheet import sheet_text

from seqfacility_instance.core.vocabulary.pipelines import TargetType
from seqfacility_instance.core.vocabulary.sequencing import Mate
from seqfacility_instance.reads.rules import layout_of
from seqfacility_instance.results.run_inputs import InputFile
from seqfacility_instance.runs.errors import ConfigInvalid, InputInvalid, MetadataInvalid
from seqfacility_instance.runs.rules.inputs import (
    InputRead,
    InputSample,
    input_problems,
    metadata_problems,
)
from seqfacility_instance.runs.rules.requests import Target
from seqfacility_instance.runs.service.sequencing_input import SHEET_NAME, SequencingInput
from seqfacility_instance.runs.store import targets
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.tables.studies import Study


@dataclass(frozen=True, slots=True)
class RunInputs:
    """Everything that a run is made of, checked. `sheet` is the text of its sample sheet.

    Of a run that works on a sequencing run it is written when the run has a folder, because it names a file
    there.
    """

    samples: list[InputSample]
    config: JsonObject
    sheet: str
    sequencing: SequencingInput | None = None


def checked_inputs(
    package: Package,
    target: Target,
    sample_ids: Collection[str] | None,
    base: str | None,
    *configs: JsonObject,
    sequencing: SequencingInput | None = None,
) -> RunInputs:
    """Read the samples of a run with their reads, and pass the three stages; `base` is the data base path.

    A run that works on a sequencing run has the samples of that. The configuration is the package's default
    with `configs` laid over it: the paths of reference databases, the admin's values, then the request's.

    Raises `MetadataInvalid`, `InputInvalid` or `ConfigInvalid`, each with its details; a later stage is
    looked at only when the one before has passed.

    Spec: instance, Errors: create run. Decision: G131, G136, G148, G149, G986.
    """
    samples = input_samples(target, sample_ids if sequencing is None else sequencing.sample_ids, base)
    if problems := metadata_problems(package.manifest, samples):
        raise MetadataInvalid(details=problems)
    problems = input_problems(package.manifest, samples)
    if sequencing is None:
        rows = [sample.sheet_sources() for sample in samples]
    else:
        rows, problems = [sequencing.sheet_sources(SHEET_NAME)], [*problems, *sequencing.problems]
    sheet = sheet_text(package.samplesheet, rows)
    if not problems:
        problems = list(sheet.problems)
    if problems:
        raise InputInvalid(details=problems)
    config = merged_config(package.descriptor.default_config, *configs)
    if problems := config_problems(package.descriptor.config_schema, config):
        raise ConfigInvalid(details=problems)
    return RunInputs(samples, config, sheet.text, sequencing)


def input_samples(target: Target, sample_ids: Collection[str] | None, base: str | None) -> list[InputSample]:
    """Read samples of a target with their active reads, by code; `base` is the data base path."""
    rows = targets.list_samples(target, sample_ids)
    reads = targets.active_reads([row.id for row in rows])
    study = targets.find_study(target.id) if target.type is TargetType.STUDY else None
    return [_input_sample(row, study, reads.get(row.id), base) for row in rows]


def _input_sample(row: Sample, study: Study | None, read: Read | None, base: str | None) -> InputSample:
    order = row.order
    # WHY: a technology is in whichever field the form of the order asks for it. Decision: G231.
    selections = (answer for answer in order.custom_fields.values() if isinstance(answer, dict))
    return InputSample(
        id=row.id,
        code=row.sample_code,
        sample={
            "id": row.id,
            "sampleId": row.sample_code,
            "sampleAlias": row.sample_alias,
            "scientificName": row.scientific_name,
            "taxId": row.tax_id,
            "checklistData": _json(row.checklist_data),
            "checklistUnits": _json(row.checklist_units),
            "customFields": _json(row.custom_fields),
        },
        order={
            "id": order.id,
            "orderNumber": order.order_number,
            "name": order.name,
            "status": order.status.value,
            "platform": order.platform,
            "libraryStrategy": order.library_strategy,
            "librarySource": order.library_source,
        },
        study={}
        if study is None
        else {
            "id": study.id,
            "title": study.title,
            "alias": study.study_alias,
            "description": study.description,
            "checklistType": study.checklist_type,
            "studyAccessionId": study.study_accession_id,
        },
        platform=order.platform,
        read=None if read is None else _input_read(read, order.platform, base),
        technology=next((answer for answer in selections if answer.get("technologyId")), {}),
    )


def _input_read(read: Read, platform: str | None, base: str | None) -> InputRead:
    """Make the paths of a read absolute, look which of its files are there, keep what is recorded."""
    recorded: list[InputFile] = [
        {
            "sampleId": read.sample_id,
            "role": mate.value,
            "path": path,
            "dataClass": read.data_class.value,
            "size": size,
            "checksum": checksum,
        }
        for mate, path, size, checksum in (
            (Mate.R1, read.file1, read.size1, read.checksum1),
            (Mate.R2, read.file2, read.size2, read.checksum2),
        )
        if path is not None
    ]
    absolute = {} if base is None else {file["role"]: Path(base) / file["path"] for file in recorded}
    paths = {role: str(path) for role, path in absolute.items()}
    return InputRead(
        id=read.id,
        file1=paths.get(Mate.R1.value),
        file2=paths.get(Mate.R2.value),
        layout=layout_of(read.file1, read.file2, platform),
        data_class=read.data_class,
        missing_files=tuple(
            file["path"] for file in recorded if base is None or not absolute[file["role"]].is_file()
        ),
        recorded=tuple(recorded),
    )


def _json(value: dict[str, object]) -> JsonValue:
    return value  # type: ignore[return-value]  # it came out of a JSON column
