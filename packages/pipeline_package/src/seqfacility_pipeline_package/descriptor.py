"""`registry.json`: how a pipeline is shown, and what may be configured."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_pipeline_package.documents import Fields, JsonObject, JsonValue
from seqfacility_pipeline_package.enums import Category


@dataclass(frozen=True, slots=True)
class Tool:
    """One program that the pipeline uses. Decision: G135."""

    name: str
    version: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the EDAM ontology, as `topic_3174`, and its label there. Decision: G453."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Requirements:
    """What one run needs; None where the author states nothing. Decision: G135."""

    cpus: int | None
    memory_gb: float | None
    disk_gb: float | None


@dataclass(frozen=True, slots=True)
class Database:
    """A reference database; its extracted path goes into `config_key`.

    `size` (bytes) and the digests are those of the file that is fetched, None where the author does not
    say; so is `unpack`, and then the name of the file decides.

    Spec: registry, Database block. Decision: G331.
    """

    id: str
    label: str
    version: str
    file_name: str
    download_url: str
    config_key: str
    mode: str
    size: int | None = None
    sha256: str | None = None
    md5: str | None = None
    unpack: bool | None = None


@dataclass(frozen=True, slots=True)
class RegistryDescriptor:
    """How a pipeline is shown in a store, and its configuration schema. Decision: G135."""

    id: str
    name: str
    short_name: str
    short_description: str
    description: str
    category: Category
    icon: str
    tags: tuple[str, ...]
    author: str
    config_schema: JsonObject
    default_config: JsonObject
    features: tuple[str, ...]
    tools: tuple[Tool, ...]
    requirements: Requirements
    databases: tuple[Database, ...]
    topics: tuple[Topic, ...]


def descriptor_from(document: JsonObject) -> RegistryDescriptor:
    fields = Fields(document)
    requirements = fields.part("requirements")
    return RegistryDescriptor(
        id=fields.text("id"),
        name=fields.text("name"),
        short_name=fields.text("shortName"),
        short_description=fields.text("shortDescription"),
        description=fields.text("description"),
        category=Category(fields.text("category")),
        icon=fields.text("icon"),
        tags=fields.texts("tags"),
        author=fields.text("author"),
        config_schema=fields.mapping("configSchema"),
        default_config=fields.mapping("defaultConfig"),
        features=fields.texts("features"),
        tools=tuple(
            Tool(tool.text("name"), tool.optional_text("version"), tool.optional_text("url"))
            for tool in fields.parts("tools")
        ),
        requirements=Requirements(
            cpus=requirements.whole_number("cpus"),
            memory_gb=requirements.number("memoryGb"),
            disk_gb=requirements.number("diskGb"),
        ),
        databases=tuple(_database_from(item) for item in fields.parts("databases")),
        topics=tuple(Topic(item.text("id"), item.text("label")) for item in fields.parts("topics")),
    )


def config_problems(
    config_schema: JsonObject, config: Mapping[str, JsonValue], complete: bool = True
) -> list[str]:
    """List what keeps a configuration from fitting its schema, as `<key path>: <reason>`.

    A configuration that is still to be laid under another one (the package's default, an
    administrator's values) is not `complete`: required keys may be missing. Nothing is fetched: a
    schema that refers to another document, or to itself without an end, is a problem by itself.
    Unknown keys are problems because every configuration schema closes its object.

    Decision: G142, G149, G1092.
    """
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    validator = Draft202012Validator(config_schema, registry=Registry())
    try:
        found = [
            f"{_key_path(error.absolute_path)}: {error.message[:300]}"
            for error in validator.iter_errors(config)
            if complete or error.validator != "required" or error.absolute_path
        ]
    except Unresolvable:
        return ["configSchema: refers to another document"]
    except RecursionError:
        return ["configSchema: refers to itself without an end"]
    return sorted(found)


def needs_key(config_schema: JsonObject, config: Mapping[str, JsonValue], key: str) -> bool:
    """Return whether a configuration that leaves `key` out would lack it, by `required` or a condition.

    Decision: G332.
    """
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    rest = {name: value for name, value in config.items() if name != key}
    validator = Draft202012Validator(config_schema, registry=Registry())
    try:
        return any(
            error.validator == "required"
            and not error.absolute_path
            and error.message.startswith(f"{key!r} ")
            for error in validator.iter_errors(rest)
        )
    except (Unresolvable, RecursionError):
        return False


def merged_config(*layers: Mapping[str, JsonValue]) -> JsonObject:
    """Lay configurations over each other, the later one winning key by key.

    The layers are the package's default, the admin's values and the request's.

    Decision: G149.
    """
    merged: JsonObject = {}
    for layer in layers:
        merged.update(layer)
    return merged


def config_schema_fault(config_schema: JsonObject) -> str | None:
    """Return why a configuration schema is no JSON Schema; None when it is one. Decision: G135."""
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(config_schema)
    except SchemaError as error:
        return f"is not a JSON Schema: {_key_path(error.absolute_path)}: {error.message[:200]}"
    return None


def _key_path(steps: object) -> str:
    assert hasattr(steps, "__iter__")
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return path.lstrip(".") or "config"


def _database_from(fields: Fields) -> Database:
    return Database(
        id=fields.text("id"),
        label=fields.text("label"),
        version=fields.text("version"),
        file_name=fields.text("fileName"),
        download_url=fields.text("downloadUrl"),
        config_key=fields.text("configKey"),
        mode=fields.text("mode"),
        size=fields.whole_number("size"),
        sha256=fields.optional_text("sha256"),
        md5=fields.optional_text("md5"),
        unpack=fields.flag("unpack") if "unpack" in fields.values else None,
    )
