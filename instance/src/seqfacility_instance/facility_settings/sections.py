"""The sections of facility settings: keys, types, ranges and defaults."""

import re
from functools import partial
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    create_model,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError
from seqfacility_workflow_runtime.executors.contract import Resources
from seqfacility_workflow_runtime.executors.registry import EXECUTORS, SCHEDULERS, offered
from seqfacility_workflow_runtime.executors.scheduler import SchedulerExecutor

from seqfacility_instance.core.vocabulary.mail import MailSecurity
from seqfacility_instance.core.vocabulary.pipelines import Backend
from seqfacility_instance.core.vocabulary.registry import TrustPolicy
from seqfacility_instance.core.vocabulary.sequencing import DataClass
from seqfacility_instance.facility_settings.identity_providers import OidcProvider, distinct

BEING_SAVED = "being saved"
"""The context in which settings are validated before they are saved; what an older version has stored is read
without it, so that a rule that is new refuses no more than the next change. Decision: G388."""

_COMMAND = re.compile(r"[A-Za-z0-9._+-]+|/[^\0\n]*")


def _absolute(path: str) -> str:
    if not path.startswith("/") or "\0" in path:
        raise PydanticCustomError("path", "must be an absolute path")
    return path


def _extension(text: str) -> str:
    if not text.startswith(".") or len(text) < 2 or "/" in text or "\0" in text:
        raise PydanticCustomError("extension", "must begin with a dot")
    return text


def _option(scheduler: SchedulerExecutor, text: str, info: ValidationInfo) -> str:
    mark = scheduler.option_mark
    if not text.startswith(mark) or any(character in text for character in "\0\n\r"):
        raise PydanticCustomError("option", f"must begin with {mark}")
    if info.context is BEING_SAVED and (reason := scheduler.refused_option(text)):
        raise PydanticCustomError("option", reason)
    return text


def _queue(scheduler: SchedulerExecutor, name: str, info: ValidationInfo) -> str:
    if info.context is BEING_SAVED and (reason := scheduler.refused_queue(name)):
        raise PydanticCustomError("queue", reason)
    return name


def _mode(*further: str) -> BeforeValidator:
    """Accept the backends of this release, and to be saved those that can be used. Decision: G515."""

    def check(value: object, info: ValidationInfo) -> object:
        allowed = [*further, *(offered() if info.context is BEING_SAVED else EXECUTORS)]
        if value not in allowed:
            raise PydanticCustomError("mode", f"must be one of: {', '.join(allowed)}")
        return value

    return BeforeValidator(check)


def _command(text: str) -> str:
    if not _COMMAND.fullmatch(text):
        raise PydanticCustomError("command", "must be a program name or an absolute path")
    return text


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise PydanticCustomError("nul", "must not contain a NUL character")
    return text


Line = Annotated[str, Field(max_length=255), AfterValidator(_without_nul)]
AbsolutePath = Annotated[str, Field(max_length=4096), AfterValidator(_absolute)]
Extension = Annotated[str, Field(max_length=64), AfterValidator(_extension)]
Command = Annotated[str, Field(max_length=4096), AfterValidator(_command)]
_ATOM, _LABEL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}", "[A-Za-z0-9-]{1,63}"
MAIL_ADDRESS = rf"^{_ATOM}(\.{_ATOM}){{0,20}}@{_LABEL}(\.{_LABEL}){{0,20}}$"
"""An address that each mail server takes, and that ends no header."""

HttpUrl = Annotated[str, Field(max_length=2048, pattern=r"^https?://[^\s\\]+$")]


