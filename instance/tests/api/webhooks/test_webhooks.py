"""Who makes webhooks, and where they may lead."""

import json
import socket
from datetime import timedelta
from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_instance.core import limits
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.webhooks import Webhook
from seqfacility_instance.webhooks.sealing import opened
from seqfacility_testkit.facility import Facility

WEBHOOKS = "/api/admin/webhooks"
PUBLIC = "https://93.184.216.34/hooks?key=of-the-receiver"
PRIVATE = "url: leads into a private network; the setting webhooks.allowPrivateNetworks allows that"
NEVER = "url: leads to an address that is never called"
PLAIN = "url: must begin with https:// unless webhooks.allowPrivateNetworks is on"
UNREADABLE = "url: is not an http or https address that can be called"


def make(facility: Facility, url: object = PUBLIC, events: object = ("order.submitted",)) -> Result:
    return facility.admin.request("POST", WEBHOOKS, body=json.dumps({"url": url, "events": events}))


def allow_private_networks(facility: Facility) -> None:
    changed = facility.admin.patch("/api/admin/settings/webhooks", {"allowPrivateNetworks": True})
    assert changed.status_code == 200, changed.text


def test_a_webhook_is_made_with_a_secret_that_is_shown_once_and_stored_sealed(facility: Facility) -> None:
    made = make(facility, events=["run.failed", "order.submitted", "run.failed"])

    assert made.status_code == 201, made.text
    webhook, secret = made.json["webhook"], made.json["secret"]
    assert webhook["events"] == ["run.failed", "order.submitted"]
    listed = facility.admin.get(WEBHOOKS)
    assert listed.json == {"webhooks": [webhook]}
    (row,) = Webhook.select()
    assert secret.removeprefix("whsec_") not in row.sealed_secret
    assert opened(row.sealed_secret, facility.services.facility.secrets) == secret


def test_making_and_deleting_are_audited_without_what_may_be_a_password(facility: Facility) -> None:
    webhook = make(facility).json["webhook"]
    deleted = facility.admin.delete(f"{WEBHOOKS}/{webhook['id']}")

    assert deleted.json == {"success": True}
    assert facility.admin.get(WEBHOOKS).json == {"webhooks": []}
    rows = list(AuditEvent.select().where(AuditEvent.object_id == webhook["id"]).order_by(AuditEvent.id))
    assert [row.action for row in rows] == ["webhook-made", "webhook-deleted"]
    assert rows[0].detail == {"url": "https://93.184.216.34/hooks", "events": ["order.submitted"]}


def test_making_and_deleting_want_a_confirmed_session(facility: Facility) -> None:
    webhook = make(facility).json["webhook"]
    facility.clock.advance(timedelta(minutes=11))

    refused = [make(facility), facility.admin.delete(f"{WEBHOOKS}/{webhook['id']}")]

    assert [answer.json for answer in refused] == [
        {"error": "Confirm your password first", "confirm": True}
    ] * 2
    assert len(facility.admin.get(WEBHOOKS).json["webhooks"]) == 1


@pytest.mark.parametrize("url", [
    "https://127.0.0.1/", "https://localhost/", "https://2130706433/",
    "https://0x7f.1/", "https://0177.0.0.1/", "https://127.1:8443/x", "https://[::1]/",
    "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[64:ff9b::127.0.0.1]/",
    "https://[2002:7f00:1::]/", "https://10.0.0.7/", "https://172.16.0.1/", "https://192.168.1.1/",
    "https://100.64.0.1/", "https://[fd12::1]/", "https://[fec0::1]/", "https://[::127.0.0.1]/",
    "https://[::ffff:0:10.0.0.7]/", "https://[64:ff9b:1::7f00:1]/", "https://[64:ff9b:1:2::1]/",
])  # fmt: skip
def test_an_address_in_a_private_network_is_refused_however_it_is_written(
    facility: Facility, url: str
) -> None:
    refused = make(facility, url)

    assert (refused.status_code, refused.json.get("details")) == (400, [PRIVATE])


