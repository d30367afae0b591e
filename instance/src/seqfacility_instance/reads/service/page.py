"""Everything about the sequencing data of one order, for the facility's page."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.core.vocabulary.orders import OrderStatus
from seqfacility_instance.core.vocabulary.sequencing import DataClass
from seqfacility_instance.facility_settings.sections import UploadsSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders import sample_store
from seqfacility_instance.orders.sample_parts import SamplePart, matching_ids
from seqfacility_instance.orders.stages import Stages
from seqfacility_instance.reads import store
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact


@dataclass(frozen=True, slots=True)
class SampleData:
    """One sample with what was sequenced of it."""

    sample: Sample
    read: Read | None
    superseded_reads: int
    artifacts: list[SequencingArtifact]
    stream: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class PageContents:
    """What the page shows. Decision: G86."""

    order: Order
    can_manage: bool
    is_base_path_configured: bool
    upload_rules: UploadsSection
    default_data_class: DataClass
    samples: list[SampleData]
    matching: list[SampleData]
    """Those that are asked for, on all pages."""
    artifacts: list[SequencingArtifact]
    open_uploads: Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class SequencingPage:
    """Collects the page; uploads and streams are higher layers and come as functions."""

    facility: FacilitySettings
    open_uploads: Callable[[str], Sequence[Mapping[str, object]]]
    streams_of_samples: Callable[[str], Mapping[str, Mapping[str, object]]]
    stages: Stages

    def show(self, opened: OrderFor[FacilityAdmin], part: SamplePart | None = None) -> PageContents:
        """Return the sequencing data of an order in a fixed number of queries. Decision: G86, G549."""
        order = opened.row
        reads = defaultdict[str, list[Read]](list)
        for read in store.list_reads_of_order(order.id):
            reads[read.sample_id].append(read)
        artifacts = store.list_artifacts_of_order(order.id)
        of_samples = defaultdict[str | None, list[SequencingArtifact]](list)
        for artifact in artifacts:
            of_samples[artifact.sample_id].append(artifact)
        streams = self.streams_of_samples(order.id)
        storage = self.facility.storage()
        samples = [
            SampleData(
                sample=sample,
                read=next((read for read in reads[sample.id] if read.is_active), None),
                superseded_reads=sum(not read.is_active for read in reads[sample.id]),
                artifacts=of_samples[sample.id],
                stream=streams.get(sample.id),
            )
            for sample in sample_store.list_samples(order.id)
        ]
        matching = samples
        if part is not None:
            wanted = set(matching_ids(opened.caller, order, part.words, self.stages))
            matching = [data for data in samples if data.sample.id in wanted]
        return PageContents(
            order=order,
            can_manage=order.status is not OrderStatus.DRAFT and not opened.caller.is_demo,
            is_base_path_configured=storage.data_base_path is not None,
            upload_rules=self.facility.uploads(),
            default_data_class=storage.default_upload_data_class,
            samples=samples,
            matching=matching,
            artifacts=artifacts,
            open_uploads=self.open_uploads(order.id),
        )
