"""`check-setup --public-url` through a real nginx: what we ship is right, and each mistake is named."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from seqfacility_instance.settings import read_settings
from seqfacility_instance.site.checks import Verdict
from seqfacility_instance.tables.base import close_all_connections
from seqfacility_instance.tables.people import Session, ThrottleAttempt
from seqfacility_instance.wiring import Services, wire
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.nginx import DEBIAN_PACKAGE, find_nginx, free_port, running_nginx
from seqfacility_testkit.processes import Processes, whole_environment

SHIPPED = Path(__file__).parents[2] / "deploy/nginx/seqfacility-proxy.conf"
PROXY_ADDRESS = "127.0.0.3"
PROXIED = "proxy_pass http://seqfacility;"

Breakage = Callable[[str], str]


def put(line: str, instead_of: str) -> Breakage:
    """Return what replaces one line of the configuration where it stands first."""

    def broken(text: str) -> str:
        assert instead_of in text
        return text.replace(instead_of, line, 1)

    return broken


MISTAKES = {
    "no size limit was set, so nginx's own holds": (
        put("", "client_max_body_size 0;"),
        "Uploads",
        "client_max_body_size 0;",
    ),
    "chunks are kept until they are whole": (
        put("", "proxy_request_buffering off;"),
        "Uploads",
        "proxy_request_buffering off;",
    ),
    "only some methods pass": (
        put(f"{PROXIED} limit_except GET POST {{ deny all; }}", PROXIED),
        "Methods",
        "limit_except",
    ),
    "the host is the upstream's": (
        put("", "proxy_set_header Host $http_host;"),
        "Host",
        "proxy_set_header Host $http_host;",
    ),
    "cookies are taken away": (
        put('proxy_set_header Cookie "";', 'proxy_set_header Connection "";'),
        "Host",
        "Cookie",
    ),
    "addresses are passed on as the client wrote them": (
        put("", "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"),
        "Client addresses",
        "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
    ),
    "errors are nginx's own pages": (
        put(f"{PROXIED} proxy_intercept_errors on; error_page 404 /404.html;", PROXIED),
        "Errors",
        "proxy_intercept_errors off;",
    ),
    "files are compressed": (
        put("gzip on; gzip_proxied any; gzip_types *;", "gzip off;"),
        "Downloads",
        "gzip off;",
    ),
    "ranges are taken away": (put("max_ranges 0;", "max_ranges 1;"), "Ranges", "max_ranges"),
    "the folder that nginx sends from is another": (
        put("alias /srv/elsewhere/;", "alias DATA_FOLDER/;"),
        "Downloads",
        "alias DATA_FOLDER/;",
    ),
    "the folder that nginx sends from is open to everybody": (put("", "internal;"), "Strangers", "internal;"),
    "another server answers": (put("return 200 hello;", PROXIED), "Public address", "proxy_pass"),
}


@pytest.fixture(scope="module")
def live(facility_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFacility]:
    """Return one instance for all configurations: what is changed is only what stands before it."""
    folder = tmp_path_factory.mktemp("proxied")
    shutil.copytree(facility_template, folder / "home")
    move_folders(folder / "home")
    processes = Processes(folder / "logs")
    variables = {"SEQFACILITY_TRUSTED_PROXIES": PROXY_ADDRESS, "SEQFACILITY_ACCEL_PREFIX": "/_data/"}
    live = LiveFacility(folder / "home", processes, variables)
    try:
        live.serve()
        yield live
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


@pytest.fixture
def services(live: LiveFacility) -> Iterator[Services]:
    """Return what the command works with: the instance's own database, from beside it."""
    wired = wire(read_settings(live.variables()))
    yield wired
    close_all_connections(wired.database)


def shipped() -> str:
    """Return the configuration as it is shipped, its data folder marked."""
    text = SHIPPED.read_text("utf-8")
    assert "/srv/seqfacility/data/" in text
    return text.replace("/srv/seqfacility/data/", "DATA_FOLDER/")


def configured(live: LiveFacility, text: str) -> str:
    """Write in what a person would write in; nginx has an address of its own, as on another machine."""
    text += f"proxy_bind {PROXY_ADDRESS};"
    return text.replace("http://seqfacility", live.base).replace("DATA_FOLDER", str(live.home / "data"))


def nginx() -> str:
    binary = find_nginx()
    if binary is None:
        pytest.skip(f"needs the Debian package {DEBIAN_PACKAGE}")
    return binary


def test_with_the_shipped_configuration_everything_passes_and_nothing_is_left_behind(
    live: LiveFacility, tmp_path: Path, services: Services
) -> None:
    server = configured(live, shipped())
    with running_nginx(nginx(), server, tmp_path, free_port()) as address:
        told = subprocess.run(
            [sys.executable, "-m", "seqfacility_instance", "check-setup", "--public-url", address],
            env=whole_environment(live.variables()),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    lines = told.stdout.splitlines()
    through_nginx = lines[next(at for at, line in enumerate(lines) if "Public address" in line) :]
    assert [line.split()[0] for line in through_nginx] == ["ok"] * 11, told.stdout
    with services.database.connection_context():
        assert Session.select().where(Session.address == "check-setup").count() == 0
        assert ThrottleAttempt.select().where(ThrottleAttempt.subject.startswith("check-")).count() == 0
    assert not [file for file in (live.home / "data").iterdir() if file.name.startswith("check-setup")]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_the_line_to_change(
    mistake: str, live: LiveFacility, tmp_path: Path, services: Services
) -> None:
    break_it, check, line = MISTAKES[mistake]
    server = configured(live, break_it(shipped()))
    with running_nginx(nginx(), server, tmp_path, free_port()) as address:
        checks = services.proxy_checks.run(address)

    failed = [found.text for found in checks if found.verdict is Verdict.FAIL]
    assert len(failed) == 1, failed
    assert failed[0].startswith(f"{check}: ")
    assert line in failed[0]


def test_an_address_where_nobody_listens_is_said_to_be_out_of_reach(services: Services) -> None:
    (found,) = services.proxy_checks.run(f"http://127.0.0.1:{free_port()}")

    assert found.verdict is Verdict.FAIL
    assert "cannot be used: [Errno 111] Connection refused" in found.text
