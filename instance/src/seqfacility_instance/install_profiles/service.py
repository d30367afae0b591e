"""Fetching an install profile and applying it, all or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from seqfacility_pipeline_package.documents import NotStrictJson, read_foreign_json
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access import audit
from seqfacility_instance.catalog.service import Catalogs
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.forms.service import Forms
from seqfacility_instance.install_profiles.errors import PipelineNotInstalled, ProfileUnreadable
from seqfacility_instance.install_profiles.rules import check_code_is_safe, check_profile
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.registry_client.errors import (
    InvalidRegistryAnswer,
    RegistryNotReachable,
    RegistryRefused,
)
from seqfacility_instance.registry_trust.errors import SignatureNotValid
from seqfacility_instance.registry_trust.reading import TrustedRegistry
from seqfacility_instance.registry_trust.rules import with_secrets_of
from seqfacility_instance.site.service import check_folders
from seqfacility_instance.tables.base import database
from seqfacility_instance.version import RELEASE

PROFILE_DOCUMENT = "installProfile"


@dataclass(frozen=True, slots=True)
class InstallProfiles:
    """Reads and applies install profiles. Decision: G242."""

    registry: TrustedRegistry
    facility: FacilitySettings
    forms: Forms
    pipelines: Pipelines
    catalogs: Catalogs
    clock: Clock

    def read(
        self,
        source: str,
        access_code: str | None,
        *,
        is_clear_allowed: bool = False,
        has_database: bool = True,
    ) -> dict[str, Any]:
        """Read a profile from a file or a URL and check that this release can apply it.

        The access code goes to the host of the URL and to no other. There is no database before `init`.
        Raises `ProfileUnreadable`, what `check_profile` raises, and `CodeInClear` unless `is_clear_allowed`.

        Decision: G241, G242, G407, G1104.
        """
        is_url = source.lower().startswith(("http://", "https://"))
        if is_url and access_code is not None and not is_clear_allowed:
            check_code_is_safe(source)
        document = self._fetched(source, access_code, has_database) if is_url else _read_file(Path(source))
        check_profile(document, RELEASE)
        return document

    def _fetched(self, url: str, access_code: str | None, has_database: bool) -> dict[str, Any]:
        try:
            return self._trusted(url, access_code, has_database)
        except RegistryNotReachable as unreachable:
            raise ProfileUnreadable(reason="the registry is not reachable") from unreachable
        except InvalidRegistryAnswer as unreadable:
            raise ProfileUnreadable(reason="the answer is no JSON object") from unreadable
        except RegistryRefused as refused:
            raise ProfileUnreadable(reason=_refusal(refused.answered)) from refused

    def _trusted(self, url: str, access_code: str | None, has_database: bool) -> dict[str, Any]:
        """Fetch a resolved profile; where signatures are required all of it but its secrets is signed.

        Decision: G919.
        """
        with self.registry.reading(url, has_database=has_database) as reading:
            document = reading.fetch_object(url, bearer=access_code)
            if reading.walk is None or not document.get("requiredSecrets"):
                return document
            resolved = reading.client.fetch_object(url, bearer=access_code)
            if with_secrets_of(document, resolved) != resolved:
                raise SignatureNotValid().at(url, "the profile is not the one that was signed")
            return resolved

    def apply(self, profile: Mapping[str, Any]) -> bool:
        """Apply a profile that `read` gave, all of it or nothing; False when it was applied before.

        Raises `PipelineNotInstalled`, or what the settings, forms and pipelines refuse.

        Decision: G242.
        """
        if self.is_applied(profile):
            return False
        now = self.clock.now()
        settings = cast("dict[str, dict[str, object]]", profile["settings"])
        for section, changes in settings.items():
            check_folders(section, changes)
        with database.atomic():
            for section, changes in settings.items():
                self.facility.change(section, changes, now)
            self._switch_modules(profile.get("modules", {}), now)
            self._save_forms(profile, now)
            for pipeline in profile.get("pipelines", []):
                self._decide_pipeline(pipeline, now)
            if "catalog" in profile:
                self.catalogs.use_sync_url(profile["catalog"]["syncUrl"])
            self._note(profile, now)
        return True

    def is_applied(self, profile: Mapping[str, Any]) -> bool:
        """Return whether this version of the profile was the last one to be applied."""
        noted = self.facility.document(PROFILE_DOCUMENT)
        return (noted.get("id"), noted.get("version")) == (profile["id"], profile["version"])

    def _switch_modules(self, modules: Mapping[str, bool], now: datetime) -> None:
        if modules:
            self.facility.change_modules(
                {ModuleId(name): is_on for name, is_on in modules.items()}, None, now
            )

    def _save_forms(self, profile: Mapping[str, Any], now: datetime) -> None:
        order_form, study_form = profile.get("orderForm"), profile.get("studyForm")
        if order_form is not None:
            self.forms.adopt_order_form(
                order_form["fields"], order_form["groups"], order_form.get("enabledMixsChecklists"), now
            )
        if study_form is not None:
            self.forms.adopt_study_form(study_form["fields"], study_form["groups"], now)

    def _decide_pipeline(self, wanted: Mapping[str, Any], now: datetime) -> None:
        package = self.pipelines.current(wanted["id"])
        version = wanted.get("version")
        if package is None or (version is not None and version != package.version):
            name = wanted["id"] if version is None else f"{wanted['id']} {version}"
            raise PipelineNotInstalled(name=name)
        self.pipelines.adopt(wanted["id"], wanted["enabled"], wanted.get("config"), now)

    def _note(self, profile: Mapping[str, Any], now: datetime) -> None:
        noted = {key: profile[key] for key in ("id", "name", "version")}
        self.facility.save_document(PROFILE_DOCUMENT, {**noted, "appliedAt": format_time(now)}, now)
        audit.write(None, None, AuditAction.PROFILE_APPLIED, "install-profile", profile["id"], now, noted)


def _read_file(path: Path) -> dict[str, Any]:
    try:
        document = read_foreign_json(path.read_bytes())
    except OSError as unreadable:
        raise ProfileUnreadable(reason="no such file, or not readable") from unreadable
    except NotStrictJson as broken:
        raise ProfileUnreadable(reason="the file is no JSON") from broken
    if not isinstance(document, dict):
        raise ProfileUnreadable(reason="the file is no JSON object")
    return document


def _refusal(status: int) -> str:
    words = {401: "the access code is missing or wrong", 404: "the registry has no such profile"}
    return words.get(status, f"the registry answered {status}")
