"""Write the types of the instance's answers: a TypedDict for each object that their schemas describe.

mypy alone reads them, so they are no part of the service and of no wheel (ADR 0011). `tox -e types` makes
them first; run this after a schema has changed, for an editor:

    python schemas/tools/answer_types.py

The answer of `instance/saved-samples` is `SavedSamplesAnswer`, a definition keeps its name, and an object
within either is named after its place: `ListedStudyCounts`. Closed sets are `str`: mypy sees keys and kinds
of values, the tests see the rest.
"""

import json
import sys
from collections.abc import Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "seqfacility_schemas"
TARGET = FOLDER / "answers.pyi"
_ENDING = ".schema.json"
_HEAD = '"""Made by schemas/tools/answer_types.py."""\n\nfrom typing import NotRequired, TypedDict\n'
_DEFINITION = "/$defs/"
_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_PYTHON = {str: "str", bool: "bool", int: "int", float: "float", type(None): "None"}

Schema = Mapping[str, Any]


class AnswerTypes:
    """The types of all answers below a folder of schemas; raises `ValueError` for a name given twice."""

    def __init__(self, folder: Path) -> None:
        files = (file for file in sorted(folder.rglob(f"*{_ENDING}")) if file.parent.name != "requests")
        self._documents: dict[str, Schema] = {
            file.name: json.loads(file.read_text("utf-8")) for file in files
        }
        self._classes: dict[str, str] = {}
        self._places: dict[str, str] = {}
        for file, document in self._documents.items():
            for name, part in document.get("$defs", {}).items():
                if _is_object(part):
                    self._define(name, part, file, f"#{_DEFINITION}{name}")
            if document.keys() - {"$schema", "title", "$defs"}:
                self._answer(file, document)

    def text(self) -> str:
        """Return the stub."""
        classes = "\n".join(self._classes[name] for name in sorted(self._classes))
        return f"{_HEAD}\n{classes}"

    def _answer(self, file: str, document: Schema) -> None:
        stem = _pascal(file.removesuffix(_ENDING))
        name = f"{stem}Answer"
        if _is_object(document):
            self._define(name, document, file, "#", stem)
        else:
            self._claim(name, f"{file}#")
            self._classes[name] = f"{name} = {self._type(document, file, '#', stem)}\n"

    def _define(self, name: str, schema: Schema, file: str, pointer: str, prefix: str | None = None) -> str:
        """Write the class of an object and of the objects within it; return its name."""
        self._claim(name, file + pointer)
        base, inherited = "TypedDict", set[str]()
        if "$ref" in schema:
            base = self._type({"$ref": schema["$ref"]}, file, pointer, name)
            inherited = self._keys(*self._target(schema["$ref"], file)[:2])
        required = schema.get("required", ())
        kinds = {}
        for key, part in schema.get("properties", {}).items():
            if key not in inherited:
                place = _joined(prefix or name.removesuffix("Keys"), _pascal(key))
                kind = self._type(part, file, f"{pointer}/properties/{key}", place)
                kinds[key] = kind if key in required else f"NotRequired[{kind}]"
        self._classes[name] = _class(name, base, kinds)
        return name

    def _claim(self, name: str, place: str) -> None:
        if self._places.setdefault(name, place) != place:
            message = f"{name} is both {self._places[name]} and {place}: rename one of them"
            raise ValueError(message)

    def _type(self, schema: Schema, file: str, pointer: str, name: str) -> str:
        """Return the type of a value; an object that has none yet becomes the class `name`."""
        if "$ref" in schema and "unevaluatedProperties" not in schema:
            part, at, where = self._target(schema["$ref"], file)
            _, found, definition = where.rpartition(_DEFINITION)
            if found and _is_object(part):
                return definition
            return (
                f"{_pascal(at.removesuffix(_ENDING))}Answer"
                if where == "#"
                else self._type(part, at, where, name)
            )
        if _is_object(schema):
            return self._define(name, schema, file, pointer)
        if choices := schema.get("anyOf", schema.get("oneOf")):
            kinds = [
                self._type(choice, file, f"{pointer}/{place}", name) for place, choice in enumerate(choices)
            ]
            return " | ".join(dict.fromkeys(kinds))
        if "const" in schema or "enum" in schema:
            values = schema.get("enum", [schema.get("const")])
            return " | ".join(dict.fromkeys(_PYTHON[type(value)] for value in values))
        kinds = schema.get("type", [])
        found_kinds = [
            self._of_kind(kind, schema, file, pointer, name)
            for kind in ([kinds] if isinstance(kinds, str) else kinds)
        ]
        return " | ".join(found_kinds) or "object"

    def _of_kind(self, kind: str, schema: Schema, file: str, pointer: str, name: str) -> str:
        if kind == "array":
            entries = schema.get("prefixItems", [schema.get("items", {})])
            within = [self._type(entry, file, f"{pointer}/items", _singular(name)) for entry in entries]
            return f"list[{' | '.join(dict.fromkeys(within))}]"
        if kind == "object":
            values = schema.get("additionalProperties")
            if not isinstance(values, dict):
                return "dict[str, object]"
            return f"dict[str, {self._type(values, file, f'{pointer}/values', name)}]"
        return _SCALARS[kind]

    def _target(self, reference: str, file: str) -> tuple[Schema, str, str]:
        """Return the schema that a reference leads to, its file and its pointer there."""
        target, _, pointer = reference.partition("#")
        at = target or file
        schema = self._documents[at]
        for step in pointer.split("/")[1:]:
            schema = schema[step]
        return schema, at, f"#{pointer}"

    def _keys(self, schema: Schema, file: str) -> set[str]:
        inherited = self._keys(*self._target(schema["$ref"], file)[:2]) if "$ref" in schema else set[str]()
        return inherited | set(schema.get("properties", {}))


def _is_object(schema: Schema) -> bool:
    return "properties" in schema or ("$ref" in schema and "unevaluatedProperties" in schema)


def _pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.replace("-", " ").replace("_", " ").split())


def _class(name: str, base: str, kinds: Mapping[str, str]) -> str:
    if not all(key.isidentifier() and not iskeyword(key) for key in kinds):
        entries = ", ".join(f'"{key}": {kind}' for key, kind in kinds.items())
        return f'{name} = {base}("{name}", {{{entries}}})\n'
    lines = "".join(f"    {key}: {kind}\n" for key, kind in kinds.items())
    return f"class {name}({base}):\n{lines}" if kinds else f"class {name}({base}): ...\n"


def _joined(prefix: str, key: str) -> str:
    """Name an object after its place, without saying twice what both end with."""
    return prefix if prefix.endswith(key) else prefix + key


def _singular(name: str) -> str:
    return f"{name.removesuffix('ies')}y" if name.endswith("ies") else name.removesuffix("s")


def main() -> int:
    """Write the stub anew."""
    TARGET.write_text(AnswerTypes(FOLDER / "instance").text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
