"""A package that declares a reference database, for tests."""

import hashlib
from typing import Any

from seqfacility_pipeline_package.databases import database_key
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest, read_payload

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import SLEEPER, sleeper


def with_database(url: str, content: bytes, *, is_required: bool, **changes: object) -> dict[str, Any]:
    """Make the sleeping package with a database at `url`, whose path its key `db` receives."""
    payload = sleeper()
    schema = payload["registry"]["configSchema"]
    schema["properties"]["db"] = {"type": "string", "pattern": "^/"}
    if is_required:
        schema["required"] = ["db"]
    declared = {
        "id": "host",
        "label": "Host genome",
        "version": "1",
        "fileName": url.rpartition("/")[2],
        "downloadUrl": url,
        "configKey": "db",
        "mode": "ensure",
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    payload["registry"]["databases"] = [declared | changes]
    payload["sha256"] = payload_digest(payload)
    return payload


def install(facility: Facility, payload: dict[str, Any]) -> str:
    """Install and enable the package; return the key of its database."""
    facility.services.runs.pipeline_installation.install_file(canonical_json(payload))
    answer = facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    assert answer.status_code == 200, answer.text
    return database_key(read_payload(payload, None).descriptor.databases[0])
