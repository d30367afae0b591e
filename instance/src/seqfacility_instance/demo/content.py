"""What a demo workspace shows: a small study of soil samples."""

from dataclasses import dataclass

from seqfacility_instance.core.vocabulary.orders import OrderStatus


@dataclass(frozen=True, slots=True)
class SampleStory:
    """One sample of the story; `reads` are read pairs of a cleaned file, 0 for a sample without one."""

    alias: str
    scientific_name: str
    tax_id: str
    reads: int = 0


@dataclass(frozen=True, slots=True)
class OrderStory:
    """One order of the story."""

    name: str
    status: OrderStatus
    platform: str
    library_strategy: str
    library_source: str
    samples: tuple[SampleStory, ...]
    is_delivered: bool = False


DELIVERED = OrderStory(
    name="Soil of four meadows, spring",
    status=OrderStatus.COMPLETED,
    platform="ILLUMINA",
    library_strategy="WGS",
    library_source="METAGENOMIC",
    samples=(
        SampleStory("meadow-north", "soil metagenome", "410658", 1_204_311),
        SampleStory("meadow-east", "soil metagenome", "410658", 1_187_902),
        SampleStory("meadow-south", "soil metagenome", "410658", 986_450),
        SampleStory("meadow-west", "soil metagenome", "410658", 1_310_077),
    ),
    is_delivered=True,
)
IN_SEQUENCING = OrderStory(
    name="Isolates of the meadow soil",
    status=OrderStatus.SUBMITTED,
    platform="OXFORD_NANOPORE",
    library_strategy="WGS",
    library_source="GENOMIC",
    samples=(
        SampleStory("isolate-1", "Bacillus subtilis", "1423"),
        SampleStory("isolate-2", "Pseudomonas fluorescens", "294"),
    ),
)
BEING_WRITTEN = OrderStory(
    name="Soil of four meadows, autumn",
    status=OrderStatus.DRAFT,
    platform="ILLUMINA",
    library_strategy="WGS",
    library_source="METAGENOMIC",
    samples=(SampleStory("meadow-north-2", "soil metagenome", "410658"),),
)

STUDY_TITLE = "Microbial life of four meadows"
STUDY_DESCRIPTION = "How the microbes of a meadow change with its mowing, from spring to autumn."

QUALITY_PIPELINE = "reads-qc"
CLEANING_PIPELINE = "read-cleaning"
REPORT_NAME = "report.html"
LOG_TEXT = "This run is part of the public demo: nothing was computed for it.\n"

STREAM_FILES = (
    ("barcode01", 4000, 20_812_004),
    ("barcode02", 4000, 18_240_551),
    ("barcode01", 4000, 21_077_350),
    ("barcode02", 2617, 12_003_118),
)
"""The files that the sequencer wrote: barcode, reads, bases."""

ERRORS_PER_MILLION_BASES = 9_000
"""What the sequencer expects to have read wrongly: a mean quality of about 20."""

BYTES_PER_BASE = 1.1
"""About what a compressed FASTQ file takes."""
