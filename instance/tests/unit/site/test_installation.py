"""Making an installation again changes nothing that exists."""

from seqfacility_instance.site.installation import FirstAdmin
from seqfacility_instance.tables.people import AuditEvent, User
from seqfacility_instance.tables.pipelines import PipelinePackage
from seqfacility_instance.tables.site import MixsVersion
from seqfacility_testkit.facility import ADMIN, Facility


def _counts() -> list[int]:
    return [table.select().count() for table in (User, MixsVersion, PipelinePackage, AuditEvent)]


def test_the_weblog_secret_outlives_a_second_init(facility: Facility) -> None:
    before = facility.services.facility.execution().weblog_secret
    facility.close()

    facility.services.installation.make(FirstAdmin(ADMIN, "Rosalind", "Franklin", "another long password"))

    facility.services.database.connect()
    assert facility.services.facility.execution().weblog_secret == before


def test_settings_and_shipped_content_stay_as_they_are(facility: Facility) -> None:
    facility.admin.patch("/api/admin/settings/storage", {"minFreeBytes": 7})
    facility.admin.put("/api/admin/pipelines/reads-qc", {"enabled": False})
    before = _counts()
    facility.close()

    facility.services.installation.make(FirstAdmin(ADMIN, "Rosalind", "Franklin", None))

    facility.services.database.connect()
    assert _counts() == before
    assert facility.services.facility.storage().min_free_bytes == 7
    listed = facility.admin.get("/api/admin/pipelines").json["pipelines"]
    assert [entry["enabled"] for entry in listed if entry["id"] == "reads-qc"] == [False]
