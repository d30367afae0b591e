"""Queries of file operations on tables of other slices; nothing is written here."""

from peewee import JOIN, ModelSelect

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.core.vocabulary import ArtifactVisibility, OrderStatus
from seqfacility_instance.tables import (
    Assembly,
    Order,
    PipelineRun,
    Sample,
    SequencingArtifact,
    Study,
)


def list_assemblies_with_path(path: str) -> "list[Assembly]":
    """List the assemblies with this stored path, with sample, order and study. Gap: G122."""
    return list(_assemblies().where(Assembly.assembly_file == path))


def may_download_assembly(caller: SignedIn, assembly: Assembly) -> bool:
    """Tell whether a researcher owns order or study of an assembly whose order is completed. Gap: G122."""
    order, study = assembly.sample.order, assembly.sample.study
    owners = {order.user_id} | ({study.user_id} if study is not None else set())
    return caller.user_id in owners and order.status is OrderStatus.COMPLETED


def may_download_artifact(caller: SignedIn, artifact: SequencingArtifact) -> bool:
    """Tell whether an artifact is offered to a researcher. Spec: instance, File operations."""
    return (
        artifact.order.user_id == caller.user_id
        and artifact.order.sequencing_files_published_at is not None
        and artifact.visibility is ArtifactVisibility.CUSTOMER
    )


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
