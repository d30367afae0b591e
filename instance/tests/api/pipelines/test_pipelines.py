"""What is offered, what an admin decides, and what came with the service."""

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import new_run
from seqfacility_testkit.sequencing import submitted_order

ADMIN = "/api/admin/pipelines"
MAG = f"{ADMIN}/mag"


def decisions(facility: Facility) -> int:
    """How often somebody decided about the pipeline."""
    query = {"action": "pipeline-configured", "objectId": "mag"}
    total: int = facility.admin.get("/api/admin/audit", params=query).json["total"]
    return total


def test_four_pipelines_are_offered_after_init_and_two_more_are_installed(facility: Facility) -> None:
    offered = facility.researcher.get("/api/pipelines").json["pipelines"]
    installed = facility.admin.get(ADMIN).json["pipelines"]

    assert {item["id"] for item in offered} == {
        "fastq-checksum",
        "reads-qc",
        "read-cleaning",
        "simulate-reads",
    }
    assert {item["id"]: item["enabled"] for item in installed} == {
        "fastq-checksum": True,
        "reads-qc": True,
        "read-cleaning": True,
        "simulate-reads": True,
        "mag": False,
        "taxprofiler": False,
    }
    assert {item["origin"] for item in installed} == {"bundled"}
    assert all(item["problems"] == [] and item["sha256"] for item in installed)
    names = [item["name"].lower() for item in offered]
    assert names == sorted(names)


def test_installing_the_bundled_pipelines_again_changes_nothing(facility: Facility) -> None:
    facility.admin.put(f"{ADMIN}/reads-qc", {"enabled": False})

    assert facility.services.runs.pipelines.install_bundled() == []
    assert [item["enabled"] for item in facility.admin.get(ADMIN).json["pipelines"]].count(True) == 3


def test_a_target_narrows_the_list(facility: Facility) -> None:
    def ids(target: str) -> set[str]:
        listed = facility.researcher.get("/api/pipelines", params={"target": target}).json["pipelines"]
        return {item["id"] for item in listed}

    assert ids("study") == {"fastq-checksum", "reads-qc"}
    assert (
        ids("order") == ids("anything") == {"fastq-checksum", "reads-qc", "read-cleaning", "simulate-reads"}
    )


def test_a_definition_shows_the_steps_without_their_matchers(facility: Facility) -> None:
    answer = facility.researcher.get("/api/pipelines/simulate-reads/definition")

    assert set(answer.json) == {"id", "name", "version", "steps"}
    assert set(answer.json["steps"][0]) == {"id", "name", "description", "dependsOn"}
    unknown = facility.researcher.get("/api/pipelines/nothing/definition")
    assert (unknown.status_code, unknown.json) == (404, {"error": "Pipeline not found"})


def test_an_admins_values_become_the_default(facility: Facility) -> None:
    answer = facility.admin.put(f"{ADMIN}/read-cleaning", {"config": {"minLength": 75}})

    assert answer.json["pipeline"]["config"] == {"minLength": 75}
    assert answer.json["pipeline"]["defaultConfig"]["minLength"] == 75
    assert answer.json["pipeline"]["enabled"] is True
    offered = facility.researcher.get("/api/pipelines").json["pipelines"]
    shown = next(item for item in offered if item["id"] == "read-cleaning")
    assert shown["defaultConfig"]["minLength"] == 75


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ({"enabled": "yes"}, {"error": "Validation failed", "details": ["enabled: must be true or false"]}),
        ({"color": 1}, {"error": "Validation failed", "details": ["color: is not a known key"]}),
        ({"config": []}, {"error": "Validation failed", "details": ["config: must be an object"]}),
    ],
)
def test_decisions_of_a_wrong_shape_are_refused(
    facility: Facility, body: dict[str, object], answer: dict[str, object]
) -> None:
    refused = facility.admin.put(f"{ADMIN}/read-cleaning", body)

    assert (refused.status_code, refused.json) == (400, answer)


def test_a_configuration_outside_the_schema_is_refused(facility: Facility) -> None:
    answer = facility.admin.put(f"{ADMIN}/read-cleaning", {"enabled": False, "config": {"minLength": "x"}})

    assert answer.status_code == 400
    assert answer.json["error"] == "Config validation failed"
    assert answer.json["details"][0].startswith("minLength: ")
    assert facility.admin.put(f"{ADMIN}/read-cleaning", {}).json["pipeline"]["enabled"] is True


def test_one_pipeline_is_shown_as_in_the_list_with_the_state_of_what_is_decided(facility: Facility) -> None:
    answer = facility.admin.get(MAG)

    listed = {item["id"]: item for item in facility.admin.get(ADMIN).json["pipelines"]}
    assert answer.json == {"pipeline": listed["mag"]}
    assert facility.admin.get(MAG).headers["ETag"] == answer.headers["ETag"]
    assert facility.admin.get(f"{ADMIN}/reads-qc").headers["ETag"] != answer.headers["ETag"]


