"""Every rule of a package has a case that breaks it."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.cli import main
from seqfacility_pipeline_package.package import check_package, read_package
from seqfacility_pipeline_package.problems import PackageInvalid

Documents = dict[str, Any]
Write = Callable[[Path, Documents], Path]


def outputs(documents: Documents, number: int) -> dict[str, Any]:
    output: dict[str, Any] = documents["manifest.json"]["outputs"][number]
    return output


def set_in(file: str, *path: str | int, to: object) -> Callable[[Documents], None]:
    def spoil(documents: Documents) -> None:
        place = documents[file]
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return spoil


def append_in(file: str, *path: str | int, value: object) -> Callable[[Documents], None]:
    def spoil(documents: Documents) -> None:
        place = documents[file]
        for step in path:
            place = place[step]
        place.append(value)

    return spoil


def remove(file: str) -> Callable[[Documents], None]:
    return lambda documents: documents.pop(file) and None


M, D, R, S = "manifest.json", "definition.json", "registry.json", "samplesheet.json"
STEP = {
    "id": "trim",
    "name": "x",
    "description": "x",
    "dependsOn": [],
    "processMatchers": [{"kind": "exact", "value": "x"}],
}

CASES: list[tuple[str, Callable[[Documents], None], str]] = [
    ("missing document", remove(D), "definition.json: document: is missing"),
    ("unknown key", set_in(M, "colour", to="red"), "manifest.json: document: Additional properties"),
    ("not json", set_in(S, "format", to="xml"), "samplesheet.json: format: 'xml' is not one of"),
    ("line break after the id", set_in(M, "package", "id", to="trim-reads\n"), "manifest.json: package.id:"),
    (
        "line break after the version",
        set_in(M, "package", "version", to="1.0\n"),
        "manifest.json: package.version:",
    ),
    ("reserved id", set_in(M, "package", "id", to="mixs"), "manifest.json: package.id:"),
    (
        "other id in the definition",
        set_in(D, "pipeline", to="other"),
        "definition.json: pipeline: is not 'trim-reads'",
    ),
    ("other id in the descriptor", set_in(R, "id", to="other"), "registry.json: id: is not 'trim-reads'"),
    (
        "fifth category",
        set_in(R, "category", to="genomics"),
        "registry.json: category: 'genomics' is not one of",
    ),
    (
        "workflow missing",
        remove("workflow/Snakefile"),
        "execution.workflow.path: 'workflow/Snakefile' is not in",
    ),
    (
        "workflow outside",
        set_in(M, "execution", "workflow", to={"path": "scripts/discover.py"}),
        "execution.workflow.path: 'scripts/discover.py' is not in",
    ),
    (
        "workflow climbing out",
        set_in(M, "execution", "workflow", to={"path": "workflow/../../x"}),
        "manifest.json: execution.workflow:",
    ),
    (
        "workflow here and elsewhere",
        set_in(M, "execution", "workflow", to={"repository": "https://example.org/x", "revision": "1"}),
        "workflow/Snakefile: document: is not needed",
    ),
    (
        "parameter that is configuration",
        set_in(M, "execution", "defaultParams", to={"db": 1}),
        "'db' is also a config",
    ),
    (
        "parameter of the service",
        set_in(M, "execution", "defaultParams", to={"outdir": "/"}),
        "'outdir' is set by the service",
    ),
    (
        "unknown parser",
        set_in(M, "outputs", 1, "parser", to="nope"),
        "outputs[1].parser: 'nope' is not a parser",
    ),
    ("unknown step", set_in(M, "outputs", 0, "step", to="nope"), "outputs[0].step: 'nope' is not a step"),
    (
        "unknown dependency",
        set_in(D, "steps", 1, "dependsOn", to=["nope"]),
        "steps[1].dependsOn: 'nope' is not a step",
    ),
    (
        "circle of steps",
        set_in(D, "steps", 0, "dependsOn", to=["report"]),
        "steps: wait for each other: report, trim",
    ),
    ("step twice", append_in(D, "steps", value=STEP), "definition.json: steps: 'trim' is used twice"),
    (
        "bad expression",
        set_in(D, "steps", 1, "processMatchers", 0, "value", to="("),
        "is not a regular expression",
    ),
    (
        "raw candidate",
        set_in(M, "outputs", 0, "targetDataClass", to="raw"),
        "outputs[0].targetDataClass: 'raw' is a protected class",
    ),
    (
        "unclassified candidate",
        set_in(M, "outputs", 0, "targetDataClass", to="unknown"),
        "'unknown' is a protected class",
    ),
    (
        "candidate without class",
        lambda d: outputs(d, 0).pop("targetDataClass") and None,
        "outputs[0].targetDataClass: is missing",
    ),
    ("candidate without mate", lambda d: outputs(d, 0).pop("mate") and None, "outputs[0].mate: is missing"),
    (
        "class of a report",
        set_in(M, "outputs", 2, "targetDataClass", to="cleaned"),
        "outputs[2]: targetDataClass belongs to",
    ),
    ("mate of a report", set_in(M, "outputs", 2, "mate", to="R1"), "outputs[2].mate: belongs to"),
    (
        "sequencing run without such an input",
        set_in(S, "columns", 0, "source", to="sequencingRun.runId"),
        "columns[0].source: the manifest has no input of a sequencing run",
    ),
    (
        "candidate without sample",
        set_in(M, "outputs", 0, "matchSample", to=None),
        "outputs[0].matchSample: a read-candidate belongs",
    ),
    ("two primary outputs", set_in(M, "outputs", 4, "primary", to=True), "outputs: more than one is primary"),
    (
        "primary candidate",
        set_in(M, "outputs", 0, "primary", to=True),
        "primary and artifactType belong to artifacts",
    ),
    ("output twice", set_in(M, "outputs", 1, "id", to="r1"), "outputs: 'r1' is used twice"),
    (
        "cleaning without candidates",
        lambda d: d[M]["outputs"].pop(0) and None,
        "readCleaning: there is no output",
    ),
    (
        "pattern that leaves",
        set_in(M, "outputs", 2, "pattern", to="../x"),
        "outputs[2].pattern: must not have empty, '.' or '..'",
    ),
    (
        "pattern with half a brace",
        set_in(M, "outputs", 2, "pattern", to="{a"),
        "outputs[2].pattern: has a brace",
    ),
    (
        "metadata without fields",
        lambda d: outputs(d, 1).pop("fields") and None,
        "read metadata needs a parser and fields",
    ),
    (
        "unwritable field",
        set_in(M, "outputs", 1, "fields", to=["dataClass"]),
        "'dataClass' is not a field of a read",
    ),
    (
        "field the parser lacks",
        set_in(M, "outputs", 1, "fields", to=["readCount2"]),
        "'readCount2' is not given by the parser",
    ),
    (
        "field of another type",
        set_in("parsers/counts.json", "columns", 0, "type", to="float"),
        "'readCount1' must be of type int",
    ),
    (
        "fields without parser",
        lambda d: outputs(d, 1).pop("parser") and None,
        "outputs[1].fields: needs a parser",
    ),
    (
        "bins without grades",
        set_in("parsers/grades.json", "columns", 1, "name", to="x"),
        "outputs[3].parser: does not give 'completeness'",
    ),
    (
        "bins without their table",
        lambda d: outputs(d, 4).pop("parser") and None,
        "no artifact of the package is the table",
    ),
    (
        "parser twice",
        set_in("parsers/counts.json", "id", to="grades"),
        "parsers/grades.json: id: 'grades' is the id of another",
    ),
    (
        "parser naming twice",
        set_in("parsers/grades.json", "columns", 1, "name", to="name"),
        "columns: gives one name twice",
    ),
    (
        "layout beyond compatibility",
        set_in(M, "inputs", 0, "readLayouts", to=["long"]),
        "inputs[0].readLayouts: accepts a layout",
    ),
    (
        "layouts of samples",
        set_in(M, "inputs", 0, "source", to="samples"),
        "readLayouts and dataClasses belong to inputs of reads",
    ),
    (
        "open configuration",
        set_in(R, "configSchema", "additionalProperties", to=True),
        "registry.json: configSchema.additionalProperties",
    ),
    (
        "broken configuration schema",
        set_in(R, "configSchema", "properties", "db", to={"type": "text"}),
        "configSchema: is not a JSON Schema",
    ),
    (
        "foreign schema",
        set_in(R, "configSchema", "properties", "db", to={"$ref": "https://example.org/x"}),
        "refers to another document",
    ),
    (
        "default that does not fit",
        set_in(R, "defaultConfig", "minLength", to=0),
        "registry.json: defaultConfig: minLength:",
    ),
    (
        "default that is unknown",
        set_in(R, "defaultConfig", "speed2", to=0),
        "registry.json: defaultConfig: config: Additional",
    ),
    (
        "database without key",
        set_in(R, "databases", 0, "configKey", to="other"),
        "databases[0].configKey: 'other' is not a",
    ),
    (
        "unpacking what is no archive",
        lambda d: d[R]["databases"][0].update(fileName="host.fasta", unpack=True),
        "databases[0].unpack: 'host.fasta' is not named like an archive",
    ),
    (
        "two databases for one key",
        lambda d: d[R]["databases"].append({**d[R]["databases"][0], "id": "other"}),
        "databases: 'configKey db' is used twice",
    ),
    ("unknown source", set_in(S, "columns", 0, "source", to="user.email"), "samplesheet.json: columns[0]"),
    ("source and value", set_in(S, "columns", 0, "value", to="x"), "samplesheet.json: columns[0]"),
    ("column twice", set_in(S, "columns", 1, "name", to="sample"), "columns: 'sample' is used twice"),
    (
        "whole number with fraction",
        set_in(R, "requirements", "memoryGb", to=1.0),
        "registry.json: document: writes the whole number 1.0",
    ),
    (
        "file without a role",
        lambda d: d.update({"notes.txt": "x"}),
        "notes.txt: document: is not a file of a package",
    ),
    (
        "hidden file",
        lambda d: d.update({"workflow/.hidden": "x"}),
        "workflow/.hidden: document: has a name that is not plain",
    ),
    (
        "option as a name",
        lambda d: d.update({"workflow/-x": "x"}),
        "workflow/-x: document: has a name that is not plain",
    ),
    (
        "capitals only",
        lambda d: d.update({"workflow/snakefile": "x"}),
        "workflow/snakefile: document: differs from another file",
    ),
    ("NUL in a script", lambda d: d.update({"scripts/x.py": "\0"}), "scripts/x.py: document: holds a NUL"),
    ("not strict json", lambda d: d.update({S: '{"format": NaN}'}), "samplesheet.json: document: holds NaN"),
    (
        "key twice",
        lambda d: d.update({S: '{"a": 1, "a": 2}'}),
        "samplesheet.json: document: names a key twice",
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_broken_rule_is_named_with_its_file_and_place(
    spoil: Callable[[Documents], None], expected: str, tmp_path: Path, documents: Documents, write: Write
) -> None:
    spoil(documents)
    folder = write(tmp_path / "trim-reads", documents)

    lines = [str(problem) for problem in check_package(folder)]

    assert any(expected in line for line in lines), lines


def test_a_sound_package_has_no_problems(package_folder: Path) -> None:
    assert check_package(package_folder) == []


def test_a_folder_that_is_not_named_like_the_package_is_a_problem(
    tmp_path: Path, documents: Documents, write: Write
) -> None:
    folder = write(tmp_path / "1.2.0", documents)

    assert [str(problem) for problem in check_package(folder)] == [
        "manifest.json: package.id: the folder is named '1.2.0'"
    ]


@pytest.mark.parametrize("target", ["/etc/passwd", "Snakefile"])
def test_a_link_in_a_package_is_a_problem_wherever_it_leads(package_folder: Path, target: str) -> None:
    (package_folder / "workflow" / "link.py").symlink_to(target)

    assert [str(problem) for problem in check_package(package_folder)] == [
        "workflow/link.py: document: is a link"
    ]


def test_a_pipe_in_a_package_is_a_problem_and_is_not_opened(package_folder: Path) -> None:
    os.mkfifo(package_folder / "scripts" / "pipe")

    assert [str(problem) for problem in check_package(package_folder)] == [
        "scripts/pipe: document: is not a file"
    ]


def test_a_package_of_exactly_64_mib_is_accepted_and_one_byte_more_is_not(package_folder: Path) -> None:
    limit = 64 * 1024 * 1024
    so_far = sum(path.stat().st_size for path in package_folder.rglob("*") if path.is_file())
    filler = package_folder / "workflow" / "filler.txt"
    filler.write_bytes(b"x" * (limit - so_far))
    at_the_limit = check_package(package_folder)
    with filler.open("ab") as stream:
        stream.write(b"x")
    beyond = check_package(package_folder)

    assert at_the_limit == []
    assert [str(problem) for problem in beyond] == [".: document: is larger than 67108864 bytes"]


def test_compiled_files_beside_scripts_are_no_part_of_a_package(package_folder: Path) -> None:
    (package_folder / "workflow" / "__pycache__").mkdir()
    (package_folder / "workflow" / "__pycache__" / "x.pyc").write_bytes(b"\xff\x00")

    assert check_package(package_folder) == []


def test_reading_gives_the_typed_package(package_folder: Path) -> None:
    package = read_package(package_folder)

    assert (package.id, package.version) == ("trim-reads", "1.2.0")
    assert [output.required for output in package.manifest.outputs] == [True, True, True, False, False]
    assert set(package.parsers) == {"counts", "grades"}
    assert package.discovery_scripts == ("scripts/discover.py",)
    assert package.descriptor.requirements.memory_gb == 0.5


def test_capabilities_follow_from_inputs_and_outputs(package_folder: Path) -> None:
    flags = read_package(package_folder).capabilities

    assert flags.requires_linked_reads
    assert flags.writes_canonical_read_metadata
    assert not flags.writes_canonical_read_files
    assert flags.stages_read_candidates
    assert flags.requires_admin_read_promotion


def test_reading_a_broken_package_raises_every_problem(package_folder: Path) -> None:
    (package_folder / "definition.json").unlink()
    (package_folder / "samplesheet.json").unlink()

    with pytest.raises(PackageInvalid) as caught:
        read_package(package_folder)

    assert caught.value.details == [
        "definition.json: document: is missing",
        "samplesheet.json: document: is missing",
    ]


def test_the_command_prints_one_line_per_problem_and_fails(
    package_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = main(["check", str(package_folder)])
    (package_folder / "definition.json").unlink()
    broken = main(["check", str(package_folder)])

    assert (sound, broken) == (0, 1)
    assert capsys.readouterr().out == "definition.json: document: is missing\n"
