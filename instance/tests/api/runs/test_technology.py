"""Whether a pipeline takes what the order's technology gives."""

import pytest
from seqfacility_instance.tables.orders import Order
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.pipeline_runs import RUNS
from seqfacility_testkit.sequencing import OrderInHand, submitted_order


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    payload = sleeper()
    payload["manifest"]["sequencingCompatibility"] = {
        "readLengthClass": "short",
        "readLayouts": [],
        "platformFamilies": ["illumina", "oxford-nanopore"],
    }
    payload["sha256"] = payload_digest(payload)
    facility.services.runs.pipeline_installation.install_file(canonical_json(payload))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    return submitted_order(facility)


def details(facility: Facility, order: OrderInHand) -> list[str]:
    answer = facility.admin.post(f"{RUNS}/validate", {"pipelineId": SLEEPER, "orderId": order.id})
    assert answer.json["error"] in {None, "Metadata validation failed"}
    return [line.partition(": ")[2] for line in answer.json["details"]]


@pytest.mark.parametrize(
    ("selected", "platform", "expected"),
    [
        ({}, None, []),
        ({}, "ILLUMINA", []),
        ({}, "PACBIO", ["platform PACBIO is not supported by this pipeline"]),
        ({"platformFamily": "illumina", "readLengthClass": "short"}, "PACBIO", []),
        (
            {"platformFamily": "pacbio", "technologyName": "PacBio Revio", "readLengthClass": "long"},
            "ILLUMINA",
            ["technology PacBio Revio is not supported by this pipeline"],
        ),
        (
            {"platformFamily": "oxford-nanopore", "readLengthClass": "long"},
            None,
            ["technology oxford-nanopore gives long reads, which this pipeline does not take"],
        ),
        ({"platformFamily": "oxford-nanopore", "readLengthClass": "both"}, None, []),
        ({"platformFamily": "oxford-nanopore"}, None, []),
    ],
)
def test_the_technology_of_the_order_counts_and_without_one_its_platform(
    facility: Facility,
    order: OrderInHand,
    selected: dict[str, str],
    platform: str | None,
    expected: list[str],
) -> None:
    answers = {"sequencingTechnology": {"technologyId": "any", **selected}} if selected else {}
    Order.update(custom_fields=answers, platform=platform).where(Order.id == order.id).execute()

    assert details(facility, order) == expected