@pytest.mark.parametrize(
    "theirs", [{"config": {"min_contig_size": 2500}}, {"enabled": True}], ids=["configured", "enabled"]
)
def test_a_pipeline_that_was_decided_about_since_it_was_seen_is_not_changed(
    facility: Facility, theirs: dict[str, object]
) -> None:
    seen = {"If-Match": facility.admin.get(MAG).headers["ETag"]}
    assert facility.admin.put(MAG, theirs, headers=seen).status_code == 200
    stored, told = facility.admin.get(MAG), decisions(facility)

    mine = {"enabled": True, "config": {"min_contig_size": 2000}}
    late = facility.admin.put(MAG, mine, headers=seen)

    assert (late.status_code, late.json) == (409, {"error": "This record was changed by somebody else"})
    after = facility.admin.get(MAG)
    assert (after.json, after.headers["ETag"]) == (stored.json, stored.headers["ETag"])
    assert decisions(facility) == told
    again = facility.admin.put(MAG, mine, headers={"If-Match": after.headers["ETag"]})
    assert again.json["pipeline"]["config"] == {"min_contig_size": 2000}


def test_what_is_decided_about_another_pipeline_is_another_state(facility: Facility) -> None:
    seen = {"If-Match": facility.admin.get(MAG).headers["ETag"]}
    assert facility.admin.put(f"{ADMIN}/reads-qc", {"enabled": False}).status_code == 200

    assert facility.admin.put(MAG, {"enabled": True}, headers=seen).status_code == 200


@pytest.mark.parametrize("tags", ["*", '"hers", {tag}', "W/{tag}", None])
def test_any_view_of_a_pipeline_that_is_new_enough_will_do(facility: Facility, tags: str | None) -> None:
    facility.admin.put(MAG, {"enabled": True})
    headers = tags and {"If-Match": tags.format(tag=facility.admin.get(MAG).headers["ETag"])}

    answer = facility.admin.put(MAG, {"config": {"min_contig_size": 2000}}, headers=headers or {})

    assert answer.status_code == 200
    assert answer.json["pipeline"]["enabled"] is True


def test_a_state_of_a_pipeline_that_was_never_given_is_nobody_s_view(facility: Facility) -> None:
    answer = facility.admin.put(MAG, {"enabled": True}, headers={"If-Match": '"hers"'})

    assert answer.status_code == 409
    assert facility.admin.get(MAG).json["pipeline"]["enabled"] is False


def test_what_is_refused_for_its_values_changes_no_state(facility: Facility) -> None:
    seen = facility.admin.get(MAG).headers["ETag"]

    refused = facility.admin.put(MAG, {"config": {"min_contig_size": 1}}, headers={"If-Match": seen})

    assert refused.status_code == 400
    assert facility.admin.get(MAG).headers["ETag"] == seen


def test_unknown_pipelines_are_not_found(facility: Facility) -> None:
    for answer in (
        facility.admin.get(f"{ADMIN}/nothing"),
        facility.admin.put(f"{ADMIN}/nothing", {"x": 1}),
        facility.admin.delete(f"{ADMIN}/nothing"),
    ):
        assert (answer.status_code, answer.json) == (404, {"error": "Pipeline not found"})


def test_bundled_pipelines_stay(facility: Facility) -> None:
    answer = facility.admin.delete(f"{ADMIN}/mag")

    assert (answer.status_code, answer.json) == (400, {"error": "Bundled pipelines cannot be removed"})


def test_a_missing_engine_shows_and_keeps_nothing_from_being_made(facility: Facility) -> None:
    facility.services.facility.change(
        "execution", {"snakemakeCommand": "no-such-program"}, facility.clock.now()
    )

    offered = facility.researcher.get("/api/pipelines").json["pipelines"]

    assert {tuple(item["unavailableReasons"]) for item in offered} == {("Snakemake is not installed",)}
    assert not any(item["available"] for item in offered)
    assert new_run(facility, submitted_order(facility))


def test_a_broken_package_is_listed_with_its_problems_and_not_offered(facility: Facility) -> None:
    (row,) = (facility.home / "packages/reads-qc").rglob("manifest.json")
    row.write_text("{")
    fresh = facility.services.runs.pipelines.package_store
    fresh._known.clear()

    listed = {item["id"]: item for item in facility.admin.get(ADMIN).json["pipelines"]}

    assert listed["reads-qc"]["problems"]
    assert listed["reads-qc"]["available"] is False
    offered = facility.researcher.get("/api/pipelines").json["pipelines"]
    assert "reads-qc" not in {item["id"] for item in offered}
    refused = facility.admin.post("/api/pipelines/runs", {"pipelineId": "reads-qc", "orderId": "x"})
    assert refused.json == {"error": "Invalid pipeline ID"}


def test_pipelines_are_administered_by_admins_only(facility: Facility) -> None:
    assert facility.researcher.get(ADMIN).json == {"error": "Unauthorized"}
    assert facility.researcher.get(ADMIN).status_code == 403
    assert facility.anonymous.get("/api/pipelines").status_code == 401
