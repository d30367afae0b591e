"""Read candidates: listing, promotion, and what refuses it."""

import hashlib
import io
import zipfile

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import (
    READS,
    RUNS,
    completed,
    new_run,
    running,
    tick,
    use_scripted_executor,
    write_reads,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order, upload


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def url(run_id: str, variant: str = "pending-writebacks") -> str:
    return f"{RUNS}/{run_id}/{variant}"


def test_candidates_are_listed_beside_the_reads_that_they_would_supersede(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    path = upload(facility, order)
    run_id, folder = completed(facility, scripted, order)

    answer = facility.admin.get(url(run_id)).json

    number = folder.path.name
    assert answer["run"] == {
        "id": run_id,
        "runNumber": number,
        "pipelineId": "simulate-reads",
        "status": "completed",
        "orderId": order.id,
    }
    assert answer["reports"] == []
    assert set(answer["review"]) == {
        "title",
        "description",
        "candidateCountLabel",
        "emptyText",
        "promoteButtonLabel",
        "confirmTitle",
        "confirmDescription",
        "reviewedLabel",
    }
    found = {item["sampleId"]: item for item in answer["readCandidates"]}
    code = order.sample_codes[0]
    candidate = found[order.sample_ids[0]]
    assert candidate == {
        "artifactId": candidate["artifactId"],
        "outputId": "reads-r1",
        "outputLabel": "Simulated reads",
        "sampleId": order.sample_ids[0],
        "sampleCode": code,
        "file1": f"pipeline_runs/{number}/output/reads/{code}_R1.fastq.gz",
        "file2": f"pipeline_runs/{number}/output/reads/{code}_R2.fastq.gz",
        "readLayout": "paired",
        "targetDataClass": "cleaned",
        "status": "candidate",
        "currentRead": {
            "id": candidate["currentRead"]["id"],
            "file1": path,
            "file2": None,
            "dataClass": "raw",
            "dataClassLabel": "Raw (protected)",
            "isProtectedRaw": True,
        },
    }
    assert found[order.sample_ids[1]]["currentRead"] is None


def test_promotion_copies_hashes_and_supersedes(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    old_path = upload(facility, order)
    run_id, folder = completed(facility, scripted, order)
    old_read = {
        item["sampleId"]: item["currentRead"]
        for item in facility.admin.get(url(run_id)).json["readCandidates"]
    }[order.sample_ids[0]]

    answer = facility.admin.post(url(run_id), {"sampleIds": [order.sample_codes[0]]})

    assert answer.json["promoted"] == 1
    (read_id,) = answer.json["readIds"]
    promoted = next(
        item
        for item in facility.admin.get(url(run_id)).json["readCandidates"]
        if item["sampleId"] == order.sample_ids[0]
    )
    code, number = order.sample_codes[0], folder.path.name
    assert promoted["status"] == "promoted"
    assert promoted["currentRead"] == {
        "id": read_id,
        "file1": f"orders/{order.id}/reads/{code}/{number}-R1-{code}_R1.fastq.gz",
        "file2": f"orders/{order.id}/reads/{code}/{number}-R2-{code}_R2.fastq.gz",
        "dataClass": "cleaned",
        "dataClassLabel": "Cleaned",
        "isProtectedRaw": False,
    }
    assert (facility.data / promoted["currentRead"]["file1"]).read_bytes() == READS
    assert (facility.data / old_path).exists()
    (row,) = facility.services.database.execute_sql(
        f"SELECT is_active, superseded_by_id FROM reads WHERE id = '{old_read['id']}'"  # noqa: S608
    ).fetchall()
    assert (bool(row[0]), row[1]) == (False, read_id)
    (row,) = facility.services.database.execute_sql(
        f"SELECT checksum1, source, pipeline_run_id, size1 FROM reads WHERE id = '{read_id}'"  # noqa: S608
    ).fetchall()
    assert row == (hashlib.md5(READS).hexdigest(), "pipeline", run_id, len(READS))  # noqa: S324


def test_promoted_reads_are_delivered_under_the_alias_of_their_sample(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = completed(facility, scripted, order)
    facility.admin.post(url(run_id), {"sampleIds": [order.sample_codes[0]]})
    path = f"/api/orders/{order.id}/sequencing/delivery"
    before = facility.admin.put(f"{path}/publication").json["delivery"]["warnings"]
    facility.services.worker.tick(facility.clock.now())

    delivery = facility.researcher.get(path).json["delivery"]
    files = delivery["readFiles"]
    downloads = [facility.researcher.get("/api/files/download", params={"path": f["path"]}) for f in files]
    with zipfile.ZipFile(io.BytesIO(facility.researcher.get(delivery["archive"]).content)) as archive:
        archived = archive.namelist()
    manifest = facility.researcher.get(f"{path}/manifest.tsv").text.splitlines()

    code, names = order.sample_codes[0], ["soil_0_R1.cleaned.fastq.gz", "soil_0_R2.cleaned.fastq.gz"]
    md5 = hashlib.md5(READS, usedforsecurity=False).hexdigest()
    assert [one["reason"] for one in before] == ["not-verified", "not-verified"]
    assert facility.admin.get(path).json["delivery"]["warnings"] == []
    assert [(file["name"], file["sampleAlias"]) for file in files] == [(name, "soil 0") for name in names]
    assert [
        name in got.headers["content-disposition"] for name, got in zip(names, downloads, strict=True)
    ] == [
        True,
        True,
    ]
    assert archived == [f"reads/{code}/{name}" for name in names]
    assert manifest[0] == "sample\talias\tfile\trole\tclass\tbytes\treads\tmd5\tverified"
    assert manifest[1].split("\t") == [
        code,
        "soil 0",
        archived[0],
        "R1",
        "cleaned",
        str(len(READS)),
        str(files[0]["readCount"]),
        md5,
        "yes",
    ]


def test_the_second_promotion_takes_what_is_left(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = completed(facility, scripted, order)
    facility.admin.post(url(run_id), {"sampleIds": [order.sample_ids[0]]})

    rest = facility.admin.post(url(run_id))
    nothing = facility.admin.post(url(run_id))

    assert rest.json["promoted"] == 1
    assert nothing.status_code == 400
    assert nothing.json == {"error": "No pending read candidates selected for promotion"}


@pytest.mark.parametrize("sample_ids", [[], ["nobody"]])
def test_naming_nobody_promotes_nothing(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, sample_ids: list[str]
) -> None:
    run_id, _ = completed(facility, scripted, order)

    answer = facility.admin.post(url(run_id), {"sampleIds": sample_ids})

    assert answer.json == {"error": "No pending read candidates selected for promotion"}


def test_a_file_that_was_emptied_after_the_run_is_not_promoted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = completed(facility, scripted, order)
    name = f"{max(order.sample_codes)}_R1.fastq.gz"
    (folder.output / "reads" / name).write_bytes(b"")

    answer = facility.admin.post(url(run_id))

    assert (answer.status_code, answer.json["error"]) == (
        400,
        f"Candidate file is not what the run left: {name}",
    )


def test_a_missing_file_promotes_nothing_at_all(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = completed(facility, scripted, order)
    name = f"{max(order.sample_codes)}_R2.fastq.gz"
    (folder.output / "reads" / name).unlink()

    answer = facility.admin.post(url(run_id))

    assert answer.status_code == 400
    assert answer.json == {"error": f"Candidate file is missing: {name}"}
    candidates = facility.admin.get(url(run_id)).json["readCandidates"]
    assert {item["status"] for item in candidates} == {"candidate"}
    left = [path for path in (facility.data / "orders").rglob("*") if path.is_file() and path.suffix == ".gz"]
    assert left == []


def test_a_full_disk_promotes_nothing(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = completed(facility, scripted, order)
    facility.services.facility.change("storage", {"minFreeBytes": 2**62}, facility.clock.now())

    answer = facility.admin.post(url(run_id))

    assert (answer.status_code, answer.json) == (507, {"error": "Not enough free disk space"})
    facility.services.facility.change("storage", {"minFreeBytes": 0}, facility.clock.now())
    assert facility.admin.post(url(run_id)).json["promoted"] == 2


@pytest.mark.parametrize("who", ["the next promotion", "the worker"])
def test_what_a_killed_promotion_left_is_removed_and_a_finished_one_leaves_nothing(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, who: str
) -> None:
    run_id, _ = completed(facility, scripted, order)
    place = facility.data / f"orders/{order.id}"
    drafts = place / f".promotion-{run_id}"
    drafts.mkdir(parents=True)
    (drafts / "lock").touch()
    (drafts / "0123456789abcdef").write_bytes(b"half")

    if who == "the worker":
        facility.services.worker.tick(facility.clock.now())
    else:
        assert facility.admin.post(url(run_id)).json["promoted"] == 2

    assert list(place.rglob(".*")) == []


def test_a_hard_link_shares_the_file(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    facility.services.facility.change("storage", {"hardLinkOnPromotion": True}, facility.clock.now())
    run_id, _ = completed(facility, scripted, order)

    facility.admin.post(url(run_id))

    (candidate, *_) = facility.admin.get(url(run_id)).json["readCandidates"]
    promoted = facility.data / candidate["currentRead"]["file1"]
    assert promoted.samefile(facility.data / candidate["file1"])


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("variant", ["pending-writebacks", "cleaned-reads"])
def test_unknown_and_study_runs_have_no_candidates(
    facility: Facility, order: OrderInHand, method: str, variant: str
) -> None:
    run_id = new_run(facility, order)
    unknown = facility.admin.request(method, url("nothing", variant))
    facility.services.database.execute_sql("UPDATE pipeline_runs SET order_id = NULL")
    study_run = facility.admin.request(method, url(run_id, variant))

    assert (unknown.status_code, unknown.json) == (404, {"error": "Pipeline run not found"})
    assert study_run.status_code == 400
    assert study_run.json == {"error": "Pending read promotion requires an order-scoped run"}


def test_only_completed_runs_are_promoted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)

    answer = facility.admin.post(url(run_id))

    assert (answer.status_code, answer.json) == (400, {"error": "Only completed runs can be promoted"})
    assert facility.admin.get(url(run_id)).status_code == 200


def test_cleaned_reads_are_for_pipelines_that_clean_reads(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = completed(facility, scripted, order)

    for method in ("GET", "POST"):
        answer = facility.admin.request(method, url(run_id, "cleaned-reads"))
        assert (answer.status_code, answer.json) == (400, {"error": "Run is not a read-cleaning run"})


def test_sample_ids_of_a_wrong_type_are_refused(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = completed(facility, scripted, order)

    answer = facility.admin.post(url(run_id), {"sampleIds": "all"})

    assert answer.json == {"error": "Validation failed", "details": ["sampleIds: must be an array"]}


def test_a_second_mate_that_comes_late_joins_its_candidate(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    late = folder.output / "reads" / f"{order.sample_codes[0]}_R2.fastq.gz"
    late.unlink()
    scripted.finish(folder, 0)
    tick(facility)
    before = facility.admin.get(url(run_id)).json["readCandidates"]
    late.write_bytes(READS)

    facility.admin.post(f"{RUNS}/{run_id}/resolve-outputs")

    after = facility.admin.get(url(run_id)).json["readCandidates"]
    of_first = [item for item in before if item["sampleId"] == order.sample_ids[0]]
    assert [(item["file2"], item["readLayout"]) for item in of_first] == [(None, "single")]
    assert {item["readLayout"] for item in after} == {"paired"}
