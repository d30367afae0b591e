"""The operator's folder of access codes and secrets, outside the content. Nothing of it is ever logged."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from seqfacility_registry.answers import BrokenContent, read_document

_log = logging.getLogger("seqfacility.secrets")


@dataclass(frozen=True, slots=True)
class ProfileSecrets:
    """What the operator keeps for one profile."""

    access_code_hashes: tuple[str, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class SecretsFolder:
    """Reads `<profile id>.json` at each resolve, so that a code or secret is changed without a restart.

    Decision: G241.
    """

    folder: Path | None

    def read(self, profile_id: str) -> ProfileSecrets:
        """Return what is kept for a profile; nothing when there is no folder, no file or no sense in it.

        `profile_id` is the id of a published profile, so it is plain enough for a file name.
        """
        if self.folder is None:
            return ProfileSecrets()
        path = self.folder / f"{profile_id}.json"
        if not path.exists():
            return ProfileSecrets()
        try:
            document = read_document(path)
        except BrokenContent:
            _log.exception("the secrets of profile %s cannot be read", profile_id, exc_info=False)
            return ProfileSecrets()
        hashes, values = document.get("accessCodeHashes"), document.get("secrets")
        return ProfileSecrets(
            tuple(kept for kept in hashes if isinstance(kept, str)) if isinstance(hashes, list) else (),
            values if isinstance(values, dict) else {},
        )