class Section(BaseModel):
    """One section; unknown keys and wrong types are errors. Decision: G41."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True
    )

    secret_keys: ClassVar[frozenset[str]] = frozenset()
    """Keys that can be written and never read; the answer says `<key>IsSet` in their place."""

    bound_to: ClassVar[dict[str, frozenset[str]]] = {}
    """Keys that a secret belongs to: when one changes and the secret is not sent again, it is forgotten.
    Nobody can have it sent to a server of their own. Decision: G838."""

    optional_keys: ClassVar[frozenset[str]] = frozenset()
    """Keys that are left out of the answer while they are null."""

    folder_fields: ClassVar[frozenset[str]] = frozenset()
    """Fields that name a folder which the service shows, fills or empties. Decision: G404."""

    def without_paths(self) -> Self:
        """Show the default of everything that is set to a place on the server. Decision: G167."""
        paths = [name for name, value in self if isinstance(value, str) and value.startswith("/")]
        return self.model_copy(update={name: type(self).model_fields[name].default for name in paths})


class PrivateSection(Section):
    """A section that does not concern visitors of the demo: they are shown nothing of it."""

    def without_paths(self) -> Self:
        return type(self)()


class AccessSection(Section):
    """Who may come in, and for how long. Decision: G43."""

    site_name: Line = "SeqFacility"
    contact_email: Line | None = None
    post_submission_instructions: Annotated[str, Field(max_length=20_000), AfterValidator(_without_nul)] = ""
    allow_registration: bool = True
    registration_needs_approval: bool = True
    allowed_email_domains: list[Line] = []
    registrations_per_hour: int = Field(default=200, ge=1, le=100_000)
    allow_user_assembly_download: bool = False
    allow_delete_submitted_orders: bool = False
    session_idle_hours: int = Field(default=12, ge=1, le=720)
    session_max_hours: int = Field(default=168, ge=1, le=2160)
    sign_in_max_failures: int = Field(default=10, ge=1, le=1000)
    sign_in_window_minutes: int = Field(default=15, ge=1, le=1440)
    admins_need_second_factor: bool = False


class StorageSection(Section):
    """Where sequencing data lies. Decision: G44."""

    folder_fields: ClassVar[frozenset[str]] = frozenset({"data_base_path"})

    data_base_path: AbsolutePath | None = None
    default_upload_data_class: DataClass = Field(default=DataClass.RAW, strict=False)
    extra_download_extensions: list[Extension] = []
    min_free_bytes: int = Field(default=1024**3, ge=0, le=2**63 - 1)
    hard_link_on_promotion: bool = False


class UploadsSection(Section):
    """What may be uploaded, and how long a session lives. Decision: G45."""

    allowed_read_extensions: list[Extension] = Field(
        default=[".fastq.gz", ".fq.gz", ".fastq", ".fq"], min_length=1
    )
    max_file_bytes: int | None = Field(default=None, ge=1, le=2**63 - 1)
    max_chunk_bytes: int | None = Field(default=None, ge=1, le=2**63 - 1)
    recommended_chunk_bytes: int = Field(default=16 * 1024**2, ge=65_536, le=2**63 - 1)
    session_ttl_hours: int = Field(default=168, ge=1, le=8760)
    lock_wait_seconds: int = Field(default=20, ge=0, le=300)
    idle_read_seconds: int = Field(default=15, ge=1, le=300)
    verify_in_background: bool = True


_SectionT = TypeVar("_SectionT", bound=Section)


def _with_scheduler_keys(kind: type[_SectionT], *, are_optional: bool = False) -> type[_SectionT]:
    """Add to a section what each scheduler may be asked for: `slurmQueue`, `slurmCores`, ...

    Decision: G46, G514.
    """
    fields: dict[str, Any] = {}
    for name, scheduler in SCHEDULERS.items():
        option = Annotated[str, Field(max_length=255), AfterValidator(partial(_option, scheduler))]
        for key, type_, default in (
            ("queue", Annotated[Line, AfterValidator(partial(_queue, scheduler))], ""),
            ("cores", Annotated[int, Field(ge=1, le=4096)], 4),
            ("memory_gb", Annotated[int, Field(ge=1, le=65_536)], 16),
            ("time_hours", Annotated[int, Field(ge=1, le=8760)], 12),
            ("options", list[option], []),
        ):
            fields[f"{name}_{key}"] = (type_ | None, None) if are_optional else (type_, default)
    return create_model(kind.__name__, __base__=kind, __doc__=kind.__doc__, **fields)


@partial(_with_scheduler_keys, are_optional=True)
class PipelineOverride(Section):
    """How the runs of one pipeline differ from the facility's rule; None falls back to it. Decision: G46."""

    mode: Annotated[str, _mode("inherit")] = "inherit"


