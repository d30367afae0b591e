"""Live ingest: stream runs, the files seen so far, their counters, metrics and events."""

from typing import TYPE_CHECKING

from peewee import BigIntegerField, BooleanField, CharField, DoubleField, ForeignKeyField, TextField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.streams import StreamEventKind, StreamStatus
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import EnumField, JsonField, TimestampField
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key, OptionalKey


class StreamRun(Entity):
    """A directory of a sequencer that is watched for an order.

    Spec: instance, Stream run. Decision: G209, G211.

    `output_dir` is the resolved path; `directory_identity` is `<st_dev>:<st_ino>` of it, so that
    a directory that was put in its place is noticed. `last_seq` is the `seq` of the newest event.
    """

    order = ForeignKeyField(Order, on_delete="RESTRICT", index=False)
    minknow_run_id = CharField(null=True)
    flow_cell_id = CharField(null=True)
    device_id = CharField(null=True)
    output_dir = TextField()
    directory_identity = CharField(max_length=64, null=True)
    status = EnumField(StreamStatus, default=StreamStatus.ACTIVE)
    total_bases = BigIntegerField(default=0)
    total_reads = BigIntegerField(default=0)
    total_files = BigIntegerField(default=0)
    barcode_map = JsonField(dict[str, str], default=dict)
    last_seq = BigIntegerField(default=0)
    started_by = ForeignKeyField(User, null=True, on_delete="SET NULL")
    started_at = TimestampField(default=system_now)
    last_seen_at = TimestampField(default=system_now)
    stop_requested_at = TimestampField(null=True)
    stopped_at = TimestampField(null=True)

    # What was reported once and is not reported again (G213, G214, G222).
    last_file_at = TimestampField(null=True)
    stalled_at = TimestampField(null=True)
    finished_hint_at = TimestampField(null=True)
    vanished_at = TimestampField(null=True)

    # What the instrument's own list of checksums said of the files, see `rules/output_hashes.py`.
    verification = JsonField(dict[str, object], null=True)

    # The monitor that scans it at the moment (G214).
    lease_holder = CharField(max_length=128, null=True)
    leased_until = TimestampField(null=True)

    if TYPE_CHECKING:
        order_id: Key
        started_by_id: OptionalKey

    class Meta:
        """The runs of an order, newest first; the runs that a monitor has to scan."""

        indexes = ((("order", "started_at", "id"), False), (("status", "started_at"), False))


StreamRun.add_index(
    StreamRun.output_dir,
    unique=True,
    where=StreamRun.status == StreamStatus.ACTIVE,
    name="stream_runs_one_active",
)


class StreamFile(Entity):
    """A file in a watched directory, as of the last scan. Decision: G214, G216, G217.

    `path` is relative to the directory. Size, modification time and inode are those of the last
    scan, `unchanged_since` is the scan that first saw them so. `counted_at` is null until the file
    held still and was counted; `counted_size` and `counted_modified_ns` say which state of the file
    the counts and `sha256` belong to. `share` is what the file added to the histograms, so that it can
    be taken out again. `first_read` is the id of its first read where ids are unique; two files that have
    it in common hold the same reads. The barcode is empty for a file without one; which sample it belongs to
    follows from the map of the run. An inode is text: its 64 bits are unsigned.
    """

    stream_run = ForeignKeyField(StreamRun, on_delete="CASCADE", index=False)
    path = TextField()
    size = BigIntegerField()
    modified_ns = BigIntegerField()
    inode = CharField(max_length=32)
    barcode = CharField(default="")
    reads = BigIntegerField(default=0)
    bases = BigIntegerField(default=0)
    malformed = BooleanField(default=False)
    sha256 = CharField(max_length=64, null=True)
    share = JsonField(dict[str, object], null=True)
    counted_size = BigIntegerField(null=True)
    counted_modified_ns = BigIntegerField(null=True)
    counted_at = TimestampField(null=True)
    reported_problem = TextField(null=True)
    unchanged_since = TimestampField(default=system_now)
    first_read = CharField(max_length=36, null=True)

    if TYPE_CHECKING:
        stream_run_id: Key

    class Meta:
        """A path occurs once in a run; the files of a barcode, and those with the same first read."""

        indexes = (
            (("stream_run", "path"), True),
            (("stream_run", "barcode"), False),
            (("stream_run", "first_read"), False),
        )


