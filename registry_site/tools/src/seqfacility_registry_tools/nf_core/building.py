"""The documents of a package: what the workflow's files say, chosen and explained by the curation."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from seqfacility_pipeline_package.documents import JsonObject

from seqfacility_registry_tools.nf_core.documented import is_named, named_paths
from seqfacility_registry_tools.nf_core.source import Parameter, Source

ABSOLUTE_PATH = "^/[^\\u0000-\\u001f]*$"
SERVICE_PARAMETERS = ("input", "outdir", "email")
"""What the service says itself, or says in its own way."""

LIMITS = ("minimum", "maximum", "pattern")

Curation = Mapping[str, Any]


@dataclass(slots=True)
class Findings:
    """What keeps a curation and a workflow from fitting each other, one line each."""

    lines: list[str] = field(default_factory=list)

    def add(self, place: str, reason: str) -> None:
        self.lines.append(f"{place}: {reason}")


def package_documents(
    source: Source, curation: Curation, version: str, findings: Findings
) -> dict[str, JsonObject]:
    """Build the documents of a package by their paths in it; what does not fit goes to `findings`.

    Decision: G945, G946.
    """
    documents: dict[str, JsonObject] = {
        "manifest.json": _manifest(source, curation, version, findings),
        "definition.json": {"pipeline": source.name, "steps": curation["steps"]},
        "registry.json": _descriptor(source, curation, findings),
        "samplesheet.json": _samplesheet(source, curation, findings),
    }
    return documents | {f"parsers/{one['id']}.json": one for one in curation.get("parsers", ())}


def _manifest(source: Source, curation: Curation, version: str, findings: Findings) -> JsonObject:
    execution = curation["execution"]
    for key in sorted(set(execution["defaultParams"]) - set(source.parameters)):
        findings.add(f"execution.defaultParams.{key}", f"is no parameter of {source.tag}")
    if source.license is not None and not source.license.lstrip().startswith("MIT License"):
        findings.add("LICENSE", "is not the MIT licence, which nf-core asks for")
    return {
        "manifestVersion": 1,
        "package": {
            "id": source.name,
            "name": f"nf-core/{source.name}",
            "version": version,
            "description": curation["description"],
            "provider": "nf-core",
            "license": "MIT",
            "homepage": f"https://nf-co.re/{source.name}",
        },
        **{key: curation[key] for key in ("targets", "sequencingCompatibility", "inputs")},
        "execution": {
            "engine": "nextflow",
            "workflow": {
                "repository": source.repository,
                "revision": source.tag,
                "commit": source.commit,
            },
            **execution,
        },
        "outputs": list(_outputs(source, curation, findings)),
        **{key: curation[key] for key in ("readCleaning", "minServiceVersion") if key in curation},
    }


def _outputs(source: Source, curation: Curation, findings: Findings) -> Iterator[JsonObject]:
    """Take the outputs; one that docs/output.md does not name has to say where it is known from."""
    paths = named_paths(source.output_page)
    for output in curation["outputs"]:
        named = is_named(output["pattern"], paths)
        if not named and "evidence" not in output:
            findings.add(f"outputs.{output['id']}", f"docs/output.md does not name {output['pattern']}")
        if named and "evidence" in output:
            findings.add(f"outputs.{output['id']}", "docs/output.md names it, so it needs no evidence")
        yield {key: value for key, value in output.items() if key != "evidence"}


def _descriptor(source: Source, curation: Curation, findings: Findings) -> JsonObject:
    properties = {one["key"]: _setting(source, one, findings) for one in curation["settings"]}
    _check_skipped(properties, curation, findings)
    conditions = {key: curation[key] for key in ("required", "allOf", "if", "then") if key in curation}
    texts = ("shortName", "shortDescription", "description", "category", "topics", "icon", "tags")
    return {
        "id": source.name,
        "name": f"nf-core/{source.name}",
        **{key: curation[key] for key in texts},
        "author": "nf-core community",
        "configSchema": {
            "type": "object",
            "properties": properties,
            **conditions,
            "additionalProperties": False,
        },
        "defaultConfig": {key: one["default"] for key, one in properties.items() if "default" in one},
        "features": curation["features"],
        "tools": list(_tools(source, curation, findings)),
        **{key: curation[key] for key in ("requirements", "databases")},
    }


def _setting(source: Source, chosen: Mapping[str, Any], findings: Findings) -> dict[str, Any]:
    """Make one property of the configuration schema. Decision: G946."""
    key = chosen["key"]
    place, parameter = f"settings.{key}", source.parameters.get(key)
    if parameter is None:
        findings.add(place, f"is no parameter of {source.tag}")
        return {}
    if key in SERVICE_PARAMETERS:
        findings.add(place, "is set by the service")
    if parameter.is_hidden and not chosen.get("hidden"):
        findings.add(place, "the workflow hides it; say `hidden` to offer it all the same")
    made: dict[str, Any] = {"type": parameter.schema.get("type"), "title": chosen["title"]}
    made |= {"description": chosen["description"]} if "description" in chosen else {}
    made |= {"x-group": chosen["group"]} if "group" in chosen else {}
    made |= _limits(parameter, chosen, place, findings)
    default = _default(parameter, chosen)
    return made if default is None else made | {"default": default}


def _check_skipped(
    properties: Mapping[str, Mapping[str, Any]], curation: Curation, findings: Findings
) -> None:
    """Find settings that can skip an output which every run has to leave. Decision: G956."""
    allowed = properties.get("skip_tools", {}).get("pattern", "")
    for name in (output["id"] for output in curation["outputs"] if output.get("required")):
        is_word = "skip_tools" in properties and re.search(allowed, name)
        if is_word or f"skip_{name}" in properties:
            key = "skip_tools" if is_word else f"skip_{name}"
            findings.add(f"settings.{key}", f"may leave out {name}, which is required")


def _limits(
    parameter: Parameter, chosen: Mapping[str, Any], place: str, findings: Findings
) -> dict[str, Any]:
    theirs = parameter.schema
    found: dict[str, Any] = {key: chosen.get(key, theirs.get(key)) for key in LIMITS}
    if parameter.is_path:
        found["pattern"] = chosen.get("pattern", ABSOLUTE_PATH)
        found["allOf"] = [{"pattern": theirs["pattern"]}] if "pattern" in theirs else None
    offered, choices = chosen.get("enum"), theirs.get("enum")
    if offered and choices and (foreign := [str(one) for one in offered if one not in choices]):
        findings.add(place, f"{', '.join(foreign)}: no choice of the workflow")
    found["enum"] = offered or choices
    for key, tighter in (("minimum", max), ("maximum", min)):
        ours, limit = found[key], theirs.get(key)
        if limit is not None and ours != tighter(ours, limit):
            findings.add(place, f"{key} {ours} is beyond the workflow's {limit}")
    return {key: value for key, value in found.items() if value is not None}


def _default(parameter: Parameter, chosen: Mapping[str, Any]) -> object:
    """Ours, or the workflow's; never a path or an address, which no other machine has."""
    if "default" in chosen:
        return chosen["default"]
    switch = False if parameter.schema.get("type") == "boolean" else None
    default = parameter.schema.get("default", switch)
    if parameter.is_path or "://" in str(default):
        return None
    return int(default) if isinstance(default, float) and default.is_integer() else default


