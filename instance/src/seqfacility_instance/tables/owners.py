"""Which slice writes which table: nobody else's code changes a row of it."""

from typing import Final

from seqfacility_instance import tables
from seqfacility_instance.tables import Table

OWNERS: Final[dict[str, tuple[type[Table], ...]]] = {
    "access": (tables.Session, tables.AuditEvent),
    "accounts": (
        tables.Department,
        tables.User,
        tables.ThrottleAttempt,
        tables.PasswordResetLink,
        tables.AdminInvite,
    ),
    "demo": (tables.DemoWorkspace,),
    "facility_settings": (tables.SiteSettings, tables.SiteSecret),
    "background": (tables.BackgroundJob, tables.NamedLease),
    "daemons": (tables.ProcessHeartbeat,),
    "forms": (tables.OrderFormConfig, tables.OrderFormVersion, tables.StudyForm),
    "checklists": (
        tables.MixsVersion,
        tables.MixsChecklist,
        tables.MixsAvailability,
        tables.MixsRegistry,
    ),
    "catalog": (tables.SequencingTechCatalog,),
    "orders": (
        tables.OrderNumberCounter,
        tables.Order,
        tables.StatusNote,
        tables.Sampleset,
        tables.Sample,
    ),
    "studies": (tables.Study, tables.Submission),
    "reads": (tables.Read, tables.SequencingArtifact, tables.FileDigest),
    "uploads": (tables.SequencingUpload,),
    "run_plans": (tables.SequencingRun, tables.SequencingRunSample),
    "streams": (
        tables.StreamRun,
        tables.StreamFile,
        tables.StreamBarcode,
        tables.StreamMinute,
        tables.StreamLengthBucket,
        tables.StreamQualityBucket,
        tables.StreamEvent,
    ),
    "messages": (tables.Ticket, tables.TicketMessage),
    "notifications": (tables.Notification,),
    "pipelines": (tables.PipelinePackage, tables.PipelineConfig),
    "results": (
        tables.Assembly,
        tables.Bin,
        tables.PipelineArtifact,
    ),
    "runs": (
        tables.RunNumberCounter,
        tables.PipelineRun,
        tables.PipelineRunStep,
        tables.PipelineRunTask,
        tables.PipelineRunTaskCount,
        tables.PipelineRunEvent,
        tables.PipelineResultSelection,
    ),
}
