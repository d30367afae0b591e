"""One row of every kind that a path can name, all belonging to one researcher."""

from datetime import datetime, timedelta

from seqfacility_instance.access.sessions import token_hash
from seqfacility_instance.catalog.images import images_by_name
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.orders import NoteType, OrderStatus
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.core.vocabulary.people import Role, Scope
from seqfacility_instance.core.vocabulary.pipelines import (
    Backend,
    PipelineArtifactType,
    RunStatus,
    TargetType,
)
from seqfacility_instance.core.vocabulary.sequencing import (
    ArtifactRole,
    ArtifactSource,
    ArtifactStage,
    DataClass,
    ReadSource,
    UploadKind,
)
from seqfacility_instance.core.vocabulary.streams import StreamStatus
from seqfacility_instance.messages import store as messages_store
from seqfacility_instance.pipelines.service import bundled_payloads
from seqfacility_instance.tables.mail import OutgoingMail
from seqfacility_instance.tables.messages import Ticket
from seqfacility_instance.tables.orders import Order, Sample, Sampleset, StatusNote
from seqfacility_instance.tables.people import AdminInvite, Department, Session, User
from seqfacility_instance.tables.pipelines import PipelineRun, PipelineRunTask
from seqfacility_instance.tables.results import PipelineArtifact, PipelineResultSelection
from seqfacility_instance.tables.sequencing import (
    DeliveryLink,
    Read,
    SequencingArtifact,
    SequencingRun,
    SequencingUpload,
)
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_instance.tables.studies import Study
from seqfacility_instance.tables.tokens import ApiToken, Machine
from seqfacility_instance.tables.webhooks import Webhook, WebhookDelivery
from seqfacility_pipeline_package.databases import database_key
from seqfacility_pipeline_package.documents import read_json
from seqfacility_pipeline_package.payload import read_payload

PIPELINE = "reads-qc"
LINK_TOKEN = "the-token-of-a-delivery-link"  # noqa: S105  # a token of test rows only


def make_one_of_each(owner_id: str, admin_id: str, now: datetime, mark: str = "") -> dict[str, str]:
    """Write the rows and give their ids by the name that the URL table has for them.

    The order is submitted and delivered, its run is completed and selected, so the owner may see all that an
    owner ever sees. A `mark` of digits in their unique names lets there be several of each.
    """
    order = Order.create(
        order_number=f"ORD-20310504-9999{mark}",
        status=OrderStatus.SUBMITTED,
        user=owner_id,
        form_version=1,
        sequencing_files_published_at=now,
    )
    Sampleset.create(order=order)
    study = Study.create(title="A study", mixs_version=1, user=owner_id)
    sample = Sample.create(sample_code=f"S-1{mark}-AAAAAA", order=order, study=study)
    instrument_run = SequencingRun.create(order=order, run_id="RUN-1")
    return {
        "version": "1",  # of the order form: the built-in one is always there
        "order_id": order.id,
        "study_id": study.id,
        "sample_id": sample.id,
        "sequencing_run_id": instrument_run.id,
        **_files(order, sample, admin_id, mark),
        **_selected_run(order, owner_id, admin_id, now, mark),
        "stream_run_id": StreamRun.create(
            order=order, output_dir="/nowhere", status=StreamStatus.STOPPED, stopped_at=now
        ).id,
        "note_id": StatusNote.create(
            order=order, note_type=NoteType.SAMPLES_SENT, content="sent", user=owner_id, created_at=now
        ).id,
        "ticket_id": _ticket(owner_id, order, now),
        "user_id": owner_id,
        "department_id": Department.create(name=f"Genomics{mark}").id,
        "mail_id": OutgoingMail.create(
            kind=MailKind.ORDER_ACCEPTED,
            user=admin_id,
            facts={"orderNumber": order.order_number},
            status=SendingStatus.FAILED,
            finished_at=now,
        ).id,
        **_webhook(admin_id, now),
        "invite_id": AdminInvite.create(
            code_hash=f"the-hash-of-an-invite-code{mark}",
            code_ending="0000",
            expires_at=now,
            created_by=admin_id,
        ).id,
        **_token_and_machine(owner_id, admin_id, now, mark),
        "pipeline_id": PIPELINE,
        "key": _declared_database(),
        "session_id": Session.create(
            token_hash=token_hash(f"the cookie of an idle browser{mark}"),
            user=owner_id,
            created_at=now,
            last_seen_at=now,
            expires_at=now + timedelta(hours=1),
        ).id,
        "link_id": _link(order, owner_id, now),
        "token": LINK_TOKEN,
        "file_name": "report.html",
        "asset_name": next(iter(images_by_name())),
        "accession": "ERC000022",
        "section": "access",
        "provider": "institute",
        "name": "start.js",
    }


