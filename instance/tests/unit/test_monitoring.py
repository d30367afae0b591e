"""The rules, scrape configuration and dashboard that we ship speak of metrics and ports that there are."""

import configparser
import importlib
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import REGISTRY

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "instance/deploy"
METERS = [
    "seqfacility_wire.meters",
    "seqfacility_instance.daemons.meters",
    "seqfacility_instance.runs.meters",
    "seqfacility_instance.uploads.meters",
    "seqfacility_instance.site.state_gauges",
]
SPEAKING_OF_METRICS = [
    DEPLOY / "prometheus/rules.yml",
    DEPLOY / "prometheus/rules_test.yml",
    DEPLOY / "grafana/facility.json",
    ROOT / "docs/how_to/operate.md",
    ROOT / "docs/how_to/backup_and_restore.md",
]


def names_of_samples() -> set[str]:
    """Name every sample that our code can show."""
    for module in METERS:
        importlib.import_module(module)
    suffixes = {
        "counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count"),
    }  # fmt: skip
    return {
        family.name + suffix
        for family in REGISTRY.collect()
        if family.name.startswith("seqfacility_")
        for suffix in suffixes[family.type]
    }


def test_every_module_with_metrics_is_known_here() -> None:
    defines = re.compile(r"^from prometheus_client import .*(Counter|Gauge|Histogram)", re.MULTILINE)
    defining = {
        ".".join(path.relative_to(source).with_suffix("").parts)
        for source in (ROOT / "instance/src", ROOT / "packages/wire/src")
        for path in source.rglob("*.py")
        if defines.search(path.read_text("utf-8"))
    }

    assert defining == set(METERS)


@pytest.mark.parametrize("path", SPEAKING_OF_METRICS, ids=lambda path: path.name)
def test_every_metric_that_is_spoken_of_exists(path: Path) -> None:
    spoken_of = set(re.findall(r"\bseqfacility_[a-z0-9_]+", path.read_text("utf-8")))

    assert spoken_of
    assert spoken_of - names_of_samples() == set()


def test_every_metric_is_shown_on_the_dashboard_or_rings() -> None:
    texts = "".join(path.read_text("utf-8") for path in SPEAKING_OF_METRICS[:3])
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in names_of_samples()}

    assert {name for name in families if name not in texts} == set()


def test_scraping_reaches_each_unit_that_shows_metrics() -> None:
    scraped = yaml.safe_load((DEPLOY / "prometheus/scrape.yml").read_text("utf-8"))
    targets = {
        target
        for job in scraped["scrape_configs"]
        for group in job["static_configs"]
        for target in group["targets"]
    }

    assert targets == set(binds_of_units())


def binds_of_units() -> Iterator[str]:
    for path in (
        *(DEPLOY / "systemd").glob("*.service"),
        *(ROOT / "registry_site/deploy").rglob("*.service"),
    ):
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        parser.read_string(path.read_text("utf-8"))
        words = shlex.split(parser["Service"]["ExecStart"])
        if "--metrics-bind" in words:
            yield words[words.index("--metrics-bind") + 1]


def test_the_dashboard_is_whole() -> None:
    board: dict[str, Any] = json.loads((DEPLOY / "grafana/facility.json").read_text("utf-8"))

    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert len({(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}) == len(panels)
    assert all(target["expr"] for panel in panels for target in panel["targets"])


@pytest.mark.parametrize(
    "arguments", [("check", "config", "scrape.yml"), ("test", "rules", "rules_test.yml")]
)
def test_prometheus_understands_what_we_ship_and_each_rule_rings(arguments: tuple[str, ...]) -> None:
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("needs the Debian package prometheus")

    told = subprocess.run(
        [tool, *arguments],
        cwd=DEPLOY / "prometheus",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert told.returncode == 0, told.stdout + told.stderr


def test_the_expressions_of_the_dashboard_are_valid(tmp_path: Path) -> None:
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("needs the Debian package prometheus")
    board = json.loads((DEPLOY / "grafana/facility.json").read_text("utf-8"))
    expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    rules = [{"record": f"shown:{number}", "expr": text} for number, text in enumerate(expressions)]
    (tmp_path / "rules.yml").write_text(yaml.safe_dump({"groups": [{"name": "shown", "rules": rules}]}))

    told = subprocess.run(
        [tool, "check", "rules", str(tmp_path / "rules.yml")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert told.returncode == 0, told.stdout + told.stderr
