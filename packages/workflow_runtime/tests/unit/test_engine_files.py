"""The command lines and files of both workflow engines."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_workflow_runtime.engines import nextflow
from seqfacility_workflow_runtime.engines.contract import (
    LocalWorkflow,
    RemoteWorkflow,
    StagedRun,
    UnsupportedWorkflow,
    WeblogTarget,
)
from seqfacility_workflow_runtime.engines.nextflow import NextflowEngine
from seqfacility_workflow_runtime.engines.parameters import engine_parameters
from seqfacility_workflow_runtime.engines.snakemake import SnakemakeEngine
from seqfacility_workflow_runtime.run_folder import RunFolder

WEBLOG = WeblogTarget("https://facility.example/api/pipelines/weblog?runId=r1", "run token&")


@pytest.fixture
def run(tmp_path: Path) -> StagedRun:
    folder = RunFolder(tmp_path / "MAG-20260302-001")
    folder.create()
    workflow = RemoteWorkflow("nf-core/mag", "5.5.0")
    params = {"names": ["-x", "it's", "Grün"], "outdir": "/etc"}
    return StagedRun(
        folder, "MAG-20260302-001", workflow, params, folder.samplesheet("csv"), 4, 16, "singularity", WEBLOG
    )


def test_parameters_reach_the_engine_as_json_and_the_service_decides_on_the_folders(run: StagedRun) -> None:
    NextflowEngine(own={}).stage(run)

    assert json.loads(run.folder.params.read_text()) == {
        "names": ["-x", "it's", "Grün"],
        "outdir": str(run.folder.output),
        "input": str(run.samplesheet),
    }


def test_a_run_without_sample_sheet_has_no_input(run: StagedRun) -> None:
    assert "input" not in engine_parameters(replace(run, samplesheet=None))


def test_nextflow_runs_a_repository_at_its_revision_with_folders_of_the_run(run: StagedRun) -> None:
    argv = NextflowEngine(own={}).command(run).argv

    assert argv[argv.index("run") : argv.index("run") + 4] == ("run", "nf-core/mag", "-r", "5.5.0")
    assert argv[argv.index("-work-dir") + 1] == str(run.folder.work)
    assert argv[argv.index("-params-file") + 1] == str(run.folder.params)
    assert argv[argv.index("-name") + 1] == "mag-20260302-001"
    assert argv[argv.index("-profile") + 1] == "singularity"


def test_nextflow_has_a_home_of_its_own_that_shares_the_fetched_engine(
    run: StagedRun, tmp_path: Path
) -> None:
    framework = tmp_path / ".nextflow" / "framework"
    framework.mkdir(parents=True)
    engine = NextflowEngine(own={"HOME": str(tmp_path)})

    engine.stage(run)
    engine.stage(run)

    home = Path(engine.command(run).environment["NXF_HOME"])
    assert home.is_relative_to(run.folder.path)
    assert (home / "framework").resolve() == framework


def test_nextflow_keeps_the_plugins_of_site_and_pipeline_beside_the_weblog(run: StagedRun) -> None:
    engine = NextflowEngine(own={"NXF_PLUGINS_DEFAULT": "nf-amazon,true", "HOME": "/home/ann"})

    assert engine.command(run).environment["NXF_PLUGINS_DEFAULT"] == "nf-amazon,nf-weblog"
    assert "plugins {" not in nextflow.run_config(run)


@pytest.mark.parametrize(
    ("own", "fetched", "named"),
    [
        ("", [], "nf-weblog"),
        ("", ["nf-weblog-1.1.2", "nf-weblog-1.10.0", "nf-weblog-1.9.3"], "nf-weblog@1.10.0"),
        ("", ["nf-weblog-edge", "nf-weblogs-2.0.0", "nf-weblog-1.2.0.zip"], "nf-weblog"),
        ("nf-weblog@1.1.2,nf-amazon", ["nf-weblog-1.10.0"], "nf-weblog@1.1.2,nf-amazon"),
    ],
)
def test_the_weblog_plugin_is_named_with_the_version_that_the_site_has(
    run: StagedRun, tmp_path: Path, own: str, fetched: list[str], named: str
) -> None:
    for name in fetched:
        (tmp_path / "plugins" / name).mkdir(parents=True)
    engine = NextflowEngine(own={"NXF_PLUGINS_DEFAULT": own, "NXF_PLUGINS_DIR": str(tmp_path / "plugins")})

    assert engine.command(run).environment["NXF_PLUGINS_DEFAULT"] == named


def test_the_nextflow_configuration_asks_for_the_trace_and_hides_the_token(run: StagedRun) -> None:
    engine = NextflowEngine(own={})
    engine.stage(run)

    path = nextflow.config_path(run.folder)
    lines = path.read_text().splitlines()
    assert path.name.startswith(".")
    assert path.stat().st_mode & 0o777 == 0o600
    assert "weblog.url = 'https://facility.example/api/pipelines/weblog?runId=r1'" in lines
    assert "weblog.basicToken = 'run:run token&'" in lines
    assert f"trace.file = '{run.folder.trace}'" in lines
    assert any(line.startswith("trace.fields = 'task_id,hash,native_id,process,tag,") for line in lines)
    assert f"report.file = '{run.folder.report}'" in lines
    assert f"timeline.file = '{run.folder.timeline}'" in lines
    assert "executor.cpus = 4" in lines
    assert "executor.memory = '16 GB'" in lines
    assert "token" not in " ".join(engine.command(run).argv)


def test_a_run_without_weblog_configures_none(run: StagedRun) -> None:
    quiet = replace(run, weblog=None)

    assert "weblog." not in nextflow.run_config(quiet)
    assert "NXF_PLUGINS_DEFAULT" not in NextflowEngine(own={}).command(quiet).environment


@pytest.mark.parametrize(
    ("repository", "revision"),
    [("-help", "1.0"), ("nf-core/mag", "-latest"), ("nf-core/mag", ""), ("a b", "1"), ("x\n", "1")],
)
def test_words_that_nextflow_could_take_for_options_are_refused(
    run: StagedRun, repository: str, revision: str
) -> None:
    with pytest.raises(UnsupportedWorkflow):
        NextflowEngine(own={}).stage(replace(run, workflow=RemoteWorkflow(repository, revision)))

    assert not run.folder.params.exists()


def test_snakemake_runs_only_what_came_with_its_package(run: StagedRun) -> None:
    with pytest.raises(UnsupportedWorkflow):
        SnakemakeEngine().stage(run)


def test_snakemake_gets_files_and_numbers_and_no_parameter(run: StagedRun) -> None:
    local = replace(run, workflow=LocalWorkflow(Path("/packages/qc/workflow/Snakefile")))
    argv = SnakemakeEngine("/opt/bin/snakemake").command(local).argv

    assert argv[argv.index("--snakefile") + 1] == "/packages/qc/workflow/Snakefile"
    assert argv[argv.index("--configfile") + 1] == str(run.folder.params)
    assert argv[argv.index("--directory") + 1] == str(run.folder.work)
    assert argv[argv.index("--cores") + 1] == "4"
    assert argv[argv.index("--resources") + 1] == "mem_mb=16384"
    assert not any("Grün" in word or "token" in word for word in argv)


def test_staging_again_writes_the_same(run: StagedRun) -> None:
    local = replace(run, workflow=LocalWorkflow(Path("/packages/qc/workflow/Snakefile")))
    SnakemakeEngine().stage(local)
    first = run.folder.events_target.read_bytes()

    SnakemakeEngine().stage(local)

    assert run.folder.events_target.read_bytes() == first


@given(st.text(max_size=100))
def test_a_groovy_string_has_no_end_but_its_own(text: str) -> None:
    inner = nextflow.quoted(text)[1:-1]

    assert "'" not in inner.replace("\\\\", "").replace("\\'", "")
    assert "\n" not in inner
    assert not inner.replace("\\\\", "").endswith("\\")


@pytest.mark.parametrize(
    ("number", "name"),
    [("MAG-20260302-001", "mag-20260302-001"), ("16S_x--y", "run-16s-x-y"), ("A" * 200, "a" * 80)],
)
def test_run_names_are_such_that_nextflow_accepts(number: str, name: str) -> None:
    assert nextflow.run_name(number) == name


def test_a_resumed_run_of_nextflow_goes_on_with_the_last_session_under_a_name_of_its_own(
    run: StagedRun,
) -> None:
    engine = NextflowEngine(own={})
    first, resumed = (engine.command(replace(run, launch=launch)).argv for launch in (0, 2))

    assert "-resume" not in first
    assert "-resume" in resumed[resumed.index("run") :]
    assert resumed[resumed.index("-name") + 1] == "mag-20260302-001-3"
    assert resumed[resumed.index("-work-dir") + 1] == first[first.index("-work-dir") + 1]
    assert engine.begun_anew(run.folder) == (run.folder.trace, run.folder.report, run.folder.timeline)


def test_the_name_of_a_launch_is_never_too_long_for_nextflow(run: StagedRun) -> None:
    name = nextflow.launch_name(replace(run, run_number="M" * 100, launch=11))

    assert (len(name), name[-4:]) == (80, "m-12")


def test_a_resumed_run_of_snakemake_repeats_what_was_left_half_done_and_nothing_for_other_marks(
    run: StagedRun, tmp_path: Path
) -> None:
    local = replace(run, workflow=LocalWorkflow(tmp_path / "Snakefile"))
    first, resumed = (SnakemakeEngine().command(replace(local, launch=launch)).argv for launch in (0, 1))

    assert set(resumed) - set(first) == {"--rerun-incomplete", "--rerun-triggers", "mtime"}
    assert "--nolock" in resumed
    assert SnakemakeEngine().begun_anew(run.folder) == ()
