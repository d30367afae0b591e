"""Pure decisions on which databases a run needs and what they are called in its configuration."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_pipeline_package.descriptor import Database, RegistryDescriptor, merged_config, needs_key
from seqfacility_pipeline_package.documents import JsonObject, JsonValue

from seqfacility_instance.core.vocabulary.pipelines import VerifiedBy


@dataclass(frozen=True, slots=True)
class Demand:
    """A database that a configuration leaves to the service; `is_needed` when nothing goes without it."""

    database: Database
    is_needed: bool


def demands(descriptor: RegistryDescriptor, *configs: Mapping[str, JsonValue]) -> list[Demand]:
    """List the databases that the service provides for a run.

    A configuration that names a path of its own provides the database itself. Of the others those are
    needed whose key the configuration schema then asks for, always or under a condition that holds.

    Decision: G332.
    """
    chosen = merged_config(*configs)
    config = merged_config(descriptor.default_config, chosen)
    expected = {database.config_key: "/expected" for database in descriptor.databases}
    return [
        Demand(
            database,
            needs_key(descriptor.config_schema, merged_config(expected, config), database.config_key),
        )
        for database in descriptor.databases
        if not chosen.get(database.config_key)
    ]


def checked_against(declared: Mapping[str, object]) -> VerifiedBy:
    """Return what a fetched file will be held against: the strongest of a declaration's digests and size.

    Decision: G334, G452.
    """
    return next(
        (
            kind
            for kind in (VerifiedBy.SHA256, VerifiedBy.MD5, VerifiedBy.SIZE)
            if declared.get(kind) is not None
        ),
        VerifiedBy.NOTHING,
    )


def provided(demanded: list[Demand], paths: Mapping[str, str]) -> JsonObject:
    """Return the configuration that the service adds: the path of each database, by its key.

    Decision: G332.
    """
    found: JsonObject = {
        demand.database.config_key: paths[demand.database.id]
        for demand in demanded
        if demand.database.id in paths
    }
    return found
