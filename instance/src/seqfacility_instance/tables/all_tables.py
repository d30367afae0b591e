"""All tables, by the slice that alone writes them."""

from typing import Final

from peewee import sort_models  # type: ignore[attr-defined]  # the stub leaves it out

from seqfacility_instance.tables.base import Table
from seqfacility_instance.tables.events import RecordedEvent
from seqfacility_instance.tables.live import LiveChange
from seqfacility_instance.tables.mail import MailPreference, OutgoingMail
from seqfacility_instance.tables.messages import (
    MessageCount,
    Notification,
    Ticket,
    TicketMessage,
)
from seqfacility_instance.tables.numbers import MonthFigures
from seqfacility_instance.tables.orders import (
    Order,
    OrderNumberCounter,
    Sample,
    Sampleset,
    StatusNote,
)
from seqfacility_instance.tables.people import (
    AdminInvite,
    AuditCheck,
    AuditEvent,
    DemoWorkspace,
    Department,
    OidcIdentity,
    OidcUse,
    PasswordResetLink,
    Session,
    ThrottleAttempt,
    User,
)
from seqfacility_instance.tables.pipelines import (
    PipelineConfig,
    PipelinePackage,
    PipelineRun,
    PipelineRunEvent,
    PipelineRunStep,
    PipelineRunTask,
    PipelineRunTaskCount,
    RunNumberCounter,
    RunQueue,
)
from seqfacility_instance.tables.registry_polls import RegistryPoll
from seqfacility_instance.tables.registry_trust import RegistryRefusal, RegistryTrust
from seqfacility_instance.tables.results import (
    Assembly,
    Bin,
    PipelineArtifact,
    PipelineResultSelection,
)
from seqfacility_instance.tables.second_factors import SecondFactor
from seqfacility_instance.tables.sequencing import (
    DeliveryLink,
    FileDigest,
    Read,
    SequencingArtifact,
    SequencingRun,
    SequencingRunSample,
    SequencingUpload,
)
from seqfacility_instance.tables.site import (
    BackgroundJob,
    CatalogImage,
    MixsAvailability,
    MixsChecklist,
    MixsRegistry,
    MixsVersion,
    NamedLease,
    OrderFormConfig,
    OrderFormVersion,
    ProcessHeartbeat,
    SequencingTechCatalog,
    SiteSecret,
    SiteSettings,
)
from seqfacility_instance.tables.streams import (
    StreamBarcode,
    StreamEvent,
    StreamFile,
    StreamLengthBucket,
    StreamMinute,
    StreamQualityBucket,
    StreamRun,
)
from seqfacility_instance.tables.studies import (
    Study,
    StudyForm,
    StudyFormVersion,
    Submission,
)
from seqfacility_instance.tables.tokens import ApiToken, Machine
from seqfacility_instance.tables.webhooks import Webhook, WebhookDelivery

OWNERS: Final[dict[str, tuple[type[Table], ...]]] = {
    "access": (Session, AuditEvent, AuditCheck, ApiToken, Machine),
    "accounts": (
        Department,
        User,
        ThrottleAttempt,
        PasswordResetLink,
        AdminInvite,
        SecondFactor,
    ),
    "oidc": (OidcIdentity, OidcUse),
    "demo": (DemoWorkspace,),
    "facility_settings": (SiteSettings, SiteSecret),
    "background": (BackgroundJob, NamedLease),
    "daemons": (ProcessHeartbeat,),
    "forms": (OrderFormConfig, OrderFormVersion, StudyForm, StudyFormVersion),
    "checklists": (
        MixsVersion,
        MixsChecklist,
        MixsAvailability,
        MixsRegistry,
    ),
    "registry_trust": (RegistryTrust, RegistryRefusal),
    "catalog": (SequencingTechCatalog, CatalogImage),
    "orders": (
        OrderNumberCounter,
        Order,
        StatusNote,
        Sampleset,
        Sample,
    ),
    "studies": (Study, Submission),
    "reads": (Read, SequencingArtifact, FileDigest),
    "delivery_links": (DeliveryLink,),
    "uploads": (SequencingUpload,),
    "run_plans": (SequencingRun, SequencingRunSample),
    "streams": (
        StreamRun,
        StreamFile,
        StreamBarcode,
        StreamMinute,
        StreamLengthBucket,
        StreamQualityBucket,
        StreamEvent,
    ),
    "messages": (Ticket, TicketMessage, MessageCount),
    "notifications": (Notification,),
    "live": (LiveChange,),
    "facility_events": (RecordedEvent,),
    "mail": (OutgoingMail, MailPreference),
    "webhooks": (Webhook, WebhookDelivery),
    "numbers": (MonthFigures,),
    "pipelines": (PipelinePackage, PipelineConfig, RegistryPoll),
    "results": (
        Assembly,
        Bin,
        PipelineArtifact,
    ),
    "runs": (
        RunNumberCounter,
        RunQueue,
        PipelineRun,
        PipelineRunStep,
        PipelineRunTask,
        PipelineRunTaskCount,
        PipelineRunEvent,
        PipelineResultSelection,
    ),
}

ALL_TABLES: Final[tuple[type[Table], ...]] = tuple(
    sort_models([table for owned in OWNERS.values() for table in owned])
)
"""In an order in which they can be created."""
