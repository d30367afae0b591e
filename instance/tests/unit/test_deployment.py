"""What we ship for a system administrator fits the commands and variables that there are."""

import configparser
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from seqfacility_instance.cli import main
from seqfacility_instance.cli.up import LONG_JOBS, SHORT_JOBS
from seqfacility_instance.settings import VARIABLES
from seqfacility_instance.web_server import KEEP_ALIVE_SECONDS
from seqfacility_wire.environment import OF_THE_REGISTRY

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "instance/deploy"
CONSTRAINTS = ROOT / "constraints.txt"
REGISTRY_UNIT = ROOT / "registry_site/deploy/systemd/seqfacility-registry.service"
UNITS = [*sorted((DEPLOY / "systemd").glob("*.service")), REGISTRY_UNIT]
INTERNAL = {"SEQFACILITY_EVENTS_FILE", "SEQFACILITY_RUN_TOKEN", *OF_THE_REGISTRY}
"""What we tell engines that we start, and a beginning of names."""


@pytest.mark.parametrize("name", ["nginx/seqfacility.conf", "compose/proxy.conf"])
def test_nginx_leaves_an_idle_connection_before_the_service_ends_it(name: str) -> None:
    upstream = (DEPLOY / name).read_text("utf-8").partition("upstream seqfacility {")[2].partition("}")[0]
    told = re.search(r"keepalive_timeout (\d+)s;", upstream)

    assert told is not None, "nginx would keep it for 60 s"
    assert int(told[1]) < KEEP_ALIVE_SECONDS


def unit(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's keys have capitals
    parser.read_string(path.read_text("utf-8"))
    return parser


def is_understood(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> bool:
    """Return whether our program has the command, and the command every option that is named."""
    command, *options = arguments
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    known = capsys.readouterr().out
    return all(option in known for option in options if option.startswith("--"))


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DEPLOY / "compose/compose.yaml").read_text("utf-8"))
    return loaded