def _tools(source: Source, curation: Curation, findings: Findings) -> Iterator[JsonObject]:
    for tool in curation["tools"]:
        module, version = tool.get("module"), tool.get("version")
        if module is not None and module not in source.modules:
            findings.add(f"tools.{tool['name']}", f"{module} is no module of {source.tag}")
        if tool["name"] == "Nextflow" and version not in {None, source.min_nextflow}:
            findings.add("tools.Nextflow", f"{source.tag} asks for {source.min_nextflow}, not {version}")
        yield {key: value for key, value in tool.items() if key != "module"}


def _samplesheet(source: Source, curation: Curation, findings: Findings) -> JsonObject:
    sheet: JsonObject = curation["samplesheet"]
    columns = {column["name"]: column for column in curation["samplesheet"]["columns"]}
    for name in sorted(set(columns) - set(source.columns)):
        findings.add(f"samplesheet.{name}", f"is no column of {source.tag}")
    for name in sorted(set(source.required_columns) - set(columns)):
        findings.add(f"samplesheet.{name}", "is missing, and the workflow requires it")
    for name in sorted(set(source.required_columns) & set(columns)):
        if "source" in columns[name] and not columns[name].get("required"):
            findings.add(f"samplesheet.{name}", "must be required, as the workflow requires it")
    for name, column in columns.items():
        allowed = source.columns.get(name, {}).get("enum")
        given = [*column.get("map", {}).values(), *([column["value"]] if column.get("value") else [])]
        if allowed and (foreign := sorted({str(one) for one in given if one not in allowed})):
            findings.add(f"samplesheet.{name}", f"{', '.join(foreign)}: no value that the workflow reads")
    return sheet
