"""Columns give back what was put in, and the database keeps its promises by itself."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from peewee import Database, IntegrityError
from seqfacility_instance.core.ids import new_sample_code
from seqfacility_instance.core.vocabulary.orders import OrderStatus
from seqfacility_instance.core.vocabulary.pipelines import Backend, RunStatus, TargetType
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.core.vocabulary.streams import StreamStatus
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.sequencing import Read, SequencingRun, SequencingRunSample
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_instance.tables.studies import Study

NOON = datetime(2031, 5, 4, 12, 0, 0, 123_000, tzinfo=UTC)
pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
def user() -> User:
    return User.create(email="ada@example.org", password_hash="x", first_name="Ada", last_name="L")


@pytest.fixture
def order(user: User) -> Order:
    return Order.create(order_number="ORD-20310504-0001", user=user, form_version=1)


@pytest.fixture
def sample(order: Order) -> Sample:
    return Sample.create(sample_code=new_sample_code(NOON), order=order)


def make_read(sample: Sample, **columns: object) -> Read:
    return Read.create(sample=sample, data_class=DataClass.RAW, source=ReadSource.UPLOAD, **columns)


def make_run(user: User, **columns: object) -> PipelineRun:
    return PipelineRun.create(
        run_number=new_sample_code(NOON),
        pipeline_id="reads-qc",
        pipeline_version="1.0.0",
        target_type=TargetType.ORDER,
        user=user,
        execution_mode=Backend.LOCAL,
        **columns,
    )


def test_a_moment_comes_back_aware_in_utc_and_to_the_millisecond(order: Order) -> None:
    elsewhere = NOON.astimezone(timezone(timedelta(hours=-3)))

    Order.update(sequencing_files_published_at=elsewhere).execute()
    published_at = Order.get_by_id(order.id).sequencing_files_published_at

    assert published_at == NOON
    assert published_at.tzinfo is UTC


def test_moments_are_compared_as_moments(order: Order) -> None:
    Order.update(created_at=NOON).execute()

    assert Order.select().where(Order.created_at < NOON + timedelta(milliseconds=1)).count() == 1
    assert Order.select().where(Order.created_at < NOON).count() == 0


@pytest.mark.parametrize("timestamp", [datetime(1969, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC), NOON])
def test_a_timestamp_before_1970_is_a_timestamp_too(timestamp: datetime, order: Order) -> None:
    Order.update(created_at=timestamp).execute()

    assert Order.get_by_id(order.id).created_at == timestamp


def test_a_naive_moment_is_a_defect() -> None:
    with pytest.raises(TypeError, match="naive"):
        Order.update(created_at=datetime(2031, 5, 4)).execute()  # noqa: DTZ001  (the point of the test)


def test_a_word_comes_back_as_a_member_of_its_set(order: Order) -> None:
    assert Order.get_by_id(order.id).status is OrderStatus.DRAFT
    assert Order.select().where(Order.status == OrderStatus.DRAFT).count() == 1


def test_a_word_outside_its_set_is_refused() -> None:
    with pytest.raises(ValueError, match="LOST"):
        Order.update(status="LOST").execute()


def test_json_comes_back_parsed_and_null_as_none(order: Order, sample: Sample) -> None:
    Order.update(custom_fields={"note": ["µ", 1, None]}).execute()

    assert Order.get_by_id(order.id).custom_fields == {"note": ["µ", 1, None]}
    assert make_read(sample).intake1 is None


def test_counts_beyond_32_bits_are_kept(sample: Sample) -> None:
    read = make_read(sample, size1=2**62, read_count1=2**40)

    assert Read.get_by_id(read.id).size1 == 2**62


def test_a_sample_has_at_most_one_active_read(sample: Sample) -> None:
    make_read(sample)
    make_read(sample, is_active=False)

    with pytest.raises(IntegrityError):
        make_read(sample)


def test_a_directory_has_at_most_one_active_stream_run(order: Order) -> None:
    StreamRun.create(order=order, output_dir="/data/run1")
    StreamRun.create(order=order, output_dir="/data/run1", status=StreamStatus.STOPPED)

    with pytest.raises(IntegrityError):
        StreamRun.create(order=order, output_dir="/data/run1")


def test_unfinished_work_is_asked_for_once_and_finished_work_again() -> None:
    BackgroundJob.create(kind="verify", dedupe_key="verify:1", status=JobStatus.DONE)
    BackgroundJob.create(kind="verify", dedupe_key="verify:1")
    BackgroundJob.create(kind="sweep")
    BackgroundJob.create(kind="sweep")

    with pytest.raises(IntegrityError):
        BackgroundJob.create(kind="verify", dedupe_key="verify:1", status=JobStatus.RUNNING)


def test_samples_without_a_barcode_share_a_sequencing_run(order: Order) -> None:
    run = SequencingRun.create(order=order, run_id="R1")
    samples = [Sample.create(sample_code=new_sample_code(NOON), order=order) for _ in range(3)]
    SequencingRunSample.create(sequencing_run=run, sample=samples[0], barcode="barcode01")
    SequencingRunSample.create(sequencing_run=run, sample=samples[1])
    SequencingRunSample.create(sequencing_run=run, sample=samples[2])

    with pytest.raises(IntegrityError):
        SequencingRunSample.update(barcode="barcode01").where(
            SequencingRunSample.sample == samples[1]
        ).execute()


def test_a_run_has_at_most_one_target(user: User, order: Order) -> None:
    study = Study.create(title="Soil", mixs_version=1, user=user)
    assert make_run(user, order=order).status is RunStatus.PENDING

    with pytest.raises(IntegrityError):
        make_run(user, order=order, study=study)


def test_a_sample_with_reads_cannot_vanish_with_its_order(order: Order, sample: Sample) -> None:
    make_read(sample)

    with pytest.raises(IntegrityError):
        Order.delete().where(Order.id == order.id).execute()


def test_the_samples_of_a_deleted_study_stay(user: User, sample: Sample) -> None:
    study = Study.create(title="Soil", mixs_version=1, user=user)
    Sample.update(study=study).execute()

    Study.delete().execute()

    assert Sample.get_by_id(sample.id).study_id is None


def test_sqlite_is_durable_and_keeps_its_references(database: Database) -> None:
    def pragma(name: str) -> object:
        return database.execute_sql(f"PRAGMA {name}").fetchone()[0]

    assert pragma("journal_mode") == "wal"
    assert pragma("synchronous") == 2
    assert pragma("foreign_keys") == 1
    assert pragma("busy_timeout") == 15_000


def test_rows_written_in_one_millisecond_keep_their_order(order: Order) -> None:
    codes = [new_sample_code(NOON) for _ in range(50)]
    for code in codes:
        Sample.create(sample_code=code, order=order, created_at=NOON)

    listed = Sample.select().order_by(Sample.created_at, Sample.id)

    assert [sample.sample_code for sample in listed] == codes
