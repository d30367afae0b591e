"""A Workflow RO-Crate of a package: what it is, in the words of schema.org, for those who collect workflows.

The document describes the package folder: put into it as `ro-crate-metadata.json`, both are the crate. See
docs/adr/0025. Decision: G936.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TypeAlias

from seqfacility_pipeline_package.documents import Fields, JsonObject
from seqfacility_pipeline_package.enums import Engine
from seqfacility_pipeline_package.package import Package

from seqfacility_registry.pipelines.workflow_source import WorkflowSource, workflow_source

FILE_NAME = "ro-crate-metadata.json"
CONTEXT = "https://w3id.org/ro/crate/1.1/context"
RO_CRATE = "https://w3id.org/ro/crate/1.1"
WORKFLOW_PROFILE = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
PROFILE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
_LANGUAGES = {
    Engine.SNAKEMAKE: ("snakemake", "Snakemake", "https://snakemake.github.io"),
    Engine.NEXTFLOW: ("nextflow", "Nextflow", "https://www.nextflow.io"),
}
_LICENCE_ID = re.compile(r"[A-Za-z0-9.+-]+")
_NO_LICENCE = "The package states no licence."
_MEDIA = {".json": "application/json", ".py": "text/x-python"}

Entity: TypeAlias = dict[str, object]


def ro_crate(package: Package, published: str) -> dict[str, object]:
    """Write the crate of a package that was published on a day. The same package gives the same bytes.

    WHY not by a library: it writes the time of writing, and a mirror must not differ from what it mirrors.
    """
    source = workflow_source(package)
    identity = _fields(package, "manifest.json").part("package")
    licence = _licence(identity.optional_text("license"))
    files = [_file(path) for path in _paths(package) if not (source.is_packaged and path == source.path)]
    main = _main_workflow(package, source, licence)
    parts = [main, *files]
    descriptor = _fields(package, "registry.json")
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "conformsTo": _reference(PROFILE),
        "name": package.descriptor.name,
        "description": descriptor.text("description"),
        "version": package.version,
        "datePublished": published,
        "license": _reference(licence["@id"]),
        "author": _reference("#author"),
        "publisher": _reference("#provider"),
        "keywords": ", ".join(descriptor.texts("tags")),
        "mainEntity": _reference(main["@id"]),
        "hasPart": _references([part["@id"] for part in parts]),
    }
    if homepage := identity.optional_text("homepage"):
        root["url"] = homepage
    metadata: Entity = {
        "@id": FILE_NAME,
        "@type": "CreativeWork",
        "about": _reference("./"),
        "conformsTo": [_reference(RO_CRATE), _reference(PROFILE)],
    }
    context = [licence, *_people(package, identity), _language(package), *_parameters(package)]
    described = [metadata, root, *parts, *context, *_tools(descriptor), *_topics(descriptor)]
    return {"@context": CONTEXT, "@graph": described}


def _main_workflow(package: Package, source: WorkflowSource, licence: Entity) -> Entity:
    engine = package.manifest.execution.engine
    repository = package.manifest.execution.repository
    workflow: Entity = {
        "@id": source.url or (source.path if source.is_packaged else repository),
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "name": package.descriptor.name,
        "description": package.descriptor.short_description,
        "version": package.manifest.execution.revision or package.version,
        "license": _reference(licence["@id"]),
        "creator": _reference("#author"),
        "programmingLanguage": _reference(_language_id(engine)),
        "encodingFormat": "text/plain",
        "conformsTo": _reference(WORKFLOW_PROFILE),
    }
    descriptor = _fields(package, "registry.json")
    lists: dict[str, list[object]] = {
        "input": [f"#input-{item.id}" for item in package.manifest.inputs],
        "output": [f"#output-{item.id}" for item in package.manifest.outputs],
        "softwareRequirements": [tool["@id"] for tool in _tools(descriptor)],
        "about": [topic["@id"] for topic in _topics(descriptor)],
    }
    workflow |= {key: _references(named) for key, named in lists.items() if named}
    if repository is not None:
        workflow["codeRepository"] = repository
        workflow["identifier"] = package.manifest.execution.commit or package.manifest.execution.revision
    return workflow


def _paths(package: Package) -> list[str]:
    return sorted([*package.files.documents, *package.files.texts])


def _file(path: str) -> Entity:
    media = _MEDIA.get(PurePosixPath(path).suffix, "text/plain")
    return {"@id": path, "@type": "File", "name": path, "encodingFormat": media}


def _licence(name: str | None) -> Entity:
    """Return the licence as an entity: an identifier of SPDX as such, else what is said of it."""
    is_known = name is not None and _LICENCE_ID.fullmatch(name) is not None
    address = f"https://spdx.org/licenses/{name}" if is_known else "#licence"
    text = name or _NO_LICENCE
    return {"@id": address, "@type": "CreativeWork", "name": text, "description": text}


def _people(package: Package, identity: Fields) -> list[Entity]:
    """Whoever wrote it may be one person or many: the package does not say which."""
    author = _fields(package, "registry.json").text("author")
    return [
        {"@id": "#author", "@type": "Organization", "name": author},
        {"@id": "#provider", "@type": "Organization", "name": identity.text("provider")},
    ]


def _language_id(engine: Engine) -> str:
    return f"https://w3id.org/workflowhub/workflow-ro-crate#{_LANGUAGES[engine][0]}"


def _language(package: Package) -> Entity:
    engine = package.manifest.execution.engine
    _, name, address = _LANGUAGES[engine]
    return {"@id": _language_id(engine), "@type": "ComputerLanguage", "name": name, "url": address}


def _parameters(package: Package) -> Iterator[Entity]:
    for item in package.manifest.inputs:
        kind = "File" if item.source.value == "reads" else "PropertyValue"
        yield _parameter(f"#input-{item.id}", item.id, kind, required=item.required)
    for output in package.manifest.outputs:
        made = _parameter(f"#output-{output.id}", output.id, "File", required=output.required)
        yield made | {"description": output.label}


def _parameter(address: str, name: str, kind: str, *, required: bool) -> Entity:
    return {
        "@id": address,
        "@type": "FormalParameter",
        "name": name,
        "additionalType": kind,
        "valueRequired": required,
    }


def _tools(descriptor: Fields) -> list[Entity]:
    found: list[Entity] = []
    for number, tool in enumerate(descriptor.parts("tools"), start=1):
        entity: Entity = {"@id": f"#tool-{number}", "@type": "SoftwareApplication", "name": tool.text("name")}
        for key in ("version", "url"):
            if (value := tool.optional_text(key)) is not None:
                entity[key] = value
        found.append(entity)
    return found


def _topics(descriptor: Fields) -> Iterable[Entity]:
    return [
        {
            "@id": f"http://edamontology.org/{topic.text('id')}",
            "@type": "DefinedTerm",
            "name": topic.text("label"),
        }
        for topic in descriptor.parts("topics")
    ]


def _fields(package: Package, name: str) -> Fields:
    document = package.files.documents[name]
    assert isinstance(document, dict)
    found: JsonObject = document
    return Fields(found)


def _references(addresses: Sequence[object]) -> object:
    """Refer to each; the standard wants a list of one written as that one."""
    named = [_reference(address) for address in addresses]
    return named[0] if len(named) == 1 else named


def _reference(address: object) -> dict[str, object]:
    return {"@id": address}