@pytest.mark.parametrize("path", UNITS[:-1], ids=lambda path: path.stem)
def test_a_unit_runs_a_command_with_options_that_there_are(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *arguments = shlex.split(unit(path)["Service"]["ExecStart"])

    assert Path(program).name == "seqfacility"
    assert is_understood(arguments, capsys)


def test_the_workers_of_short_and_of_long_jobs_do_together_what_those_of_up_do() -> None:
    folder = DEPLOY / "systemd"
    alone, template = (unit(folder / f"seqfacility-worker{name}.service") for name in ("", "@"))
    short_jobs = unit(DEPLOY / "systemd_drop_ins/short-jobs.conf")["Service"]["ExecStart"]
    command, kinds = short_jobs.split(" --kinds ")
    started = re.findall(
        r"seqfacility-worker@([a-z-]+)", (ROOT / "docs/how_to/operate.md").read_text("utf-8")
    )

    assert command == alone["Service"]["ExecStart"]
    assert tuple(kinds.split()) == SHORT_JOBS
    assert set(started) == set(LONG_JOBS)
    assert template["Service"].pop("ExecStart") == "/opt/seqfacility/bin/seqfacility worker --kinds %i"
    assert dict(template["Service"]) == {
        key: value for key, value in alone["Service"].items() if key != "ExecStart"
    }


@pytest.mark.parametrize("name", ["web", "monitor-runs"])
def test_pipelines_outlive_a_restart_of_the_process_that_started_them(name: str) -> None:
    service = unit(DEPLOY / f"systemd/seqfacility-{name}.service")["Service"]

    assert service["KillMode"] == "process"


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_may_do_no_more_than_it_needs(path: Path) -> None:
    service = unit(path)["Service"]

    assert service["ProtectSystem"] == "strict"
    assert service["NoNewPrivileges"] == "yes"
    assert service["CapabilityBoundingSet"] == ""
    assert service["SystemCallFilter"] == "@system-service"
    assert service["User"] == service["Group"] != "root"


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_process_is_started_again_however_often_it_fails(path: Path) -> None:
    read = unit(path)
    if read["Service"].get("Type") == "oneshot":
        return

    assert read["Service"]["Restart"] == "always"
    assert read["Unit"]["StartLimitIntervalSec"] == "0"


@pytest.mark.parametrize("name", ["web", "monitor-runs"])
def test_pipelines_keep_their_temporary_folder_and_what_engines_and_containers_need(name: str) -> None:
    service = unit(DEPLOY / f"systemd/seqfacility-{name}.service")["Service"]

    assert not {"PrivateTmp", "PrivateDevices", "RestrictNamespaces", "MemoryDenyWriteExecute"} & set(service)
    assert service["ReadWritePaths"] == "/var/lib/seqfacility /tmp /var/tmp"


def test_a_backup_may_write_where_it_is_told_to() -> None:
    service = unit(DEPLOY / "systemd/seqfacility-backup.service")["Service"]
    words = shlex.split(service["ExecStart"])

    assert words[words.index("--into") + 1] in service["ReadWritePaths"].split()


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_systemd_counts_little_that_a_unit_exposes(path: Path) -> None:
    analyzer = shutil.which("systemd-analyze")
    if analyzer is None:
        pytest.skip("needs the Debian package systemd")

    told = subprocess.run(
        [analyzer, "security", "--offline=yes", "--threshold=40", "--no-pager", str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert told.returncode == 0, told.stdout


def test_the_target_wants_every_process_and_a_timer_starts_the_rest() -> None:
    wanted = unit(DEPLOY / "systemd/seqfacility.target")["Unit"]["Wants"].split()
    timed = [path.with_suffix(".service").name for path in (DEPLOY / "systemd").glob("*.timer")]

    # A template has no process until an instance of it is enabled.
    assert sorted([*wanted, *timed]) == [path.name for path in UNITS[:-1] if "@" not in path.name]


def test_systemd_finds_nothing_to_complain_about(tmp_path: Path) -> None:
    verifier = shutil.which("systemd-analyze")
    if verifier is None:
        pytest.skip("needs the Debian package systemd")
    for path in (*UNITS, *(DEPLOY / "systemd").glob("*.t*")):
        text = re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={sys.executable}", path.read_text("utf-8"))
        (tmp_path / path.name).write_text(text, "utf-8")

    told = subprocess.run(
        [verifier, "verify", "--man=no", *sorted(map(str, tmp_path.iterdir()))],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (told.returncode, told.stderr) == (0, "")


def test_compose_runs_a_command_with_options_that_there_are(
    compose: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert is_understood(compose["services"]["service"]["command"], capsys)


def test_every_container_says_whether_it_is_well_and_waits_for_those_it_needs(
    compose: dict[str, Any],
) -> None:
    services = compose["services"]

    assert all(service["healthcheck"]["test"] for service in services.values())
    for service in services.values():
        for needed, how in service.get("depends_on", {}).items():
            assert needed in services
            assert how == {"condition": "service_healthy"}


def test_compose_sets_variables_that_the_service_reads_and_mounts_files_that_are_there(
    compose: dict[str, Any],
) -> None:
    set_variables = set(compose["services"]["service"]["environment"])

    assert set_variables - {"PGPASSFILE"} <= {variable.name for variable in VARIABLES}
    mounted = [
        volume.split(":")[0]
        for service in compose["services"].values()
        for volume in service.get("volumes", [])
        if volume.startswith(".")
    ]
    assert mounted
    assert all((DEPLOY / "compose" / path).is_file() for path in mounted)


def test_no_password_is_in_a_variable_and_every_secret_is_a_file_that_git_ignores(
    compose: dict[str, Any],
) -> None:
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    for service in compose["services"].values():
        assert not [name for name in service.get("environment", {}) if name.endswith("PASSWORD")]
        assert set(service.get("secrets", [])) <= set(compose["secrets"])
    for secret in compose["secrets"].values():
        assert f"/instance/deploy/compose/{Path(secret['file']).name}" in ignored


def test_the_service_in_a_container_may_do_no_more_than_it_needs(compose: dict[str, Any]) -> None:
    service = compose["services"]["service"]

    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert all(one["security_opt"] == ["no-new-privileges:true"] for one in compose["services"].values())


def test_the_image_copies_what_its_context_has() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    copied = re.findall(
        r"^COPY (?!--from)(\S+) ", (DEPLOY / "compose/Dockerfile").read_text("utf-8"), re.MULTILINE
    )

    assert copied
    assert all((ROOT / name).exists() and f"!{name}" in ignored for name in copied)


def pinned() -> dict[str, list[Requirement]]:
    """Return the constraints by the name of the library; some have one line for each Python."""
    found: dict[str, list[Requirement]] = {}
    for line in CONSTRAINTS.read_text("utf-8").replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            requirement = Requirement(line.partition("--hash")[0])
            found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def test_the_constraints_pin_what_our_distributions_ask_for() -> None:
    known = pinned()
    for path in ("packages/transfer_client", "packages/wire",
                 "packages/pipeline_package", "packages/workflow_runtime", "schemas", "registry_site",
                 "instance"):  # fmt: skip
        project = tomllib.loads((ROOT / path / "pyproject.toml").read_text("utf-8"))["project"]
        extras = project.get("optional-dependencies", {}).values()
        for text in [*project["dependencies"], *(one for extra in extras for one in extra)]:
            asked = Requirement(text)
            if not asked.name.startswith("seqfacility"):
                for pin in known[canonicalize_name(asked.name)]:
                    (version,) = (specifier.version for specifier in pin.specifier)
                    assert asked.specifier.contains(version), f"{path}: {text}, pinned {version}"


def test_the_constraints_have_hashes_and_no_address() -> None:
    text = CONSTRAINTS.read_text("utf-8")

    assert "://" not in text
    assert all("--hash=sha256:" in one for one in re.split(r"\n(?=[a-z0-9])", text)[1:])


def test_the_page_puts_the_facilitys_data_folder_into_every_line_of_the_snippet() -> None:
    page = (ROOT / "docs/how_to/set_up_a_facility.md").read_text("utf-8")
    snippet = (DEPLOY / "nginx/seqfacility-proxy.conf").read_text("utf-8")
    edit = re.search(r"sed 's#([^#]+)#([^#]+)#' instance/deploy/nginx/seqfacility-proxy.conf", page)
    home = re.search(r"^SEQFACILITY_HOME=(.+)$", page, re.MULTILINE)
    prefix = re.search(r"^SEQFACILITY_ACCEL_PREFIX=(.+)$", page, re.MULTILINE)

    assert edit is not None
    assert home is not None
    assert prefix is not None
    assert edit[2] == f"{home[1]}/data/"
    assert f"location {prefix[1]} {{" in snippet
    assert len(re.findall(edit[1], snippet)) == 2


def test_the_list_of_variables_is_whole() -> None:
    sources = [*(ROOT / "instance/src").rglob("*.py"), *(ROOT / "packages/wire/src").rglob("*.py")]
    read = {
        name
        for source in sources
        for name in re.findall(r"\b(?:SEQFACILITY_[A-Z_]+|SERVICE_API_URL)\b", source.read_text("utf-8"))
    }

    assert read - INTERNAL == {variable.name for variable in VARIABLES}
