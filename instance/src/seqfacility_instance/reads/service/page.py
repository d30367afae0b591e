"""Everything about the sequencing data of one order, for the facility's page."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from seqfacility_wire.paging import NumberedPage

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.core.vocabulary.orders import OrderStatus
from seqfacility_instance.core.vocabulary.sequencing import DataClass
from seqfacility_instance.facility_settings.sections import UploadsSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders import sample_store
from seqfacility_instance.orders.sample_parts import SampleWords, matching_ids
from seqfacility_instance.orders.stages import Stages
from seqfacility_instance.reads import store
from seqfacility_instance.reads.md5_states import Md5States, md5_states
from seqfacility_instance.reads.rules import is_delivered
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
    is_delivered: bool


@dataclass(frozen=True, slots=True)
class PagePart:
    """A page of the samples, narrowed by what is known of their reads. Decision: G549, G752."""

    page: NumberedPage
    words: SampleWords
    md5: str | None = None
    data_class: str | None = None


@dataclass(frozen=True, slots=True)
class PageContents:
    """What the page shows. Decision: G86."""

    order: Order
    can_manage: bool
    is_base_path_configured: bool
    upload_rules: UploadsSection
    default_data_class: DataClass
    samples: list[SampleData]
    shown: Sequence[SampleData]
    """Those that are asked for, on this page."""
    total: int
    """How many are asked for, on all pages."""
    md5_states: Mapping[str, Md5States]
    """Of the reads that are shown, by the read's id."""
    artifacts: list[SequencingArtifact]
    open_uploads: Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class SequencingPage:
    """Collects the page; uploads and streams are higher layers and come as functions."""

    facility: FacilitySettings
    open_uploads: Callable[[str], Sequence[Mapping[str, object]]]
    streams_of_samples: Callable[[str], Mapping[str, Mapping[str, object]]]
    stages: Stages

    def show(self, opened: OrderFor[FacilityAdmin], part: PagePart | None = None) -> PageContents:
        """Return the sequencing data of an order in a fixed number of queries. Decision: G86, G549, G752."""
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
        is_published = order.sequencing_files_published_at is not None
        active = {sample_id: read for sample_id, own in reads.items() for read in own if read.is_active}
        samples = [
            SampleData(
                sample=sample,
                read=active.get(sample.id),
                superseded_reads=sum(not read.is_active for read in reads[sample.id]),
                artifacts=of_samples[sample.id],
                stream=streams.get(sample.id),
                is_delivered=sample.id in active
                and is_delivered(active[sample.id], is_published=is_published),
            )
            for sample in sample_store.list_samples(order.id)
        ]
        matching = samples
        if part is not None:
            wanted = set(matching_ids(opened.caller, order, part.words, self.stages))
            matching = [
                data for data in samples if data.sample.id in wanted and _is_of(data, part.data_class)
            ]
        if part is not None and part.md5 is not None:
            states = _md5_states(matching)
            matching = [data for data in matching if data.read and part.md5 in states[data.read.id].values()]
        shown = matching if part is None else part.page.of(matching)
        return PageContents(
            order=order,
            can_manage=order.status is not OrderStatus.DRAFT and not opened.caller.is_demo,
            is_base_path_configured=storage.data_base_path is not None,
            upload_rules=self.facility.uploads(),
            default_data_class=storage.default_upload_data_class,
            samples=samples,
            shown=shown,
            total=len(matching),
            md5_states=_md5_states(shown),
            artifacts=artifacts,
            open_uploads=self.open_uploads(order.id),
        )


def _is_of(data: SampleData, data_class: str | None) -> bool:
    if data_class is None:
        return True
    has_file = data.read is not None and bool(data.read.file1 or data.read.file2)
    return data.read is not None and has_file and data.read.data_class == data_class


def _md5_states(rows: Sequence[SampleData]) -> dict[str, Md5States]:
    return md5_states([data.read for data in rows if data.read is not None])
