"""The settings as other slices read them: typed, with defaults, effective at the next request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from pydantic import ValidationError
from pydantic.alias_generators import to_camel
from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.core.errors import StaleRecord
from seqfacility_instance.core.request_model import validation_details
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.facility_settings import store, unavailable_backends
from seqfacility_instance.facility_settings.identity_providers import with_sealed_secrets
from seqfacility_instance.facility_settings.modules import Modules, modules_answer, read_modules
from seqfacility_instance.facility_settings.reserved_folders import ReservedFolders
from seqfacility_instance.facility_settings.secret_box import SecretBox
from seqfacility_instance.facility_settings.sections import (
    BEING_SAVED,
    SECTIONS,
    AccessSection,
    AuditSection,
    ExecutionSection,
    MailSection,
    RegistrySection,
    Section,
    SignInSection,
    StorageSection,
    StreamIngestSection,
    UploadsSection,
    WebhooksSection,
)
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.site import SiteSettings

_SectionT = TypeVar("_SectionT", bound=Section)
_PartT = TypeVar("_PartT", bound=Section | Modules)

SAVE_ATTEMPTS = 20
"""Two admins who save different sections at once both succeed: the loser reads again and repeats."""


@dataclass(frozen=True, slots=True)
class FacilitySettings:
    """Reads and changes the sections of settings. Decision: G41, G42.

    A folder that `reserved` refuses counts as not set, however it was stored. Decision: G404.
    """

    secrets: SecretBox
    reserved: ReservedFolders
    _known: dict[str, tuple[store.RowVersion, Section | Modules]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def access(self) -> AccessSection:
        """Return the section on sign-in and registration. Decision: G43."""
        return self._section("access", AccessSection)

    def storage(self) -> StorageSection:
        """Return the section on data folders. Decision: G44."""
        return self._section("storage", StorageSection)

    def uploads(self) -> UploadsSection:
        """Return the section on uploads. Decision: G45."""
        return self._section("uploads", UploadsSection)

    def execution(self) -> ExecutionSection:
        """Return the section on pipeline execution, its secret decrypted. Decision: G46."""
        return self._section("execution", ExecutionSection)

    def weblog_secret(self) -> str | None:
        """Return the secret that every event of an engine is checked with, without the section around it.

        Decision: G46, G170.
        """
        return self._opened_secrets("execution", ExecutionSection).get("weblogSecret")

    def mail(self) -> MailSection:
        """Return the section on mail, its password decrypted. Decision: G838."""
        return self._section("mail", MailSection)

    def stream_ingest(self) -> StreamIngestSection:
        """Return the section on live ingest. Decision: G47."""
        return self._section("streamIngest", StreamIngestSection)

    def sign_in(self) -> SignInSection:
        """Return the section on identity providers, their secrets sealed. Decision: G820."""
        return self._section("signIn", SignInSection)

    def audit(self) -> AuditSection:
        """Return the section on the audit trail. Decision: G866."""
        return self._section("audit", AuditSection)

    def section(self, name: str) -> Section:
        """Return a section by its name in the API."""
        return self._section(name, SECTIONS[name])

    def webhooks(self) -> WebhooksSection:
        """Return the section on webhooks. Decision: G855."""
        return self._section("webhooks", WebhooksSection)

    def registry(self) -> RegistrySection:
        """Return the section on the registry. Decision: G915."""
        return self._section("registry", RegistrySection)

    def modules(self) -> Modules:
        """Return the modules that are on. Decision: G39, G40."""
        return self._remembered(
            "modules", Modules, lambda row: read_modules({} if row is None else row.modules_config)
        )

    def change_modules(
        self, changes: Mapping[ModuleId, bool], global_disabled: bool | None, now: datetime
    ) -> Modules:
        """Switch the named modules, and the switch for all unless it is None; the others stay as they are.

        Decision: G39, G275.
        """
        for _attempt in range(SAVE_ATTEMPTS):
            with database.atomic():
                row = store.find_row()
                assert row is not None, "settings are changed before `seqfacility init` made them"
                before = read_modules(row.modules_config)
                switch = before.global_disabled if global_disabled is None else global_disabled
                after = Modules({**before.stored, **changes}, switch)
                if store.claim_modules(row, modules_answer(after), now):
                    return after
        raise AssertionError(f"modules could not be saved in {SAVE_ATTEMPTS} attempts")

    def document(self, name: str) -> dict[str, object]:
        """Return a part of the settings that another slice owns (`studyForm`); `{}` when it was never saved.

        Decision: G42.
        """
        return store.stored_section(store.find_row(), name)

    def save_document(self, name: str, document: Mapping[str, object], now: datetime) -> None:
        """Replace a part of the settings that another slice owns; stands in that slice's transaction.

        Decision: G42.
        """
        for _attempt in range(SAVE_ATTEMPTS):
            row = store.find_row()
            assert row is not None, "settings are changed before `seqfacility init` made them"
            if store.claim_section(row, name, document, now):
                return
        raise AssertionError(f"{name} could not be saved in {SAVE_ATTEMPTS} attempts")

    def _section(self, name: str, kind: type[_SectionT]) -> _SectionT:
        if kind.secret_keys:
            stored = store.stored_section(store.find_row(), name)
            return self._read(kind, {**stored, **self._opened_secrets(name, kind)})
        return self._remembered(name, kind, lambda row: self._read(kind, store.stored_section(row, name)))

    def _read(self, kind: type[_SectionT], stored: Mapping[str, object]) -> _SectionT:
        section = kind.model_validate(stored)
        refused = self._refused_folders(section)
        return section.model_copy(update=dict.fromkeys(refused)) if refused else section

    def _refused_folders(self, section: Section) -> dict[str, str]:
        """Say of each folder of a section that may not be used why, by its field."""
        folders = {field: getattr(section, field) for field in sorted(section.folder_fields)}
        refusals = {field: self.reserved.refusal(path) for field, path in folders.items() if path is not None}
        return {field: reason for field, reason in refusals.items() if reason is not None}

    def refused_folders(self) -> list[str]:
        """Say of each folder that is stored and may not be used why, for `check-setup`. Decision: G404."""
        row = store.find_row()
        return [
            f"{name}.{to_camel(field)} {reason}"
            for name, kind in SECTIONS.items()
            for field, reason in self._refused_folders(
                kind.model_validate(store.stored_section(row, name))
            ).items()
        ]

    def _remembered(
        self, name: str, kind: type[_PartT], read: Callable[[SiteSettings | None], _PartT]
    ) -> _PartT:
        """Return a part as it was read last while the row is in the same state; every process asks each time.

        A transaction may see what nobody will ever see, so nothing is remembered from within one.

        Decision: G42, G321.
        """
        if database.in_transaction():
            return read(store.find_row())
        version, known = store.stored_version(), self._known.get(name)
        if known is not None and known[0] == version and isinstance(known[1], kind):
            return known[1]
        row = store.find_row()
        part = read(row)
        if row is not None:
            self._known[name] = (store.version_of(row), part)
        return part

    def _opened_secrets(self, name: str, kind: type[Section]) -> dict[str, str]:
        opened = {}
        for key in kind.secret_keys:
            sealed = store.find_secret(f"{name}.{key}")
            secret = None if sealed is None else self.secrets.open(sealed)
            if secret is not None:
                opened[key] = secret
        return opened

    def state(self) -> int:
        """Return the number of the state that the settings are in: it rises at each save. Decision: G366."""
        version = store.stored_version()
        return 0 if version is None else version[0]

    def change(
        self, name: str, changes: Mapping[str, object], now: datetime, seen: int | None = None
    ) -> Section:
        """Merge `changes` into a section and save it, all or nothing; return the section after the change.

        `seen` is the state in which the caller saw the section, None when that does not matter. Raises
        `StaleRecord` when the section was saved since, and `ValidationFailed` when a key is unknown
        or a value refused.

        Decision: G41, G42, G280, G366, G404.
        """
        kind, hidden = SECTIONS[name], unavailable_backends.unavailable()
        for _attempt in range(SAVE_ATTEMPTS):
            with database.atomic():
                row = store.find_row()
                assert row is not None, "settings are changed before `seqfacility init` made them"
                # A state that is still to come was seen before a backup was restored.
                if seen is not None and not store.section_state(row, name) <= seen <= row.row_version:
                    raise StaleRecord
                stored = store.stored_section(row, name)
                changes = _with_forgotten_secrets(kind, stored, changes)
                kept = with_sealed_secrets(changes, stored, self.secrets.seal)
                merged = unavailable_backends.with_stored_overrides(
                    merged_section(stored, kept, kind), stored, hidden
                )
                checked = unavailable_backends.changeable(merged, stored, hidden)
                opened = self._opened_secrets(name, kind)
                _check(kind, {**opened, **checked}, unavailable_backends.keys_in(changes, hidden))
                section = kind.model_validate(_without_unset_secrets(kind, {**opened, **merged}))
                if refused := self._refused_folders(section):
                    raise ValidationFailed([f"{to_camel(key)}: {reason}" for key, reason in refused.items()])
                shown = {key: value for key, value in merged.items() if key not in kind.secret_keys}
                if store.claim_section(row, name, shown, now):
                    self._save_secrets(name, kind, changes, now)
                    return section
        raise AssertionError(f"section {name} could not be saved in {SAVE_ATTEMPTS} attempts")

    def _save_secrets(
        self, name: str, kind: type[Section], changes: Mapping[str, object], now: datetime
    ) -> None:
        for key in kind.secret_keys & changes.keys():
            value = changes[key]
            sealed = self.secrets.seal(value) if isinstance(value, str) and value else None
            store.save_secret(f"{name}.{key}", sealed, now)


def _with_forgotten_secrets(
    kind: type[Section], stored: Mapping[str, object], changes: Mapping[str, object]
) -> Mapping[str, object]:
    """Remove the secrets that belong to values which change, unless they are sent again. Decision: G838."""
    defaults = {field.alias or to_camel(key): field.default for key, field in kind.model_fields.items()}
    before = {**defaults, **stored}
    forgotten = {
        secret: None
        for secret, keys in kind.bound_to.items()
        if any(changes[key] != before[key] for key in keys & changes.keys())
    }
    return {**forgotten, **changes}


def _check(kind: type[Section], document: Mapping[str, object], unknown: list[str]) -> None:
    details = [f"{key}: is not a known key" for key in unknown]
    kept = _without_unset_secrets(kind, document)
    try:
        kind.model_validate(kept, by_alias=True, by_name=False, context=BEING_SAVED)
    except ValidationError as refused:
        raise ValidationFailed(validation_details(refused) + details) from refused
    if details:
        raise ValidationFailed(details)


def _without_unset_secrets(kind: type[Section], document: Mapping[str, object]) -> dict[str, object]:
    return {
        key: value
        for key, value in document.items()
        if not (key in kind.secret_keys and (value is None or value == ""))
    }


def merged_section(
    stored: Mapping[str, object], changes: Mapping[str, object], kind: type[Section]
) -> dict[str, object]:
    """Lay `changes` over what is stored; `pipelineOverrides` merges per pipeline, `null` removing one.

    Decision: G9, G280.
    """
    merged = {**stored, **changes}
    overrides = changes.get("pipelineOverrides")
    if isinstance(overrides, dict) and "pipeline_overrides" in kind.model_fields:
        before = stored.get("pipelineOverrides")
        both = {**(before if isinstance(before, dict) else {}), **overrides}
        merged["pipelineOverrides"] = {name: value for name, value in both.items() if value is not None}
    return merged


def section_answer(section: Section) -> dict[str, object]:
    """Write a section for the wire; a secret is only said to be set or not.

    Keys of a scheduler that cannot be used here are left out, and limits that are not set.

    Decision: G41, G46, G515, G716.
    """
    hidden = unavailable_backends.unavailable()
    document = unavailable_backends.without_keys(section.model_dump(mode="json", by_alias=True), hidden)
    if isinstance(section, ExecutionSection):
        document["pipelineOverrides"] = {
            name: unavailable_backends.without_keys(override.model_dump(mode="json", by_alias=True), hidden)
            for name, override in section.pipeline_overrides.items()
        }
    if isinstance(section, SignInSection):
        document["oidcProviders"] = [provider.answer() for provider in section.oidc_providers]
    for key in section.optional_keys:
        if document[key] is None:
            del document[key]
    for key in section.secret_keys:
        document[f"{key}IsSet"] = document.pop(key) is not None
    return document
