"""What the environment says about this installation; everything else is a facility setting."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from seqfacility_wire.environment import InvalidVariable, addresses_of, http_address_of, value_of
from seqfacility_wire.logs import log_settings

DEFAULT_REGISTRY = "http://127.0.0.1:8090/api"
_DATABASE_URL: Final = "SEQFACILITY_DATABASE_URL"
_PASSWORD: Final = re.compile(r"(?<!:)(?<!/):(?!//).*(?=@)|(?<=[?&])[a-z]*password=[^&]*&?")
"""Of a user (`:secret` before the last `@`) or of the query."""

_CATALOG_PATH = "/registry/sequencing-tech"

SHIPPED_ROOT: Final = Path(__file__).with_name("registry_root.json")
"""The root of a registry that whoever builds the service for several facilities may put beside it."""


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
        "`postgresql://user:password@host/name` selects PostgreSQL, `sqlite:///path` another SQLite file.",
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
    Variable(
        "SEQFACILITY_PRIVATE_HOSTS",
        "Hosts in a private network that reference databases of packages may come from and redirects may lead"
        " to: names or addresses, with a port or for any, with commas. The host of the registry and those of"
        " addresses that an admin types need no entry.",
        "none",
    ),
    Variable(
        "SEQFACILITY_REGISTRY_ROOT",
        "File of the root that the signatures of the registry, and of each mirror of it, begin at. With it"
        " signatures are required unless the setting `registry.trust` says otherwise.",
        "the root that this build ships, if any, or what was verified before; else nothing is verified",
    ),
    Variable("SEQFACILITY_DEMO", "`1` lets visitors open a demonstration workspace of their own.", "off"),
    Variable(
        "SEQFACILITY_WITHOUT_PAGES",
        "`1` installs the service from source without its pages, which need packages of npm. For pip alone.",
        "pages are built",
    ),
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
        "Base address of the registry, ending in `/api`, for pipelines, checklists and the catalog. "
        "Unless it is set, nobody is polled.",
        f"`{DEFAULT_REGISTRY}`",
    ),
)
"""Every variable that the processes and commands of an instance read."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The environment of one installation, read once at start. Decision: G257, G258."""

    home: Path
    database_address: str | Path
    """A `postgresql://` URL, or the path of the SQLite file."""

    public_url: str | None = None
    trusted_proxies: frozenset[str] = frozenset()
    is_demo: bool = False
    registry_url: str = DEFAULT_REGISTRY
    """Base of the registry, without a final slash; the catalog's sync address follows from it (G225)."""

    has_registry: bool = False
    """Whether the environment names the registry: nobody's address is asked by itself. Decision: G927."""

    registry_root: Path | None = None
    """The root metadata that is trusted before anything was verified. Decision: G913, G915."""

    private_hosts: tuple[str, ...] = ()
    """Further hosts that may have a private address. Decision: G406."""

    accel_prefix: str | None = None
    """The address below which nginx itself finds the data folder, between two slashes. Decision: G327."""

    @property
    def shown_database(self) -> str:
        """The address of the database as messages name it, without its password. Decision: G466."""
        return _PASSWORD.sub("", str(self.database_address))

    @property
    def secret_key_file(self) -> Path:
        """The key that encrypts stored secrets."""
        return self.home / "secret.key"

    @property
    def is_secure(self) -> bool:
        """Whether people reach the service by https, so that cookies must be `Secure`. Decision: G25."""
        return (self.public_url or "").startswith("https:")


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read the variables of the service; empty counts as not set. Raises `InvalidVariable`.

    Decision: G225, G257, G258, G327, G406, G465.
    """
    home = Path(value_of(environment, "SEQFACILITY_HOME") or "./seqfacility-home").expanduser().absolute()
    hosts = (value_of(environment, "SEQFACILITY_PRIVATE_HOSTS") or "").split(",")
    accel = (value_of(environment, "SEQFACILITY_ACCEL_PREFIX") or "").strip("/")
    registry = http_address_of(environment, "SERVICE_API_URL")
    root = value_of(environment, "SEQFACILITY_REGISTRY_ROOT")
    shipped = SHIPPED_ROOT if SHIPPED_ROOT.is_file() else None
    demo = value_of(environment, "SEQFACILITY_DEMO")
    if demo not in {None, "0", "1"}:
        raise InvalidVariable("SEQFACILITY_DEMO", "must be 1 or 0")
    log_settings(environment)
    return Settings(
        home=home,
        database_address=_database_address(value_of(environment, _DATABASE_URL), home),
        public_url=http_address_of(environment, "SEQFACILITY_PUBLIC_URL"),
        trusted_proxies=addresses_of(environment, "SEQFACILITY_TRUSTED_PROXIES"),
        is_demo=demo == "1",
        registry_url=(registry or DEFAULT_REGISTRY).removesuffix(_CATALOG_PATH),
        has_registry=registry is not None,
        registry_root=shipped if root is None else Path(root).expanduser().absolute(),
        private_hosts=tuple(host.strip() for host in hosts if host.strip()),
        accel_prefix=f"/{accel}/" if accel else None,
    )


def _database_address(address: str | None, home: Path) -> str | Path:
    """Read what may be a URL of PostgreSQL, or of an SQLite file, or the path of one.

    Decision: G258, G465.
    """
    if address is None:
        return home / "seqfacility.db"
    if address.startswith(("postgresql://", "postgres://")):
        # HAZARD: libpq ends a password at its first `@` and names the rest as the host in its complaints.
        if urlsplit(address).netloc.count("@") > 1:
            raise InvalidVariable(_DATABASE_URL, "an @ in user or password must be written as %40")
        return address
    scheme, separator, path = address.partition("://")
    if not separator:
        return Path(address).absolute()
    if scheme != "sqlite" or not path.startswith("/"):
        raise InvalidVariable(_DATABASE_URL, "must begin with postgresql:// or sqlite:///")
    return Path(unquote(path))
