"""The install profiles of one publication."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from seqfacility_registry.answers import (
    ANY_ADDRESS,
    Answer,
    BrokenContent,
    ContentBroken,
    Source,
    check_schema,
    read_source,
)
from seqfacility_registry.install_profiles.rules import InstallProfile, list_entry, single_entry


class ListedProfile:
    """One profile file, sound or broken."""

    def __init__(self, name: str, source: Source) -> None:
        self._name = name
        self._source = source
        self._sound: InstallProfile | None = None
        self.entry = Answer(
            f"profiles/{name}",
            "registry/install-profile",
            lambda base_url: single_entry(self.checked(), base_url),
            linked=True,
        )

    @property
    def is_offered(self) -> bool:
        """Return whether the profile may be named at all; only a sound one can say that it is disabled."""
        found = self._source.found
        return isinstance(found, BrokenContent) or found.get("enabled") is not False

    @property
    def is_open(self) -> bool:
        """Return whether everybody may have it resolved: it asks for no code and holds no secret."""
        try:
            checked = self.checked()
        except BrokenContent:
            return False
        return checked.enabled and not checked.requires_access_code and not checked.required_secrets

    def profile(self) -> InstallProfile:
        self.entry.ready(ANY_ADDRESS)
        try:
            return self.checked()
        except BrokenContent as broken:
            raise ContentBroken from broken

    def checked(self) -> InstallProfile:
        """Read and check the profile once; raises `BrokenContent`."""
        if self._sound is None:
            document = self._source.document()
            where = f"profiles/{self._name}.json"
            check_schema(where, "registry/install-profile-source", document)
            profile = document["profile"]
            assert isinstance(profile, dict)
            if profile["id"] != self._name:
                raise BrokenContent(f"{where}: profile.id: the file is named {self._name!r}")
            self._sound = InstallProfile(
                enabled=document["enabled"] is True,
                requires_access_code=document["requiresAccessCode"] is True,
                description=str(document["description"]),
                profile=profile,
            )
        return self._sound


class ProfileContent:
    """All profiles that may be named, and the list of the sound ones. Decision: G240."""

    def __init__(self, profiles: Mapping[str, ListedProfile]) -> None:
        self.profiles = {name: profile for name, profile in profiles.items() if profile.is_offered}
        self.all = Answer("profiles", "registry/install-profile-list", self._list, linked=True)

    def answers(self) -> Iterator[Answer]:
        yield self.all
        for profile in self.profiles.values():
            yield profile.entry

    def _list(self, base_url: str) -> dict[str, object]:
        entries = []
        for _, profile in sorted(self.profiles.items()):
            try:
                entries.append(list_entry(profile.checked(), base_url))
            except BrokenContent:
                continue  # its own answer says so, and `check` names it
        return {"profiles": entries}


def read_install_profiles(folder: Path) -> ProfileContent:
    """Read all profiles below `folder`; a broken one is kept as broken. Decision: G232."""
    return ProfileContent(
        {
            path.stem: ListedProfile(path.stem, read_source(path, "profiles"))
            for path in sorted(folder.glob("*.json"))
        }
    )
