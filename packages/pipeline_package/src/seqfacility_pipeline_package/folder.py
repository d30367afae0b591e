"""A package's files, read from a folder without trusting a single name in it."""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from seqfacility_pipeline_package.documents import JsonValue, NotStrictJson, read_json
from seqfacility_pipeline_package.names import name_fault, repeated_name
from seqfacility_pipeline_package.problems import Problem

MAX_PACKAGE_BYTES = 64 * 1024 * 1024
"""Decision: G256: package, unpacked."""

MAX_PACKAGE_FILES = 2_000
DOCUMENTS = ("manifest.json", "definition.json", "registry.json", "samplesheet.json")
TEXT_FOLDERS = ("scripts/", "workflow/")
PARSER_FOLDER = "parsers/"
IGNORED_FOLDER = "__pycache__"
"""Python leaves its compiled files beside scripts that ran; they are no part of a package."""


@dataclass(frozen=True, slots=True)
class PackageFiles:
    """The content of a package: `name` is its folder's name, paths use `/`.

    `documents` are the parsed JSON files, parsers included; `texts` are scripts and workflow.
    """

    name: str
    documents: Mapping[str, JsonValue]
    texts: Mapping[str, str]

    @property
    def parser_paths(self) -> list[str]:
        return sorted(path for path in self.documents if path.startswith(PARSER_FOLDER))


def read_files(folder: Path) -> tuple[PackageFiles, list[Problem]]:
    """Read a package folder into memory, and list what is wrong with the folder as such.

    Refused are links, devices and the like, names that are not plain, names that differ only in
    capitals, files that belong to no role, anything that is not UTF-8 text, more than 2,000 files
    and more than 64 MiB. With a problem the content is incomplete.

    Decision: G129.
    """
    documents: dict[str, JsonValue] = {}
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    total = 0
    try:
        for number, (path, size) in enumerate(_walk(folder, "", problems), start=1):
            total += size
            if number > MAX_PACKAGE_FILES or total > MAX_PACKAGE_BYTES:
                problems.append(Problem(".", "document", _too_much(number)))
                break
            fault = name_fault(path) or place_fault(path)
            if fault:
                problems.append(Problem(path, "document", fault))
            else:
                _take(path, _read_without_links(folder / path), documents, texts, problems)
    except OSError as error:
        problems.append(Problem(".", "document", f"cannot be read: {error.strerror}"))
    repeated = repeated_name([*documents, *texts])
    if repeated:
        problems.append(Problem(repeated, "document", "differs from another file only in capitals"))
    return PackageFiles(folder.resolve().name, documents, texts), problems


def files_from(name: str, contents: Mapping[str, bytes]) -> tuple[PackageFiles, list[Problem]]:
    """Take the files of a package that came by another way than a folder, under the rules of `read_files`.

    Decision: G129, G336.
    """
    documents: dict[str, JsonValue] = {}
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    if len(contents) > MAX_PACKAGE_FILES or sum(map(len, contents.values())) > MAX_PACKAGE_BYTES:
        problems.append(Problem(".", "document", _too_much(len(contents))))
    for path, content in contents.items():
        fault = name_fault(path) or place_fault(path)
        if fault:
            problems.append(Problem(path, "document", fault))
        else:
            _take(path, content, documents, texts, problems)
    repeated = repeated_name([*documents, *texts])
    if repeated:
        problems.append(Problem(repeated, "document", "differs from another file only in capitals"))
    return PackageFiles(name, documents, texts), problems


def place_fault(path: str) -> str | None:
    """Return why a file has no role in a package; None when it has one. Decision: G129."""
    if path in DOCUMENTS or path.startswith(TEXT_FOLDERS):
        return None
    if path.startswith(PARSER_FOLDER) and path.endswith(".json") and path.count("/") == 1:
        return None
    return "is not a file of a package"


def _too_much(files_seen: int) -> str:
    if files_seen > MAX_PACKAGE_FILES:
        return f"holds more than {MAX_PACKAGE_FILES} files"
    return f"is larger than {MAX_PACKAGE_BYTES} bytes"


def _walk(folder: Path, prefix: str, problems: list[Problem]) -> Iterator[tuple[str, int]]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        path = f"{prefix}{entry.name}"
        mode = entry.stat(follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            if entry.name != IGNORED_FOLDER:
                yield from _walk(Path(entry.path), f"{path}/", problems)
        elif stat.S_ISREG(mode):
            yield path, entry.stat(follow_symlinks=False).st_size
        else:
            problems.append(Problem(path, "document", "is a link" if stat.S_ISLNK(mode) else "is not a file"))


def _take(
    path: str,
    content: bytes,
    documents: dict[str, JsonValue],
    texts: dict[str, str],
    problems: list[Problem],
) -> None:
    try:
        if path.startswith(TEXT_FOLDERS):
            texts[path] = _text(content)
        else:
            documents[path] = read_json(content)
    except NotStrictJson as error:
        problems.append(Problem(path, "document", str(error)))


def _text(content: bytes) -> str:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise NotStrictJson("is not UTF-8 text") from None
    if "\0" in text:
        raise NotStrictJson("holds a NUL character")
    return text


def _read_without_links(path: Path) -> bytes:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as stream:
        return stream.read(MAX_PACKAGE_BYTES + 1)
