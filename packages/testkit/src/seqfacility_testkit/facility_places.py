"""The screens of the facility, one line each; tests that hold for all of them are parametrized by this table.

Add each new screen of `/facility/` to `FACILITY`: `test_facility_screens` fails until it is there.
Decision: G1080.
"""

import re
from dataclasses import dataclass

from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveClient


@dataclass(frozen=True)
class Place:
    """A screen: its address, and its heading once it is loaded."""

    name: str
    address: str
    heading: str | re.Pattern[str]


@dataclass(frozen=True)
class FacilityPlace(Place):
    """A screen for admins only; `reads` is the request that it depends on."""

    reads: str
    openers: tuple[str, ...] = ()
    """Names of buttons and links that open a dialog, a drawer or a menu."""
    drawer: str = ""
    """The name of the dialog that is open at this address."""


FACILITY = (
    FacilityPlace(
        *("first hour", "/facility/first-hour", "First hour", "/api/admin/first-hour"),
        ("Choose data folder", "Enable a pipeline", "Invite a colleague"),
    ),
    FacilityPlace("pipelines", "/facility/pipelines", "Pipelines", "/api/admin/pipelines"),
    FacilityPlace("store", "/facility/pipelines?tab=store", "Pipelines", "/api/admin/pipelines/store"),
    FacilityPlace("reference data", "/facility/pipelines?tab=data", "Pipelines", "/api/admin/databases"),
    FacilityPlace(
        *("pipeline", "/facility/pipelines/simulate-reads", "Simulate reads"),
        *("/api/admin/pipelines/readiness", ("Settings",)),
    ),
    FacilityPlace("forms", "/facility/forms", "Forms", "/api/admin/form-config", ("JSON",)),
    FacilityPlace("forms before", "/facility/forms?tab=history", "Forms", "/api/admin/form-config/versions"),
    FacilityPlace("study form", "/facility/forms?tab=study", "Forms", "/api/admin/study-form-config"),
    FacilityPlace(
        *("study forms before", "/facility/forms?tab=study-history", "Forms"),
        "/api/admin/study-form-config/versions",
    ),
    FacilityPlace("catalog", "/facility/catalog", "Catalog", "/api/admin/sequencing-tech", ("Add entry",)),
    FacilityPlace("checklists", "/facility/checklists", "Checklists", "/api/admin/mixs-checklists"),
    FacilityPlace(
        *("checklist", "/facility/checklists/ERC000022", "GSC MIxS soil"),
        "/api/admin/mixs-checklists/ERC000022",
    ),
    FacilityPlace(
        *("people", "/facility/people", "People", "/api/admin/users"),
        ("Invite", "Role", "Ada Lovelace"),
    ),
    FacilityPlace(
        *("person", "/facility/people?person={person}", "People", "/api/admin/users"),
        ("Make facility staff", "End all sessions", "Revoke the token Night script"),
        "Ada Lovelace",
    ),
    FacilityPlace(
        *("invites", "/facility/people?tab=invites", "People", "/api/admin/invites"),
        ("Invite", "Delete the invite"),
    ),
    FacilityPlace(
        *("machines", "/facility/people?tab=machines", "People", "/api/admin/machines"),
        ("New machine", "Delete the machine"),
    ),
    FacilityPlace(
        *("departments", "/facility/people?tab=departments", "People", "/api/admin/departments"),
        ("New department", "Edit Seen", "Delete Seen"),
    ),
    FacilityPlace("numbers", "/facility/numbers", "Numbers", "/api/admin/numbers", ("Year",)),
    FacilityPlace("settings", "/facility/settings", "Settings", "/api/admin/settings"),
    FacilityPlace("modules", "/facility/settings?section=modules", "Settings", "/api/admin/modules"),
    FacilityPlace("health", "/facility/health", "Health", "/api/admin/health"),
    FacilityPlace("mail", "/facility/mail", "Mail", "/api/admin/mail"),
    FacilityPlace(
        *("webhooks", "/facility/webhooks", "Webhooks", "/api/admin/webhooks"),
        ("New webhook", "https://lims.example/hooks", "Delete the webhook"),
    ),
    FacilityPlace(
        *("webhook", "/facility/webhooks?webhook={webhook}", "Webhooks", "/api/admin/webhooks"),
        drawer="Deliveries",
    ),
    FacilityPlace(
        *("registry", "/facility/registry", "Registry", "/api/admin/registry-trust"),
        ("Change policy",),
    ),
    FacilityPlace(
        *("audit", "/facility/audit", "Audit", "/api/admin/audit"),
        ("Action", "Person", "When", "Webhook made"),
    ),
    FacilityPlace(
        *("event", "/facility/audit?row={row}", "Audit", "/api/admin/audit"),
        drawer="Settings saved",
    ),
)


def known_to_the_facility(researcher: LiveClient, admin: LiveClient) -> dict[str, str]:
    """Create one of each object that these screens list; return the values for their addresses."""
    token = {"name": "Night script", "scopes": ["orders:read", "runs:read"], "expiresInDays": 7}
    assert researcher.post("/api/user/tokens", json=token).ok
    assert admin.post("/api/admin/invites", json={"email": "mary@lab.test"}).ok
    assert admin.post("/api/admin/departments", json={"name": "Seen"}).ok
    machine = {"name": "NovaSeq X", "addresses": ["192.0.2.17"], "scopes": ["uploads:write"]}
    assert admin.post("/api/admin/machines", json={**machine, "expiresInDays": 30}).ok
    webhook = {"url": "https://lims.example/hooks", "events": ["order.submitted", "run.failed"]}
    made = admin.post("/api/admin/webhooks", json=webhook).json()["webhook"]
    assert admin.patch("/api/admin/settings/access", json={"signInMaxFailures": 9}).ok
    (row,) = admin.get("/api/admin/audit", params={"action": "settings-saved"}).json()["events"]
    (person,) = admin.get("/api/admin/users", params={"q": RESEARCHER}).json()["users"]
    return {"person": person["id"], "webhook": made["id"], "row": row["id"]}