def _token_and_machine(owner_id: str, admin_id: str, now: datetime, mark: str) -> dict[str, str]:
    account = User.create(
        email=f"machine{mark}@machine.invalid",
        password_hash="the-hash-of-no-password",  # noqa: S106  # of nobody
        first_name="Machine",
        last_name="NovaSeq X",
        role=Role.FACILITY_ADMIN,
        is_active=False,
    )
    machine = Machine.create(user=account, name="NovaSeq X", addresses=["192.0.2.0/24"], created_by=admin_id)
    owned = {"name": "a script", "scopes": [Scope.ORDERS_READ], "expires_at": now + timedelta(days=1)}
    token = ApiToken.create(user=owner_id, token_hash=f"the-hash-of-a-token{mark}", **owned)
    ApiToken.create(user=account, token_hash=f"the-hash-of-a-machine's-token{mark}", **owned)
    return {"token_id": token.id, "machine_id": machine.id}


def _declared_database() -> str:
    """Name a reference database that a package declares which comes with the service."""
    (content,) = [body for name, body in bundled_payloads().items() if name.startswith("mag")]
    return database_key(read_payload(read_json(content), None).descriptor.databases[0])


def _files(order: Order, sample: Sample, admin_id: str, mark: str) -> dict[str, str]:
    read = Read.create(
        sample=sample, file1=f"orders/r1{mark}.fastq.gz", data_class=DataClass.CLEANED, source=ReadSource.LINK
    )
    artifact = SequencingArtifact.create(
        order=order,
        sample=sample,
        artifact_type=ArtifactRole.ATTACHMENT,
        stage=ArtifactStage.DELIVERY,
        path=f"orders/notes{mark}.txt",
        original_name="notes.txt",
        source=ArtifactSource.UPLOAD,
    )
    upload = SequencingUpload.create(
        order=order,
        sample=sample,
        target_kind=UploadKind.READ,
        target_role="R1",
        original_name="r1.fastq.gz",
        temp_path=f"orders/.tmp/none{mark}",
        expected_size=10,
        created_by=admin_id,
    )
    return {"read_id": read.id, "artifact_id": artifact.id, "upload_id": upload.id}


def _selected_run(order: Order, owner_id: str, admin_id: str, now: datetime, mark: str) -> dict[str, str]:
    run = PipelineRun.create(
        run_number=f"READS-QC-20310504-999{mark}",
        pipeline_id=PIPELINE,
        pipeline_version="1.0.0",
        status=RunStatus.COMPLETED,
        target_type=TargetType.ORDER,
        order=order,
        user=admin_id,
        execution_mode=Backend.LOCAL,
        visible_to=owner_id,
        completed_at=now,
        launch_token=f"the-token-of-a-launch{mark}",
    )
    PipelineResultSelection.create(
        pipeline_id=PIPELINE,
        target_key=f"order:{order.id}",
        order=order,
        selected_run=run,
        selected_by=admin_id,
    )
    report = PipelineArtifact.create(
        type=PipelineArtifactType.QC_REPORT,
        name="report.html",
        path=f"runs/{run.run_number}/output/report.html",
        pipeline_run=run,
    )
    task = PipelineRunTask.create(
        pipeline_run=run,
        identity="0" * 64,
        task_identity="1" * 64,
        process="report",
        status="COMPLETED",
        log_files='["report.log"]',
    )
    return {"run_id": run.id, "report_id": report.id, "task_id": task.id}


def _link(order: Order, owner_id: str, now: datetime) -> str:
    # With several of each, the newest one has the token.
    DeliveryLink.delete().where(DeliveryLink.token_hash == token_hash(LINK_TOKEN)).execute()
    link = DeliveryLink.create(
        order=order,
        created_by=owner_id,
        created_at=now,
        expires_at=now + timedelta(days=7),
        token_hash=token_hash(LINK_TOKEN),
    )
    return link.id


def _ticket(owner_id: str, order: Order, now: datetime) -> str:
    ticket = Ticket.create(subject="A question", user=owner_id, order=order, last_message_at=now)
    messages_store.add_message(ticket.id, owner_id, "When?", now)
    return ticket.id


def _webhook(admin_id: str, now: datetime) -> dict[str, str]:
    """Write a webhook and something that it has been sent and that has failed."""
    webhook = Webhook.create(
        url="https://lims.facility.test/hooks",
        events=[FacilityEvent.ORDER_SUBMITTED.value],
        sealed_secret="the-sealed-secret-of-a-webhook",  # noqa: S106  # a secret of test rows only
        created_by=admin_id,
        created_at=now,
    )
    delivery = WebhookDelivery.create(
        webhook=webhook,
        event=FacilityEvent.ORDER_SUBMITTED,
        payload="{}",
        status=SendingStatus.FAILED,
        created_at=now,
        finished_at=now,
    )
    return {"webhook_id": webhook.id, "delivery_id": delivery.id}