@pytest.mark.parametrize("url", [
    "http://169.254.169.254/latest/meta-data", "https://169.254.169.254/", "https://[fe80::1]/",
    "https://[::ffff:a9fe:a9fe]/", "https://0/", "https://0.0.0.0/", "https://100.100.100.200/",
    "https://[fd00:ec2::254]/", "https://224.0.0.1/", "https://2852039166/",
])  # fmt: skip
def test_link_local_and_metadata_addresses_are_refused_whatever_the_setting_says(
    facility: Facility, url: str
) -> None:
    allow_private_networks(facility)

    refused = make(facility, url)

    assert (refused.status_code, refused.json.get("details")) == (400, [NEVER])


def test_plain_http_is_for_private_networks_and_both_are_allowed_together(facility: Facility) -> None:
    refused = make(facility, "http://93.184.216.34/")
    allow_private_networks(facility)
    allowed = [
        make(facility, url) for url in ("http://127.0.0.1:9/", "https://localhost/", "http://10.0.0.7/")
    ]

    assert refused.json["details"] == [PLAIN]
    assert [answer.status_code for answer in allowed] == [201] * 3


def test_a_name_that_nobody_knows_yet_is_accepted_and_one_that_leads_inside_is_not(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {"inside.example": ["93.184.216.34", "10.0.0.7"]}

    def look_up(host: str, port: int, **_options: Any) -> list[Any]:
        if host not in known:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)

    assert make(facility, "https://later.example/").status_code == 201
    assert make(facility, "https://inside.example/").json["details"] == [PRIVATE]


@pytest.mark.parametrize("url", [
    "ftp://93.184.216.34/", "//93.184.216.34/", "https://", "https:///x", "https://a:b@93.184.216.34/",
    "https://93.184.216.34:99999/", "https://93.184.216.34/\u0000", "https://93.184.216.34/\r\nHost: x",
    "https://127.0.0.1\\@93.184.216.34/", "https://\ud800/", "https://b\u00fccher.example/",
    "javascript:alert(1)", "file:///etc/passwd", f"https://{'a' * 64}.example/", "https://a..b/",
])  # fmt: skip
def test_what_is_no_address_is_refused(facility: Facility, url: str) -> None:
    refused = make(facility, url)

    assert refused.status_code == 400, refused.text
    assert refused.json.get("details", [UNREADABLE]) == [UNREADABLE]


@pytest.mark.parametrize(
    ("url", "events"),
    [
        (PUBLIC, []), (PUBLIC, ["order.deleted"]), (PUBLIC, "order.submitted"), (PUBLIC, [1]), (PUBLIC, None),
        (PUBLIC, [["order.submitted"]]), (PUBLIC, ["run.failed"] * 8), (None, ["run.failed"]),
        ("", ["run.failed"]), (7, ["run.failed"]), (f"https://93.184.216.34/{'a' * 2048}", ["run.failed"]),
    ],
)  # fmt: skip
def test_rubbish_is_refused_and_makes_nothing(facility: Facility, url: object, events: object) -> None:
    assert make(facility, url, events).status_code == 400
    assert facility.admin.get(WEBHOOKS).json == {"webhooks": []}


def test_a_facility_has_twenty_webhooks_and_no_more(facility: Facility) -> None:
    made = [make(facility).status_code for _ in range(limits.WEBHOOKS_MAX + 1)]

    assert made == [201] * limits.WEBHOOKS_MAX + [409]


def test_what_there_is_not_is_not_found(facility: Facility) -> None:
    webhook = make(facility).json["webhook"]["id"]
    nothing = {"error": "Webhook not found"}

    assert facility.admin.delete(f"{WEBHOOKS}/none").json == nothing
    assert facility.admin.get(f"{WEBHOOKS}/none/deliveries").json == nothing
    assert facility.admin.post(f"{WEBHOOKS}/none/deliveries/none/retry").json == nothing
    again = facility.admin.post(f"{WEBHOOKS}/{webhook}/deliveries/none/retry")
    assert (again.status_code, again.json) == (404, {"error": "Delivery not found"})
