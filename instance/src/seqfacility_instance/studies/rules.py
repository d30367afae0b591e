"""Pure decisions on studies: what may be sent, which samples are free, and how a version is read."""

import re
from collections.abc import Mapping

from seqfacility_instance.checklists.errors import VersionNotAnInteger
from seqfacility_instance.studies.errors import SampleInOtherStudy

_ADMINS_KEYS = frozenset({"userId", "studyAccessionId"})


def permitted(body: Mapping[str, object], *, is_admin: bool) -> dict[str, object]:
    """Leave out the keys that only an admin may send, unvalidated. Decision: G83."""
    return {key: value for key, value in body.items() if is_admin or key not in _ADMINS_KEYS}


def check_free(study_ids: Mapping[str, str | None], study_id: str) -> None:
    """Raise `SampleInOtherStudy` unless each sample is in no study or in this one; by sample code."""
    taken = [code for code, other in study_ids.items() if other not in {None, study_id}]
    if taken:
        raise SampleInOtherStudy(details=[f"{code}: already belongs to another study" for code in taken])


def version_number(text: str) -> int:
    """Read the version of a checklist; one that no registry can have is -1. Raises `VersionNotAnInteger`."""
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise VersionNotAnInteger
    return int(text) if len(text) < 10 else -1
