"""The assemblies that somebody may download."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.files import bodies, rules, store

if TYPE_CHECKING:
    from seqfacility_schemas import answers


@dataclass(frozen=True, slots=True)
class Assemblies:
    """Lists assemblies. Decision: G127."""

    facility: FacilitySettings

    def list(
        self, caller: SignedIn, order_id: str | None, study_id: str | None, limit: int, offset: int
    ) -> tuple[list[answers.Assembly], int]:
        """List the assemblies that are open to `caller`, newest first, with the total.

        An assembly outside the data base path cannot be downloaded, whoever asks.

        Decision: G122, G127.
        """
        if not caller.is_admin and not self.facility.access().allow_user_assembly_download:
            return [], 0
        found, total = store.page_of_assemblies(
            caller, order_id=order_id, study_id=study_id, limit=limit, offset=offset
        )
        shown = [
            bodies.assembly_shape(
                assembly,
                is_downloadable=rules.is_assembly_name(assembly.assembly_file)
                and not assembly.assembly_file.startswith("/"),
            )
            for assembly in found
        ]
        return shown, total