@_with_scheduler_keys
class ExecutionSection(Section):
    """How and where pipelines run. Decision: G46."""

    secret_keys: ClassVar[frozenset[str]] = frozenset({"weblogSecret"})
    optional_keys: ClassVar[frozenset[str]] = frozenset({"localMaxCores", "localMaxMemoryGb"})
    folder_fields: ClassVar[frozenset[str]] = frozenset({"run_directory", "database_directory"})

    default_backend: Annotated[str, _mode()] = Backend.LOCAL.value
    pipeline_overrides: dict[str, PipelineOverride] = {}
    run_directory: AbsolutePath | None = None
    database_directory: AbsolutePath | None = None
    weblog_secret: (
        Annotated[str, Field(min_length=8, max_length=256), AfterValidator(_without_nul)] | None
    ) = None
    weblog_url: HttpUrl | None = None
    nextflow_command: Command = "nextflow"
    snakemake_command: Command = "snakemake"
    nextflow_profile: Line = ""
    output_settle_seconds: int = Field(default=600, ge=0, le=86_400)
    # What the runs of this machine may have together; None leaves it to the machine (G716).
    local_max_cores: int | None = Field(default=None, ge=1, le=65_536)
    local_max_memory_gb: int | None = Field(default=None, ge=1, le=1_048_576)

    def backend_for(self, pipeline_id: str) -> Backend:
        """Return where runs of a pipeline go that name no mode of their own. Decision: G147."""
        override = self.pipeline_overrides.get(pipeline_id)
        own = None if override is None or override.mode == "inherit" else override.mode
        return Backend(own or self.default_backend)

    def resources(self, backend: Backend, pipeline_id: str) -> Resources:
        """Return what a scheduler is asked for: the pipeline's override, else the facility's rule.

        Decision: G46.
        """
        override = self.pipeline_overrides.get(pipeline_id)

        def value(key: str) -> Any:
            own = getattr(override, f"{backend.value}_{key}", None)
            return getattr(self, f"{backend.value}_{key}") if own is None else own

        plain = {key: value(key) for key in ("cores", "memory_gb", "time_hours", "queue")}
        return Resources(**plain, options=tuple(value("options")))


class StreamIngestSection(Section):
    """Live ingest of sequencer output. Decision: G47."""

    folder_fields: ClassVar[frozenset[str]] = frozenset({"output_root"})

    enabled: bool = True
    output_root: AbsolutePath | None = None
    scan_interval_seconds: float = Field(default=5, ge=1, le=3600)
    stability_seconds: float = Field(default=2, ge=0, le=600)
    use_notifications: bool = True
    include_failed: bool = False
    stalled_after_minutes: int = Field(default=30, ge=1, le=10_080)


class SignInSection(PrivateSection):
    """Ways to sign in beside the password. Decision: G820."""

    oidc_providers: Annotated[list[OidcProvider], Field(max_length=20), AfterValidator(distinct)] = []


class MailSection(PrivateSection):
    """The server that mail is given to; without `host` and `from` there is no mail. Decision: G838."""

    secret_keys: ClassVar[frozenset[str]] = frozenset({"password"})
    bound_to: ClassVar[dict[str, frozenset[str]]] = {
        "password": frozenset({"host", "port", "security", "user"})
    }

    host: Annotated[str, Field(max_length=253, pattern=r"^[A-Za-z0-9.:-]+$")] | None = None
    port: int = Field(default=587, ge=1, le=65_535)
    security: MailSecurity = Field(default=MailSecurity.STARTTLS, strict=False)
    user: Annotated[str, Field(max_length=255, pattern=r"^[^\x00-\x1f\x7f]+$")] | None = None
    password: Annotated[str, Field(max_length=255, pattern=r"^[^\x00-\x1f\x7f]+$")] | None = None
    sender: Annotated[str, Field(max_length=254, pattern=MAIL_ADDRESS)] | None = Field(
        default=None, alias="from"
    )

    @property
    def is_complete(self) -> bool:
        """Whether mail can be sent."""
        return self.host is not None and self.sender is not None


class AuditSection(PrivateSection):
    """How long the audit trail is kept, and where its head is noted. Decision: G865, G866."""

    folder_fields: ClassVar[frozenset[str]] = frozenset({"head_file"})

    keep_days: int | None = Field(default=None, ge=30, le=36_500)
    head_file: AbsolutePath | None = None
    syslog: Annotated[str, Field(max_length=255, pattern=r"^(local|[A-Za-z0-9._-]+:[0-9]{1,5})$")] | None = (
        None
    )


class WebhooksSection(Section):
    """Where webhooks may lead. Decision: G855."""

    allow_private_networks: bool = False


class RegistrySection(Section):
    """What is asked of the signatures of a registry, and whether the worker polls it daily.

    Of `trust` null is `required` where a root is pinned, else `off`.

    Decision: G915, G970.
    """

    trust: Annotated[TrustPolicy, Field(strict=False)] | None = None
    poll_daily: bool = True


SECTIONS: dict[str, type[Section]] = {
    "access": AccessSection,
    "storage": StorageSection,
    "uploads": UploadsSection,
    "execution": ExecutionSection,
    "streamIngest": StreamIngestSection,
    "signIn": SignInSection,
    "mail": MailSection,
    "audit": AuditSection,
    "webhooks": WebhooksSection,
    "registry": RegistrySection,
}
"""Every section by the name that the API gives it. Decision: G41."""
