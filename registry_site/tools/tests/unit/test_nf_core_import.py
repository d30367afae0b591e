"""A package of an nf-core workflow is built from its files and a curation, or refused with reasons."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.package import check_package, read_package
from seqfacility_pipeline_package.published import write_lock
from seqfacility_registry_tools.cli import main
from seqfacility_registry_tools.nf_core.documented import is_named, named_paths
from seqfacility_registry_tools.nf_core.importer import Imported, import_package
from seqfacility_registry_tools.nf_core.source import read_source
from seqfacility_schemas.examples import examples
from seqfacility_wire.command_line.refusal import Refused

COMMIT, TODAY = "0123abcd" * 5, "2031-06-01"

PARAMETERS = {
    "input_output_options": {
        "input": {"type": "string", "format": "file-path"},
        "outdir": {"type": "string", "format": "directory-path"},
    },
    "read_options": {
        "min_length": {"type": "integer", "default": 25, "minimum": 10, "maximum": 500},
        "counter": {"type": "string", "default": "fast", "enum": ["fast", "exact", "licensed"]},
        "adapters": {
            "type": "string",
            "format": "file-path",
            "pattern": "^\\S+\\.fa$",
            "default": "s3://somewhere/adapters.fa",
        },
        "skip_plots": {"type": "boolean"},
        "skip_report": {"type": "boolean"},
        "skip_tools": {"type": "string", "pattern": "^((report|plots)?,?)*$"},
        "ratio": {"type": "number", "default": 2.0},
        "seed": {"type": "integer", "default": 1, "hidden": True},
    },
    "generic_options": {"publish_dir_mode": {"type": "string", "default": "copy"}},
}
COLUMNS = {
    "sample": {"type": "string"},
    "fastq_1": {"type": "string"},
    "fastq_2": {"type": "string"},
    "strand": {"type": "string", "enum": ["forward", "auto"]},
}
PAGE = """\
# Output

