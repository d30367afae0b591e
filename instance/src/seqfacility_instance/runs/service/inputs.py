"""The samples of a run, and the three stages that every run passes twice: at creation and at launch."""

from collections.abc import Collection, Mapping
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
from seqfacility_instance.runs.store import targets
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.tables.studies import Study


@dataclass(frozen=True, slots=True)
class RunInputs:
    """Everything that a run is made of, checked. `sheet` is the text of its sample sheet."""

    samples: list[InputSample]
    config: JsonObject
    sheet: str


def checked_inputs(
    package: Package,
    target: Target,
    sample_ids: Collection[str] | None,
    base: str | None,
    *configs: JsonObject,
) -> RunInputs:
    """Read the samples of a run with their reads, and pass the three stages; `base` is the data base path.

    The configuration is the package's default with `configs` laid over it: the paths of reference databases,
    the admin's values, then the request's.

    Raises `MetadataInvalid`, `InputInvalid` or `ConfigInvalid`, each with its details; a later stage is
    looked at only when the one before has passed.

    Spec: instance, Errors: create run. Decision: G131, G136, G148, G149.
    """
    rows = targets.list_samples(target, sample_ids)
    reads = targets.active_reads([row.id for row in rows])
    study = targets.find_study(target.id) if target.type is TargetType.STUDY else None
    samples = [_input_sample(row, study, reads.get(row.id), base) for row in rows]
    if problems := metadata_problems(package.manifest, samples):
        raise MetadataInvalid(details=problems)
    problems = input_problems(package.manifest, samples)
    sheet = sheet_text(package.samplesheet, [sample.sheet_sources() for sample in samples])
    if not problems:
        problems = list(sheet.problems)
    if problems:
        raise InputInvalid(details=problems)
    config = merged_config(package.descriptor.default_config, *configs)
    if problems := config_problems(package.descriptor.config_schema, config):
        raise ConfigInvalid(details=problems)
    return RunInputs(samples, config, sheet.text)


def _input_sample(row: Sample, study: Study | None, read: Read | None, base: str | None) -> InputSample:
    order = row.order
    return InputSample(
        id=row.id,
        code=row.sample_code,
        sample=_sample_row(row),
        order=_order_row(order),
        study={} if study is None else _study_row(study),
        platform=order.platform,
        read=None if read is None else _input_read(read, order.platform, base),
        technology=_technology(order.custom_fields),
    )


def _technology(answers: Mapping[str, object]) -> Mapping[str, object]:
    """Find the technology that an order selected, in whichever field its form asks for it. Decision: G231."""
    selections = (answer for answer in answers.values() if isinstance(answer, dict))
    return next((answer for answer in selections if answer.get("technologyId")), {})


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
    paths = [file["path"] for file in recorded]
    return InputRead(
        id=read.id,
        file1=_absolute(read.file1, base),
        file2=_absolute(read.file2, base),
        layout=layout_of(read.file1, read.file2, platform),
        data_class=read.data_class,
        missing_files=tuple(path for path in paths if base is None or not (Path(base) / path).is_file()),
        recorded=tuple(recorded),
    )


def _absolute(path: str | None, base: str | None) -> str | None:
    return None if path is None or base is None else str(Path(base) / path)


def _sample_row(row: Sample) -> JsonObject:
    return {
        "id": row.id,
        "sampleId": row.sample_code,
        "sampleAlias": row.sample_alias,
        "scientificName": row.scientific_name,
        "taxId": row.tax_id,
        "checklistData": _json(row.checklist_data),
        "checklistUnits": _json(row.checklist_units),
        "customFields": _json(row.custom_fields),
    }


def _order_row(row: Order) -> JsonObject:
    return {
        "id": row.id,
        "orderNumber": row.order_number,
        "name": row.name,
        "status": row.status.value,
        "platform": row.platform,
        "libraryStrategy": row.library_strategy,
        "librarySource": row.library_source,
    }


def _study_row(row: Study) -> JsonObject:
    return {
        "id": row.id,
        "title": row.title,
        "alias": row.study_alias,
        "description": row.description,
        "checklistType": row.checklist_type,
        "studyAccessionId": row.study_accession_id,
    }


def _json(value: dict[str, object]) -> JsonValue:
    return value  # type: ignore[return-value]  # it came out of a JSON column
