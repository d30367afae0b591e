"""What a mirror answers where: paths, files, headers, and refusals where no file is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from seqfacility_registry.pages.policy import PAGE_POLICY
from seqfacility_registry.pages.site import MENU, NOT_FOUND_PAGE
from seqfacility_registry.pipelines.ro_crate import FILE_NAME
from seqfacility_registry.publishing import (
    IMMUTABLE,
    INSTALL_PROFILES,
    NOT_CACHED,
    PUBLIC_DOCUMENT,
    RESEARCH_DATA,
    SANDBOX,
    TRUST_TIMESTAMP,
)
from seqfacility_registry.trs.errors import ToolNotFound
from seqfacility_registry.trs.rules import ROOT
from seqfacility_registry.trust.content import MEDIA_BYTES

METHODS: Final = "GET, HEAD, OPTIONS"
OPEN_METHODS: Final = "GET, OPTIONS"
NAMED_FILE: Final = r"^(/(?:api|ga4gh)/.+)/index\.json"
"""A file by its own name, as whoever copies all files asks for it; the group is where it is answered."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A status and a JSON body, without its braces; `name` as a word of a configuration."""

    name: str
    status: int
    body: str
    cache: str = NOT_CACHED


def _refusal(name: str, status: int, text: str) -> Refusal:
    return Refusal(name, status, f'"error": "{text}"')


NOT_FOUND: Final = _refusal("not_found", 404, "Not found")
NOT_ALLOWED: Final = _refusal("method_not_allowed", 405, "Method not allowed")
_NO_PIPELINE = _refusal("pipeline_not_found", 404, "Pipeline not found")
_NO_PACKAGE = _refusal("package_not_found", 404, "Pipeline package not found")
_NO_PROFILE = _refusal("profile_not_found", 404, "Install profile not found")
_NO_RELEASE = _refusal("no_release", 404, "No releases found for channel")
_NO_SNAPSHOT = _refusal("no_snapshot", 503, "No research-data snapshot available")
_BAD_ID = _refusal("invalid_id", 400, "Invalid pipeline ID")
_BAD_VERSION = _refusal("invalid_version", 400, "Invalid pipeline version")
_NO_TOOL = Refusal(
    "tool_not_found", 404, f'"code": {ToolNotFound.status}, "message": "{ToolNotFound.message}"'
)


_NO_ROOT_YET = replace(NOT_FOUND, name="no_root_yet", cache=TRUST_TIMESTAMP)


class Holds(Enum):
    """Which file a place answers."""

    FOLDER = auto()
    """`index.json` of the folder at the path."""
    FILE = auto()
    """The file at the path."""
    PAGE = auto()
    """The file at the path, or `index.html` of the folder there; else the page `MISSING`."""
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class Place:
    """Paths that are answered alike; of several that fit a path the first one counts.

    `path` is a regular expression of whole paths, or a path when it `is_literal`. `refusal` is answered
    where the file is missing.
    """

    path: str
    refusal: Refusal
    cache: str = NOT_CACHED
    any_origin: bool = False
    holds: Holds = Holds.FOLDER
    is_literal: bool = False
    media: str | None = None
    disposition: str | None = None
    policy: str | None = None

    @property
    def expression(self) -> str:
        """Return a regular expression of the whole path, that no line break at its end escapes."""
        return rf"^{re.escape(self.path) if self.is_literal else self.path}\z"


_ID = "[a-z0-9-]+"
_VERSION = r"[a-z0-9]+(?:\.[a-z0-9]+)*"
_PACKAGES = "/api/registry/pipelines"
_CRATE = re.escape(FILE_NAME)


MISSING: Final = f"/{NOT_FOUND_PAGE}"
RESERVED: Final = "^/(api|ga4gh|images|server)(/|$)"
"""Paths of programs, where errors are JSON; elsewhere people get the page `MISSING`."""

_SECTIONS = "|".join(name for name, _title in MENU)
_PAGES = (
    rf"/(({_SECTIONS})(/[A-Za-z0-9_][A-Za-z0-9._-]*)*/?"
    r"|look/[a-z]+\.[a-z]+|index\.html|search\.json|sitemap\.xml)?"
)


def places(attachments: Mapping[str, str]) -> Sequence[Place]:
    """Return all places; `attachments` maps open profiles to the file name of their download."""
    return [*_registry(), *_packages(), *_profiles(attachments), *_trust(), *_root()]


