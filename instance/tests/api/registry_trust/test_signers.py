"""The store says whose signature a package needs."""

import json

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.lying_mirror import SignedAnswers, pipeline_documents


def signers(facility: Facility) -> dict[str, str | None]:
    listed = facility.admin.get("/api/admin/pipelines/store").json["pipelines"]
    return {entry["id"]: entry["offer"]["versions"][0]["signer"] for entry in listed}


def publish_both(signed: SignedAnswers) -> None:
    lab, ours = pipeline_documents("lab-qc", "1.0.0"), pipeline_documents("new-qc", "2.0.0")
    signed.add_publisher("lab", lab)
    indexes = [json.loads(documents["registry"]) for documents in (lab, ours)]
    entries = [entry for index in indexes for entry in index["pipelines"]]
    signed.publish({**ours, "registry": json.dumps({**indexes[0], "pipelines": entries}).encode()})


def test_a_package_is_signed_by_the_release_or_by_its_publisher(
    facility: Facility, signed: SignedAnswers
) -> None:
    publish_both(signed)

    assert signers(facility) == {"lab-qc": "lab", "new-qc": "targets"}


def test_a_package_that_nobody_signs_has_no_signer(facility: Facility, signed: SignedAnswers) -> None:
    index = json.loads(pipeline_documents("odd-qc", "1.0.0")["registry"])
    signed.publish({"registry": json.dumps(index).encode()})

    assert signers(facility) == {"odd-qc": None}
