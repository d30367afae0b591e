"""Queries of file operations on tables of other slices; nothing is written here."""

import os
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Final

from peewee import JOIN, ModelSelect

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach
from seqfacility_instance.core.vocabulary.orders import OrderStatus
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.files.rules import ASSEMBLY_EXTENSIONS
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import Assembly
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.tables.studies import Study

_ACTIVE: Final = (RunStatus.PENDING, RunStatus.QUEUED, RunStatus.RUNNING)


def list_assemblies_with_path(path: str) -> "list[Assembly]":
    """List the assemblies with this stored path, with sample, order and study. Decision: G122."""
    return list(_assemblies().where(Assembly.assembly_file == path))


def is_used_by_a_run(path: str, root: Path) -> bool:
    """Return whether an active run reads this file or writes in its folder. Decision: G126."""
    active = list(PipelineRun.select().where(PipelineRun.status.in_(_ACTIVE)))
    if not active:
        return False
    samples = Sample.select().join(Read).where((Read.file1 == path) | (Read.file2 == path))
    read_by = any(_reads_sample(run, sample) for run in active for sample in samples)
    return read_by or any(run.run_folder and _is_beneath(root / path, run.run_folder) for run in active)


def _reads_sample(run: PipelineRun, sample: Sample) -> bool:
    is_target = sample.order_id == run.order_id if run.order_id else sample.study_id == run.study_id
    return is_target and (run.input_sample_ids is None or sample.id in run.input_sample_ids)


def _is_beneath(path: Path, folder: str) -> bool:
    # WHY not Path.resolve: before Python 3.13 it raises RuntimeError for a link that leads to itself.
    real = Path(os.path.realpath(path))
    return path.is_relative_to(folder) or real.is_relative_to(os.path.realpath(folder))


def find_run_of(path: Path) -> PipelineRun | None:
    """Find the run whose folder an absolute path lies in, by the name of the folder. Decision: G123, G154."""
    runs = PipelineRun.select().where(
        PipelineRun.run_number.in_(list(path.parts)) & PipelineRun.run_folder.is_null(False)
    )
    return next((run for run in runs if run.run_folder and _is_beneath(path, run.run_folder)), None)


def find_run_elsewhere(path: str, data_root: Path) -> PipelineRun | None:
    """Find the run that a relative path names first, when its folder lies outside of the data folder.

    Researchers are shown such files below the run's number and not by where the facility keeps them.

    Decision: G123, G167.
    """
    run = PipelineRun.get_or_none(PipelineRun.run_number == path.partition("/")[0])
    if run is None or run.run_folder is None or _is_beneath(Path(run.run_folder), str(data_root)):
        return None
    return run


def page_of_assemblies(
    caller: SignedIn, *, order_id: str | None, study_id: str | None, limit: int, offset: int
) -> "tuple[list[Assembly], int]":
    """List the assemblies that are open to `caller`, newest first, and count them all.

    Decision: G122, G127.
    """
    condition = in_reach(caller, Order.user)
    if not caller.is_admin:
        owned = (Order.user == caller.user_id) | (Study.user == caller.user_id)
        names = [
            Assembly.assembly_file.endswith(f"{end}{packed}")
            for end in ASSEMBLY_EXTENSIONS
            for packed in ("", ".gz")
        ]
        is_inside = ~Assembly.assembly_file.startswith("/")
        condition &= owned & (Order.status == OrderStatus.COMPLETED) & is_inside & reduce(or_, names)
    if order_id is not None:
        condition &= Sample.order == order_id
    if study_id is not None:
        condition &= Sample.study == study_id
    query = _assemblies().where(condition)
    page = query.order_by(Assembly.created_at.desc(), Assembly.id.desc()).limit(limit).offset(offset)
    return list(page), query.count()


def _assemblies() -> "ModelSelect[Assembly]":
    return (
        Assembly.select(Assembly, Sample, Order, Study, PipelineRun)
        .join(Sample)
        .join(Order)
        .switch(Sample)
        .join(Study, JOIN.LEFT_OUTER, on=Sample.study)
        .switch(Assembly)
        .join(PipelineRun)
    )