class StreamBarcode(Entity):
    """The counters of one barcode of a stream run; kept with each event. Decision: G218.

    The barcode is empty for files without one. `expected_errors` is the sum over all bases of their error
    probability, in millionths: unlike a sum of Phred scores it gives the mean quality that sequencing
    software reports.
    """

    stream_run = ForeignKeyField(StreamRun, on_delete="CASCADE", index=False)
    barcode = CharField(default="")
    file_count = BigIntegerField(default=0)
    total_size = BigIntegerField(default=0)
    total_reads = BigIntegerField(default=0)
    total_bases = BigIntegerField(default=0)
    expected_errors = BigIntegerField(default=0)
    last_file_at = TimestampField(null=True)
    last_file_path = TextField(null=True)
    reported_unmapped = BooleanField(default=False)

    if TYPE_CHECKING:
        stream_run_id: Key

    class Meta:
        """One row per barcode."""

        indexes = ((("stream_run", "barcode"), True),)


class StreamMinute(Entity):
    """What one barcode yielded in one minute, or all of them; `minute` is the beginning of it.

    Decision: G218.

    The row of all has the barcode `ALL`, which no file has: their barcodes are lower-case. It is the minute
    in which the instrument closed the file; `expected_errors` as in `StreamBarcode`.
    """

    stream_run = ForeignKeyField(StreamRun, on_delete="CASCADE", index=False)
    barcode = CharField(default="")
    minute = TimestampField()
    files = BigIntegerField(default=0)
    reads = BigIntegerField(default=0)
    bases = BigIntegerField(default=0)
    expected_errors = BigIntegerField(default=0)

    if TYPE_CHECKING:
        stream_run_id: Key

    class Meta:
        """One row per minute and barcode, read along the time."""

        indexes = ((("stream_run", "barcode", "minute"), True),)


class StreamLengthBucket(Entity):
    """How many reads of a barcode have a length of at least `from_length` and below the next bucket."""

    stream_run = ForeignKeyField(StreamRun, on_delete="CASCADE", index=False)
    barcode = CharField(default="")
    from_length = BigIntegerField()
    reads = BigIntegerField(default=0)
    bases = BigIntegerField(default=0)

    if TYPE_CHECKING:
        stream_run_id: Key

    class Meta:
        """One row per bucket and barcode."""

        indexes = ((("stream_run", "barcode", "from_length"), True),)


class StreamQualityBucket(Entity):
    """How many reads of a barcode have a mean Phred score of at least `from_score` and below the next."""

    stream_run = ForeignKeyField(StreamRun, on_delete="CASCADE", index=False)
    barcode = CharField(default="")
    from_score = DoubleField()
    reads = BigIntegerField(default=0)
    bases = BigIntegerField(default=0)

    if TYPE_CHECKING:
        stream_run_id: Key

    class Meta:
        """One row per bucket and barcode."""

        indexes = ((("stream_run", "barcode", "from_score"), True),)


class StreamEvent(Entity):
    """One event of a stream run; `seq` counts from 1 without gaps. Decision: G212, G213."""

    stream_run = ForeignKeyField(StreamRun, on_delete="CASCADE", index=False)
    seq = BigIntegerField()
    ts = TimestampField(default=system_now)
    kind = EnumField(StreamEventKind)
    payload = JsonField(dict[str, object], default=dict)

    if TYPE_CHECKING:
        stream_run_id: Key

    class Meta:
        """The feed, in either direction."""

        indexes = ((("stream_run", "seq"), True),)
