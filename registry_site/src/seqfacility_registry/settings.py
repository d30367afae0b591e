"""Where the registry finds its content and how it is reached: everything that the environment decides."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from seqfacility_wire.environment import InvalidVariable, addresses_of

_IN_ADDRESS: Final = r"[A-Za-z0-9._~:/%\[\]-]"
"""People copy addresses into a shell as they stand, in `installCommand` for example. Decision: G1111."""

ADDRESS: Final = re.compile(rf"https?://{_IN_ADDRESS}+")
_PUBLIC_URL = re.compile(rf"https?://(?!/){_IN_ADDRESS}+/api")

VARIABLES: Final = (
    (
        "SEQFACILITY_REGISTRY_CONTENT",
        "Folder that is published.",
        "the content that comes with the service",
    ),
    (
        "SEQFACILITY_REGISTRY_SECRETS",
        "Folder of access codes and secrets of install profiles.",
        "no closed profile can be resolved",
    ),
    (
        "SEQFACILITY_REGISTRY_PUBLIC_URL",
        "Address at which the registry is reached, ending in `/api`; links in its documents begin with it.",
        "the address that a request names",
    ),
    (
        "SEQFACILITY_TRUSTED_PROXIES",
        "Addresses of the proxies in front, with commas; only they may say whom a request came from.",
        "nobody is believed",
    ),
    (
        "SOURCE_DATE_EPOCH",
        "Seconds since 1970 at which `new-root`, `sign` and `timestamp` sign, to make the same bytes again.",
        "now",
    ),
)
"""Every variable that the registry reads: name, meaning, what holds without it; see docs/environment.md."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the registry's environment.

    `public_url` ends in `/api` and is None when links follow the request; without `secrets` no profile
    can be resolved that needs a code or a secret.

    Decision: G232, G241, G258.
    """

    content: Path
    secrets: Path | None = None
    public_url: str | None = None
    trusted_proxies: frozenset[str] = frozenset()


def shipped_content() -> Path:
    """Find the content that comes with the service: inside the package, or beside `src` in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "content"
    return inside if inside.is_dir() else package.parents[1] / "content"


def settings_from(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings of the environment; an empty variable counts as unset.

    Raises `InvalidVariable` when the content is no folder, the public address does not end in `/api`, or a
    proxy is no IP address.

    Decision: G232, G258, G465.
    """
    content = environment.get("SEQFACILITY_REGISTRY_CONTENT") or ""
    secrets = environment.get("SEQFACILITY_REGISTRY_SECRETS") or ""
    settings = Settings(
        content=Path(content) if content else shipped_content(),
        secrets=Path(secrets) if secrets else None,
        public_url=public_url_from(environment.get("SEQFACILITY_REGISTRY_PUBLIC_URL") or ""),
        trusted_proxies=addresses_of(environment, "SEQFACILITY_TRUSTED_PROXIES"),
    )
    if not settings.content.is_dir():
        raise InvalidVariable("SEQFACILITY_REGISTRY_CONTENT", f"{settings.content} is not a folder")
    return settings


def public_url_from(text: str) -> str | None:
    """Read a public address without its last slash; None for an empty text. Raises `InvalidVariable`.

    Decision: G232.
    """
    address = text.strip().rstrip("/")
    if not address:
        return None
    if not _PUBLIC_URL.fullmatch(address):
        raise InvalidVariable(
            "SEQFACILITY_REGISTRY_PUBLIC_URL", "must be an http(s) address that ends in /api"
        )
    return address