def _registry() -> list[Place]:
    return [
        Place("/api/registry", NOT_FOUND, PUBLIC_DOCUMENT, any_origin=True, is_literal=True),
        Place("/api/registry/mixs", NOT_FOUND, PUBLIC_DOCUMENT, any_origin=True, is_literal=True),
        Place("/api/registry/mixs/changes", NOT_FOUND, PUBLIC_DOCUMENT, is_literal=True),
        Place("/api/registry/sequencing-tech", NOT_FOUND, PUBLIC_DOCUMENT, is_literal=True),
        Place(f"/api/registry/{_ID}", _NO_PIPELINE, PUBLIC_DOCUMENT, any_origin=True),
        Place("/api/registry/[^/]+", _BAD_ID, any_origin=True, holds=Holds.NOTHING),
        Place("/api/version", _NO_RELEASE, is_literal=True),
        Place("/api/releases", NOT_FOUND, PUBLIC_DOCUMENT, is_literal=True),
        Place("/api/research-data", _NO_SNAPSHOT, RESEARCH_DATA, is_literal=True),
        Place("/api/files.json", NOT_FOUND, PUBLIC_DOCUMENT, holds=Holds.FILE, is_literal=True),
        Place("/api/health", NOT_FOUND, is_literal=True),
    ]


def _packages() -> list[Place]:
    found = []
    for name, holds in (("download", Holds.FOLDER), (_CRATE, Holds.FILE)):
        found += [
            Place(
                f"{_PACKAGES}/{_ID}/{_VERSION}/{name}",
                _NO_PACKAGE,
                PUBLIC_DOCUMENT,
                any_origin=True,
                holds=holds,
            ),
            Place(f"{_PACKAGES}/{_ID}/[^/]+/{name}", _BAD_VERSION, any_origin=True, holds=Holds.NOTHING),
            Place(f"{_PACKAGES}/[^/]+/[^/]+/{name}", _BAD_ID, any_origin=True, holds=Holds.NOTHING),
        ]
    return found


def _profiles(attachments: Mapping[str, str]) -> list[Place]:
    found = [Place("/api/install-profiles", NOT_FOUND, INSTALL_PROFILES, is_literal=True)]
    for name, file_name in sorted(attachments.items()):
        path, disposition = f"/api/install-profiles/{name}/resolve", f'attachment; filename="{file_name}"'
        found.append(Place(path, _NO_PROFILE, is_literal=True, disposition=disposition))
    return [*found, Place("/api/install-profiles/[^/]+(/resolve)?", _NO_PROFILE, INSTALL_PROFILES)]


def _trust() -> list[Place]:
    documents = "/api/trust/documents/[0-9a-f]+"
    return [
        Place("/api/trust/timestamp.json", NOT_FOUND, TRUST_TIMESTAMP, holds=Holds.FILE, is_literal=True),
        Place(r"/api/trust/root\.[0-9]+\.json", _NO_ROOT_YET, IMMUTABLE, holds=Holds.FILE),
        Place(r"/api/trust/[a-z0-9-]+\.[0-9]+\.json", NOT_FOUND, IMMUTABLE, holds=Holds.FILE),
        Place(rf"{documents}\.json", NOT_FOUND, IMMUTABLE, holds=Holds.FILE),
        Place(documents, NOT_FOUND, IMMUTABLE, holds=Holds.FILE, media=MEDIA_BYTES),
    ]


def _root() -> list[Place]:
    tools = f"{ROOT}/(service-info|toolClasses|tools(/.+)?)"
    drawings = "/images/(catalog|checklists)/[^/]+"
    return [
        Place(tools, _NO_TOOL, PUBLIC_DOCUMENT, any_origin=True),
        Place(drawings, NOT_FOUND, PUBLIC_DOCUMENT, holds=Holds.FILE, policy=SANDBOX),
        Place("/server/[A-Za-z.]+", NOT_FOUND, PUBLIC_DOCUMENT, holds=Holds.FILE, media="text/plain"),
        Place(MISSING, NOT_FOUND, holds=Holds.PAGE, is_literal=True, policy=PAGE_POLICY),
        Place(_PAGES, NOT_FOUND, PUBLIC_DOCUMENT, holds=Holds.PAGE, policy=PAGE_POLICY),
    ]


def quoted(value: str) -> str:
    """Return a value as nginx and Apache write it."""
    return f'"{value}"' if '"' not in value else f"'{value}'"