- [Counts](#counts)

## Report

- `report/`
  - `report.html`: all figures, see `elsewhere.html`
  - `<sample>` and more

- `<sample>/raw/`: more

## Counts

**Output directory: `{outdir}/counts/<sample>`**

- `<sample>.counts.tsv` and `<sample>.counts.tsv.gz`
  - A table
- `plots/[sample]_{a,b}.png`: plots
"""


@pytest.fixture
def workflow(tmp_path: Path) -> Path:
    """Lay the files of a little workflow out as its repository has them."""
    folder = tmp_path / "little"
    documents: dict[str, Any] = {
        "nextflow_schema.json": {
            "$defs": {group: {"properties": keys} for group, keys in PARAMETERS.items()},
        },
        "assets/schema_input.json": {
            "items": {"properties": COLUMNS, "required": ["sample", "fastq_1", "strand"]},
        },
        "modules.json": {"repos": {"somewhere": {"modules": {"nf-core": {"counter/count": {}}}}}},
    }
    texts = {
        "nextflow.config": "manifest {\n    nextflowVersion = '!>=25.04.0'\n}\n",
        "docs/output.md": PAGE,
        **{name: json.dumps(document) for name, document in documents.items()},
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def pipelines(tmp_path: Path) -> Path:
    """Make content with the curation that the schema has as its example."""
    folder = tmp_path / "content" / "pipelines"
    (folder / "little").mkdir(parents=True)
    write_curation(folder, curation())
    return folder


def curation() -> dict[str, Any]:
    (document,) = [
        one.document for one in examples("pipeline_package/nf-core-curation") if one.description == "plain"
    ]
    assert isinstance(document, dict)
    return json.loads(json.dumps(document))  # type: ignore[no-any-return]  # a copy of what is a dict


def write_curation(folder: Path, document: dict[str, Any]) -> None:
    (folder / "little/curation.json").write_text(json.dumps(document), encoding="utf-8")


def imported(folder: Path, workflow: Path, tag: str = "1.2.0") -> Imported:
    source = read_source(workflow, "little", tag, COMMIT, "2031-05-04")
    return import_package(folder, source, TODAY)


def refusal(folder: Path, workflow: Path, tag: str = "1.2.0") -> list[str]:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(Refused) as refused:
        imported(folder, workflow, tag)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    return [line.strip() for line in str(refused.value).splitlines()][1:]


def entry(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / "little/entry.json").read_text("utf-8"))
    return document


def test_a_package_is_built_that_keeps_all_rules_at_a_pinned_commit(pipelines: Path, workflow: Path) -> None:
    assert imported(pipelines, workflow) == Imported("1.2.0", is_new=True)

    place = pipelines / "little/versions/1.2.0/little"
    assert check_package(place) == []
    package = read_package(place)
    execution = package.manifest.execution
    assert (execution.revision, execution.commit) == ("1.2.0", COMMIT)
    assert execution.repository == "https://github.com/nf-core/little"
    assert entry(pipelines)["versions"] == [{"version": "1.2.0", "releaseDate": "2031-05-04"}]
    assert entry(pipelines)["verified"] is False
    assert "evidence" not in (place / "manifest.json").read_text("utf-8")
    assert "module" not in json.loads((place / "registry.json").read_text("utf-8"))["tools"][1]


def test_types_limits_choices_and_defaults_are_the_workflows_unless_the_curation_says_others(
    pipelines: Path, workflow: Path
) -> None:
    document = curation()
    document["execution"]["defaultParams"] = {}
    document["settings"] += [{"key": "skip_plots", "title": "Skip"}, {"key": "ratio", "title": "Ratio"}]
    write_curation(pipelines, document)

    imported(pipelines, workflow)

    descriptor = read_package(pipelines / "little/versions/1.2.0/little").descriptor
    properties: Any = descriptor.config_schema["properties"]
    assert properties["min_length"] == {
        "type": "integer",
        "title": "Shortest read",
        "x-group": "Reads",
        "minimum": 20,
        "maximum": 500,
        "default": 30,
    }
    assert properties["counter"]["enum"] == ["fast", "exact"]
    assert properties["adapters"]["pattern"] == "^/[^\\u0000-\\u001f]*$"
    assert properties["adapters"]["allOf"] == [{"pattern": "^\\S+\\.fa$"}]
    assert descriptor.default_config == {"min_length": 30, "counter": "fast", "skip_plots": False, "ratio": 2}


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("settings/0/key", "min_len", "settings.min_len: is no parameter of 1.2.0"),
        ("settings/0/key", "outdir", "settings.outdir: is set by the service"),
        ("settings/0/minimum", 5, "settings.min_length: minimum 5 is beyond the workflow's 10"),
        ("settings/0/maximum", 501, "settings.min_length: maximum 501 is beyond the workflow's 500"),
        ("settings/1/enum", ["fast", "slow"], "settings.counter: slow: no choice of the workflow"),
        (
            "settings/1/key",
            "seed",
            "settings.seed: the workflow hides it; say `hidden` to offer it all the same",
        ),
        (
            "settings/2/key",
            "publish_dir_mode",
            "settings.publish_dir_mode: the workflow hides it; say `hidden` to offer it all the same",
        ),
        ("execution/defaultParams", {"old": 1}, "execution.defaultParams.old: is no parameter of 1.2.0"),
        ("samplesheet/columns/3/value", "both", "samplesheet.strand: both: no value that the workflow reads"),
        ("samplesheet/columns/3/name", "side", "samplesheet.side: is no column of 1.2.0"),
        (
            "samplesheet/columns/1/required",
            False,
            "samplesheet.fastq_1: must be required, as the workflow requires it",
        ),
        ("outputs/0/pattern", "report/*.pdf", "outputs.report: docs/output.md does not name report/*.pdf"),
        (
            "outputs/2/pattern",
            "report/report.html",
            "outputs.log: docs/output.md names it, so it needs no evidence",
        ),
        ("tools/1/module", "counter/sum", "tools.Counter: counter/sum is no module of 1.2.0"),
        ("tools/0/version", ">=24.10.0", "tools.Nextflow: 1.2.0 asks for >=25.04.0, not >=24.10.0"),
        (
            "settings/0/colour",
            "red",
            "curation.json: settings[0]: Additional properties are not allowed ('colour' was unexpected)",
        ),
        (
            "outputs/0/pattern",
            "counts/*/*_R9_bogus.counts.tsv",
            "outputs.report: docs/output.md does not name counts/*/*_R9_bogus.counts.tsv",
        ),
        ("outputs/0/pattern", "raw/*.tsv", "outputs.report: docs/output.md does not name raw/*.tsv"),
        (
            "settings/2/key",
            "skip_report",
            "settings.skip_report: may leave out report, which is required",
        ),
        (
            "settings/2/key",
            "skip_tools",
            "settings.skip_tools: may leave out report, which is required",
        ),
        ("steps/0/id", "sum", "manifest.json: outputs[0].step: 'count' is not a step"),
    ],
)
def test_what_does_not_fit_is_named_and_nothing_is_written(
    pipelines: Path, workflow: Path, place: str, value: object, said: str
) -> None:
    document = curation()
    *steps, last = place.split("/")
    part: Any = document
    for step in steps:
        part = part[int(step)] if isinstance(part, list) else part[step]
    part[last] = value
    write_curation(pipelines, document)

    assert said in refusal(pipelines, workflow)


def test_the_same_import_again_writes_nothing_and_a_correction_is_a_new_version_once_it_is_locked(
    pipelines: Path, workflow: Path
) -> None:
    imported(pipelines, workflow)
    assert imported(pipelines, workflow) == Imported("1.2.0", is_new=False)
    changed = curation()
    changed["shortName"] = "Tiny"
    write_curation(pipelines, changed)
    assert imported(pipelines, workflow) == Imported("1.2.0", is_new=True)
    assert write_lock(pipelines) == []

    changed["shortName"] = "Small"
    write_curation(pipelines, changed)

    assert imported(pipelines, workflow) == Imported("1.2.0.1", is_new=True)
    assert write_lock(pipelines) == []
    assert [row["releaseDate"] for row in entry(pipelines)["versions"]] == ["2031-05-04", TODAY]
    assert imported(pipelines, workflow, "1.3.0") == Imported("1.3.0", is_new=True)
    assert entry(pipelines)["source"]["refDefault"] == "1.3.0"
    with pytest.raises(Refused, match=r"little 1\.2\.0 is not newer than 1\.3\.0"):
        imported(pipelines, workflow)


@pytest.mark.parametrize(
    ("name", "date", "said"),
    [
        (
            "../../../escaped",
            TODAY,
            "../../../escaped: a name is made of lower-case letters and digits with hyphens between",
        ),
        ("little", "yesterday", "yesterday: a date is YYYY-MM-DD"),
        ("little", "2031-02-30", "2031-02-30: a date is YYYY-MM-DD"),
    ],
)
def test_what_is_no_name_and_no_date_is_refused_before_anything_is_written(
    pipelines: Path,
    workflow: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    date: str,
    said: str,
) -> None:
    monkeypatch.setenv("SEQFACILITY_REGISTRY_CONTENT", str(pipelines.parent))
    before = sorted(pipelines.parent.parent.rglob("*"))
    words = ["import-nf-core", name, "1.2.0"]

    assert main([*words, "--from", str(workflow), "--commit", COMMIT, "--date", date]) == 1

    assert capsys.readouterr().err == f"error: {said}\n"
    assert sorted(pipelines.parent.parent.rglob("*")) == before


def test_the_name_is_looked_at_before_an_address_is_made_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import-nf-core", "../somebody/else", "1.2.0", "--fetch"]) == 1

    assert "a name is made of" in capsys.readouterr().err


def test_another_licence_is_named_where_the_workflow_brings_one(pipelines: Path, workflow: Path) -> None:
    (workflow / "LICENSE").write_text("GNU GENERAL PUBLIC LICENSE\n", encoding="utf-8")
    assert "LICENSE: is not the MIT licence, which nf-core asks for" in refusal(pipelines, workflow)

    (workflow / "LICENSE").write_text("MIT License\n\nCopyright (c) The authors\n", encoding="utf-8")
    assert imported(pipelines, workflow).is_new


def test_an_import_that_is_refused_late_leaves_the_version_before(pipelines: Path, workflow: Path) -> None:
    imported(pipelines, workflow)
    changed = entry(pipelines) | {"status": "lost"}
    (pipelines / "little/entry.json").write_text(json.dumps(changed), encoding="utf-8")
    document = curation()
    document["shortName"] = "Tiny"
    write_curation(pipelines, document)

    assert [line for line in refusal(pipelines, workflow) if line.startswith("entry.json: status: ")]


def test_a_version_that_somebody_else_published_is_passed_over(pipelines: Path, workflow: Path) -> None:
    imported(pipelines, workflow)
    assert write_lock(pipelines) == []
    listing = entry(pipelines)
    for version in ("1.2.0.1", "6.0.0"):
        stolen = {"status": "yanked", "yankReason": "Published with a stolen key."}
        listing["versions"].append({"version": version, "releaseDate": TODAY, **stolen})
    (pipelines / "little/entry.json").write_text(json.dumps(listing), encoding="utf-8")
    changed = curation()
    changed["shortName"] = "Small"
    write_curation(pipelines, changed)

    assert imported(pipelines, workflow) == Imported("1.2.0.2", is_new=True)
    assert imported(pipelines, workflow, "1.3.0") == Imported("1.3.0", is_new=True)


def test_a_new_version_is_no_longer_verified(pipelines: Path, workflow: Path) -> None:
    imported(pipelines, workflow)
    path = pipelines / "little/entry.json"
    verified = entry(pipelines) | {"verified": True, "verification": {"version": "1.2.0"}}
    path.write_text(json.dumps(verified), encoding="utf-8")

    imported(pipelines, workflow, "1.3.0")

    assert entry(pipelines)["verified"] is False
    assert "verification" not in entry(pipelines)


def test_a_page_names_what_its_lists_name() -> None:
    paths = named_paths(PAGE)

    assert paths >= {"report/report.html", "counts/*/*.counts.tsv", "counts/*/*.counts.tsv.gz"}
    named = ("**/report.html", "counts/**/*.tsv.gz", "{counts,sums}/*/S*.tsv", "counts/*/plots/*_a.png")
    assert [pattern for pattern in named if not is_named(pattern, paths)] == []
    others = ("report.html", "report/*.pdf", "counts/*.tsv", "elsewhere.html", "report/elsewhere.html")
    assert [pattern for pattern in others if is_named(pattern, paths)] == []


@pytest.fixture
def away(workflow: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the repository's address lead to one on this disk; return the commit of its tag."""
    person = ("-c", "user.name=N", "-c", "user.email=n@example.org")
    for arguments in (
        ("init", "-q"),
        ("add", "."),
        (*person, "commit", "-qm", "all"),
        (*person, "tag", "-am", "a release", "1.2.0"),
    ):
        subprocess.run(["git", *arguments], cwd=workflow, check=True, env=os.environ)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.file://{tmp_path}/.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://github.com/nf-core/")
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=workflow, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_a_workflow_is_fetched_at_its_tag(
    pipelines: Path, away: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEQFACILITY_REGISTRY_CONTENT", str(pipelines.parent))

    assert main(["import-nf-core", "little", "1.2.0", "--fetch"]) == 0

    assert capsys.readouterr().out == "little 1.2.0: written; check it, then lock it\n"
    assert read_package(pipelines / "little/versions/1.2.0/little").manifest.execution.commit == away
    assert main(["import-nf-core", "little", "9.9.9", "--fetch"]) == 1
    assert capsys.readouterr().err.startswith("error: git clone: ")


def test_without_a_curation_a_draft_is_written_to_choose_from(
    pipelines: Path, workflow: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEQFACILITY_REGISTRY_CONTENT", str(pipelines.parent))
    path = pipelines / "little/curation.json"
    path.unlink()
    words = ["import-nf-core", "little", "1.2.0", "--from", str(workflow)]

    assert main([*words, "--commit", COMMIT, "--date", TODAY]) == 1

    assert "a draft" in capsys.readouterr().out
    draft = json.loads(path.read_text("utf-8"))
    assert [one["key"] for one in draft["settings"]] == [
        "min_length",
        "counter",
        "adapters",
        "skip_plots",
        "skip_report",
        "skip_tools",
        "ratio",
    ]
    assert draft["settings"][0] == {"key": "min_length", "title": "Min length", "group": "Read"}
    assert draft["samplesheet"]["columns"][:2] == [
        {"name": "sample", "source": "sample.sampleId", "required": True},
        {"name": "fastq_1", "source": "read.file1", "required": True},
    ]
    assert main([*words, "--commit", COMMIT, "--date", TODAY]) == 1
    assert "outputs" in capsys.readouterr().err
    assert main(words) == 1
    assert capsys.readouterr().err == "error: --from needs --commit and --date, which a folder does not say\n"
