"""What an operator sees of real processes: their metrics on an address of their own, their log as JSON."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.nginx import free_port
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.waiting import wait_for

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]

CONTENT = Path(__file__).parents[3] / "registry_site/content"


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    started = Processes(tmp_path / "logs")
    yield started
    started.stop_all()


def scraped(bind: str) -> Samples:
    """Return the value of every sample, by name and labels."""
    answer = requests.get(f"http://{bind}/metrics", timeout=60)
    answer.raise_for_status()
    families = text_string_to_metric_families(answer.text)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def value(samples: Samples, name: str, **labels: str) -> float | None:
    return samples.get((name, frozenset(labels.items())))


def test_every_process_of_up_is_measured_at_one_address_and_logs_json(
    facility_template: Path, tmp_path: Path, processes: Processes
) -> None:
    home = tmp_path / "home"
    shutil.copytree(facility_template, home)
    move_folders(home)
    bind = f"127.0.0.1:{free_port()}"
    environment = {
        "SEQFACILITY_HOME": str(home),
        "SEQFACILITY_DATABASE_URL": "",
        "SEQFACILITY_LOG_FORMAT": "json",
    }
    up = processes.start(
        "seqfacility_instance", "up", "--bind", "127.0.0.1:0", "--metrics-bind", bind, environment=environment
    )
    base = up.url()
    for _ in range(5):
        assert requests.get(f"{base}/api/orders/secret-name", timeout=60).status_code == 401

    def whole() -> Samples | None:
        samples = scraped(bind)
        daemons = ("worker", "monitor-runs", "monitor-streams")
        ticked = all(value(samples, "seqfacility_daemon_tick_seconds_count", daemon=name) for name in daemons)
        free = value(samples, "seqfacility_storage_free_bytes", folder="storage")
        return samples if ticked and free else None

    samples = wait_for(whole, "every daemon is measured")
    route = "/api/orders/{order_id:id}"
    counted = value(
        samples, "seqfacility_http_request_seconds_count", method="GET", route=route, status="401"
    )
    assert counted == 5
    assert value(samples, "seqfacility_runs", status="running") == 0
    assert value(samples, "seqfacility_jobs", status="waiting") is not None
    assert not any("secret-name" in str(key) for key in samples)

    lines = [json.loads(line) for line in up.log.splitlines() if line.startswith("{")]
    asked = [line for line in lines if line.get("path") == "/api/orders/secret-name"]
    assert len(asked) == 5
    assert {line["status"] for line in asked} == {401}
    assert len({line["requestId"] for line in asked}) == 5


def test_a_registry_is_measured_at_an_address_of_its_own(processes: Processes) -> None:
    bind = f"127.0.0.1:{free_port()}"
    environment = {"SEQFACILITY_REGISTRY_CONTENT": str(CONTENT)}
    registry = processes.start(
        "seqfacility_registry",
        "serve",
        "--bind",
        "127.0.0.1:0",
        "--metrics-bind",
        bind,
        environment=environment,
    )
    base = registry.url()
    requests.get(f"{base}/api/registry", timeout=60).raise_for_status()

    samples = scraped(bind)
    labels = {"method": "GET", "route": "/api/registry", "status": "200"}
    assert value(samples, "seqfacility_http_request_seconds_count", **labels) == 1
    sent = value(samples, "seqfacility_http_sent_bytes_total", route="/api/registry")
    assert sent is not None
    assert sent > 100
    assert requests.get(f"{base}/metrics", timeout=60).status_code == 404
