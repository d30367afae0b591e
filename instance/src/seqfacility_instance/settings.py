"""What the environment says about this installation; everything else is a facility setting."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DEFAULT_REGISTRY = "http://127.0.0.1:8090/api"
_CATALOG_PATH = "/registry/sequencing-tech"


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable, as docs/environment.md tells of it; empty counts as not set."""

    name: str
    meaning: str
    without: str
    """What holds when it is not set."""


VARIABLES: Final = (
    Variable("SEQFACILITY_HOME", "Folder of everything that the facility keeps.", "`./seqfacility-home`"),
    Variable(
        "SEQFACILITY_DATABASE_URL",
        "`postgresql://user:password@host/name` selects PostgreSQL.",
        "SQLite, `seqfacility.db` in the home folder",
    ),
    Variable(
        "SEQFACILITY_PUBLIC_URL",
        "Address at which people reach the service. With `https:` cookies are sent over TLS only; links and"
        " workflow engines use it; pages of other sites are refused.",
        "the address that a request names",
    ),
    Variable(
        "SEQFACILITY_TRUSTED_PROXIES",
        "Addresses of the proxies in front, with commas; only they may say whom a request came from, and have"
        " more than 72 connections to a web process.",
        "nobody is believed",
    ),
    Variable(
        "SEQFACILITY_ACCEL_PREFIX",
        "Address below which nginx finds the data folder; nginx then sends files that the service allowed.",
        "the service sends files itself",
    ),
    Variable("SEQFACILITY_DEMO", "`1` lets visitors open a demonstration workspace of their own.", "off"),
    Variable(
        "SEQFACILITY_LOG_FORMAT",
        "`text` or `json`: how a line on standard error is written. The registry reads it too.",
        "`text`",
    ),
    Variable(
        "SEQFACILITY_LOG_LEVEL",
        "`debug`, `info`, `warning` or `error`: the least severe lines that are written. Requests are `info`."
        " The registry reads it too.",
        "`info`",
    ),
    Variable(
        "SERVICE_API_URL",
        "Base address of the registry, ending in `/api`, for pipelines, checklists and the catalog.",
        f"`{DEFAULT_REGISTRY}`",
    ),
)
"""Every variable that the processes of an instance read."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The environment of one installation, read once at start. Gap: G257, G258."""

    home: Path
    database_address: str | Path
    """A `postgresql://` URL, or the path of the SQLite file."""

    public_url: str | None = None
    trusted_proxies: frozenset[str] = frozenset()
    is_demo: bool = False
    registry_url: str = DEFAULT_REGISTRY
    """Base of the registry, without a final slash; the catalog's sync address follows from it (G225)."""

    accel_prefix: str | None = None
    """The address below which nginx itself finds the data folder, between two slashes. Gap: G327."""

    @property
    def secret_key_file(self) -> Path:
        """The key that encrypts stored secrets."""
        return self.home / "secret.key"

    @property
    def is_secure(self) -> bool:
        """Whether people reach the service by https, so that cookies must be `Secure`. Gap: G25."""
        return (self.public_url or "").startswith("https:")


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read the variables of the service; empty counts as not set. Gap: G225, G257, G258, G327."""

    def value(name: str) -> str | None:
        return environment.get(name, "").strip() or None

    home = Path(value("SEQFACILITY_HOME") or "./seqfacility-home").expanduser().absolute()
    proxies = (value("SEQFACILITY_TRUSTED_PROXIES") or "").split(",")
    accel = (value("SEQFACILITY_ACCEL_PREFIX") or "").strip("/")
    registry = (value("SERVICE_API_URL") or DEFAULT_REGISTRY).rstrip("/").removesuffix(_CATALOG_PATH)
    return Settings(
        home=home,
        database_address=value("SEQFACILITY_DATABASE_URL") or home / "seqfacility.db",
        public_url=(value("SEQFACILITY_PUBLIC_URL") or "").rstrip("/") or None,
        trusted_proxies=frozenset(proxy.strip() for proxy in proxies if proxy.strip()),
        is_demo=value("SEQFACILITY_DEMO") == "1",
        registry_url=registry,
        accel_prefix=f"/{accel}/" if accel else None,
    )
