"""What pipelines lack to be run, said to a person."""

import os
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.daemons.heartbeat import Heartbeat
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_testkit.database_packages import install, with_database
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import SLEEPER, sleeper

ADMIN = "/api/admin/pipelines"


def checks(facility: Facility, pipeline_id: str) -> dict[str, tuple[str, str]]:
    looked = facility.admin.get(f"{ADMIN}/{pipeline_id}/readiness").json["pipeline"]
    return {check["id"]: (check["verdict"], check["text"]) for check in looked["checks"]}


def settings(facility: Facility, section: str, change: dict[str, Any]) -> None:
    facility.services.facility.change(section, change, facility.clock.now())


def test_a_bundled_pipeline_can_be_run_after_init(facility: Facility) -> None:
    looked = facility.admin.get(f"{ADMIN}/readiness").json["pipelines"]

    assert [one["id"] for one in looked] == sorted(one["id"] for one in looked)
    ready = {one["id"]: one["ready"] for one in looked}
    assert ready["reads-qc"]
    assert not ready["mag"]
    assert checks(facility, "reads-qc")["engine"][1].startswith("Snakemake ")


def test_each_thing_that_is_missing_is_named_with_what_to_do(facility: Facility) -> None:
    settings(facility, "execution", {"snakemakeCommand": "no-such-program", "defaultBackend": "slurm"})
    settings(facility, "execution", {"weblogSecret": None})
    settings(facility, "storage", {"dataBasePath": None})
    facility.admin.put(f"{ADMIN}/reads-qc", {"enabled": False})

    found = checks(facility, "reads-qc")

    assert found["enabled"] == (
        "fail",
        "It is not enabled. Enable it with `PUT /api/admin/pipelines/reads-qc`.",
    )
    assert found["engine"][0] == "warn"
    assert "`no-such-program` does not answer with a version. Install Snakemake" in found["engine"][1]
    settings(facility, "execution", {"defaultBackend": "local"})
    assert checks(facility, "reads-qc")["engine"][0] == "fail"
    texts = [
        check["text"]
        for check in facility.admin.get(f"{ADMIN}/reads-qc/readiness").json["pipeline"]["checks"]
    ]
    assert "The data folder is not configured. Set `dataBasePath` in the storage settings." in texts
    assert "No weblog secret is set, so progress is known from the trace alone." in texts


@pytest.mark.parametrize("has_script", [True, False])
def test_a_package_without_a_required_output_is_warned_about(facility: Facility, has_script: bool) -> None:
    payload = sleeper()
    payload["manifest"]["outputs"][0]["required"] = False
    payload["scripts"] = {"scripts/look.py": "print('{}')"} if has_script else {}
    payload["sha256"] = payload_digest(payload)
    facility.services.runs.pipeline_installation.install_file(canonical_json(payload))

    looked = facility.admin.get(f"{ADMIN}/{SLEEPER}/readiness").json["pipeline"]["checks"]

    warnings = [check["text"] for check in looked if (check["id"], check["verdict"]) == ("package", "warn")]
    assert [text.partition(":")[0] for text in warnings] == (
        [] if has_script else ["No output of it is required"]
    )


def test_a_scheduler_that_is_not_there_is_a_fault_of_pipelines_that_go_to_it(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings(facility, "execution", {"pipelineOverrides": {"reads-qc": {"mode": "slurm"}}})
    monkeypatch.setenv("PATH", "/nowhere")

    assert checks(facility, "reads-qc")["executor"][0] == "fail"
    assert checks(facility, "fastq-checksum")["executor"] == ("ok", "Runs go to this machine.")


def test_a_request_starts_no_program_and_tells_what_a_worker_saw(
    facility: Facility, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("sbatch", "squeue", "scancel", "sinfo", "our-snakemake"):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\nexit 1\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    settings(facility, "execution", {"snakemakeCommand": "our-snakemake", "defaultBackend": "slurm"})

    unasked = checks(facility, "reads-qc")
    now = facility.clock.now()
    seen = {
        "snakemake": {"command": "our-snakemake", "found": True, "version": "9.11.0", "checkedAt": str(now)},
        "slurm": {"fault": "its controller does not answer.", "checkedAt": str(now)},
    }
    Heartbeat(ProcessName.WORKER, lambda: seen).beat("worker", now)
    told = checks(facility, "reads-qc")

    assert (unasked["engine"][0], unasked["executor"][0]) == ("warn", "warn")
    assert "no worker has asked" in unasked["engine"][1]
    assert told["engine"] == ("ok", "Snakemake 9.11.0 answers.")
    assert told["executor"] == ("fail", "Runs go to Slurm: its controller does not answer.")
    assert not (tmp_path / "started").exists()


def test_databases_are_needed_wanted_or_brought_along(facility: Facility) -> None:
    found = checks(facility, "mag")
    assert found["database"][0] == "warn"
    assert "seqfacility fetch-database gtdb-" in found["database"][1]

    key = install(facility, with_database("https://example.org/host.mmi", b"x", is_required=True))
    advice = f"Fetch it with `seqfacility fetch-database {key}`."
    assert checks(facility, SLEEPER)["database"] == ("fail", f"Host genome 1 is not there. {advice}")
    facility.admin.put(f"{ADMIN}/{SLEEPER}", {"config": {"db": "/nowhere/host.mmi"}})
    assert checks(facility, SLEEPER)["database"] == (
        "fail",
        "Host genome: /nowhere/host.mmi does not exist. Correct it with `PUT /api/admin/pipelines/sleeper`.",
    )
    facility.admin.put(f"{ADMIN}/{SLEEPER}", {"config": {"db": str(facility.home)}})
    assert checks(facility, SLEEPER)["database"][0] == "ok"


def test_a_broken_package_is_told_with_its_problems(facility: Facility) -> None:
    (manifest,) = (facility.home / "packages/reads-qc").rglob("manifest.json")
    manifest.write_text("{")
    facility.services.runs.pipelines.package_store._known.clear()

    looked = facility.admin.get(f"{ADMIN}/reads-qc/readiness").json["pipeline"]

    assert looked["ready"] is False
    assert looked["checks"][0]["text"].startswith(
        "The package is broken: manifest.json: document: is not JSON"
    )


def test_a_technology_that_the_catalog_does_not_offer_is_a_warning(facility: Facility) -> None:
    assert checks(facility, "reads-qc")["technology"] == ("ok", "It takes reads of any platform.")
    assert checks(facility, "mag")["technology"][0] == "ok"
    facility.services.catalogs.save(
        None,  # type: ignore[arg-type]  # nobody in particular
        {"technologies": [{"id": "x", "available": True, "platformFamily": "oxford-nanopore"}]},
    )

    verdict, text = checks(facility, "mag")["technology"]

    assert verdict == "warn"
    assert text.endswith("the catalog offers none of these technologies.")


def test_an_unknown_pipeline_is_not_found(facility: Facility) -> None:
    answer = facility.admin.get(f"{ADMIN}/nothing/readiness")

    assert (answer.status_code, answer.json) == (404, {"error": "Pipeline not found"})
