"""Links to a delivery: who makes them, what they open, and how they end."""

import hashlib
import io
import logging
import re
import zipfile
from datetime import timedelta

import pytest
from falcon.testing import Result
from seqfacility_instance.tables.all_tables import ALL_TABLES
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import AuditEvent, User
from seqfacility_instance.tables.sequencing import DeliveryLink, Read, SequencingArtifact
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, submitted_order, upload

GONE = (404, {"error": "This delivery link is not valid, or not any more"})
LISTS = ("", "urls.txt", "aria2.txt", "checksums.md5", "manifest.tsv", "files/")
ALL = (*LISTS, "archive.zip", "files/soil_R1.fastq")


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    """Return an order with released files: a pair of cleaned reads, and a report; a raw read is withheld."""
    order = submitted_order(facility, samples=2)
    cleaned: dict[str, object] = {"metadata": {"dataClass": "cleaned"}}
    upload(facility, order, **cleaned)
    upload(facility, order, FASTQ * 1000, targetRole="R2", originalName="Erde ü_R2.fastq", **cleaned)
    upload(facility, order, sampleId=order.sample_ids[1])
    upload(
        facility,
        order,
        b"<html>",
        targetKind="artifact",
        targetRole="delivery_report",
        sampleId=None,
        originalName="report.html",
        metadata={"visibility": "customer"},
    )
    facility.services.worker.tick(facility.clock.now())
    release(facility, order)
    return order


def release(facility: Facility, order: OrderInHand) -> None:
    assert facility.admin.put(f"/api/orders/{order.id}/sequencing/delivery/publication").status_code == 200


def links_of(order: OrderInHand) -> str:
    return f"/api/orders/{order.id}/delivery/links"


def make(client: Client, order: OrderInHand, **body: object) -> Result:
    answer = client.post(links_of(order), body)
    assert answer.status_code == 201, answer.text
    return answer


def place(made: Result) -> str:
    """Return the path of a new link."""
    return "/d/" + made.json["url"].partition("/d/")[2]


def refusal(answer: Result) -> tuple[int, object]:
    return answer.status_code, answer.json


def test_a_link_opens_exactly_what_the_owner_may_download(facility: Facility, order: OrderInHand) -> None:
    for maker in (facility.researcher, facility.admin):
        base = place(make(maker, order))

        names = [
            url.rpartition("/")[2] for url in facility.anonymous.get(f"{base}urls.txt").text.splitlines()
        ]
        got = {name: facility.anonymous.get(f"{base}files/{name}").content for name in names}
        with zipfile.ZipFile(io.BytesIO(facility.anonymous.get(f"{base}archive.zip").content)) as archive:
            packed = {name: archive.read(name) for name in archive.namelist()}

        assert got == {"soil_R1.fastq": FASTQ, "Erde_u_R2.fastq": FASTQ * 1000, "report.html": b"<html>"}
        assert packed == got


def test_the_lists_say_the_same_to_each_tool(facility: Facility, order: OrderInHand) -> None:
    url = make(facility.researcher, order).json["url"]
    base = "/d/" + url.partition("/d/")[2]

    def text(name: str) -> list[str]:
        return facility.anonymous.get(f"{base}{name}").text.splitlines()

    md5 = hashlib.md5(FASTQ, usedforsecurity=False).hexdigest()
    assert f"{url}files/soil_R1.fastq" in text("urls.txt")
    assert f"{md5}  soil_R1.fastq" in text("checksums.md5")
    at = text("aria2.txt").index(f"{url}files/soil_R1.fastq")
    assert text("aria2.txt")[at + 1 : at + 3] == ["  out=soil_R1.fastq", f"  checksum=md5={md5}"]
    assert len(text("urls.txt")) == len(text("checksums.md5")) == len(text("manifest.tsv")) - 1 == 3
    for page in ("", "files/"):
        shown = facility.anonymous.get(f"{base}{page}")
        assert 'soil_R1.fastq">soil_R1.fastq</a>' in shown.text
        assert shown.headers["referrer-policy"] == "no-referrer"
        assert shown.headers["x-robots-tag"] == "noindex, nofollow"
        assert 'href="/' not in shown.text, "addresses are relative"
        assert "://" not in shown.text, "addresses are relative"


def test_a_part_is_a_part_of_the_whole_and_a_head_tells_the_size(
    facility: Facility, order: OrderInHand
) -> None:
    base = place(make(facility.researcher, order))

    for name in ("archive.zip", "files/Erde_u_R2.fastq"):
        whole = facility.anonymous.get(base + name)
        rest = facility.anonymous.get(
            base + name, headers={"Range": "bytes=100-", "If-Range": whole.headers["etag"]}
        )
        head = facility.anonymous.request("HEAD", base + name)
        beyond = facility.anonymous.get(base + name, headers={"Range": f"bytes={len(whole.content)}-"})

        assert (rest.status_code, rest.content) == (206, whole.content[100:])
        assert (head.headers["content-length"], head.content) == (str(len(whole.content)), b"")
        assert refusal(beyond) == (416, {"error": "Range not satisfiable"})


def test_a_link_is_listed_without_its_token_and_in_no_row(facility: Facility, order: OrderInHand) -> None:
    made = make(facility.researcher, order, days=30)
    token = place(made).split("/")[2]
    facility.anonymous.get(place(made))

    (listed,) = facility.admin.get(links_of(order)).json["links"]
    rows = [row for table in ALL_TABLES for row in table.select().tuples()]

    assert {**made.json["link"], "lastUsedAt": listed["lastUsedAt"]} == listed
    assert listed["lastUsedAt"] is not None
    assert DeliveryLink.get().expires_at - DeliveryLink.get().created_at == timedelta(days=30)
    assert len(token) == 43
    assert token not in repr(rows)


def test_nobody_else_makes_sees_or_revokes_a_link(facility: Facility, order: OrderInHand) -> None:
    link = make(facility.researcher, order).json["link"]["id"]
    stranger = facility.other_researcher

    for answer in (
        stranger.get(links_of(order)),
        stranger.post(links_of(order), {}),
        stranger.delete(f"{links_of(order)}/{link}"),
    ):
        assert refusal(answer) == (403, {"error": "Forbidden"})


@pytest.mark.parametrize("days", [0, 31, "7", 1.5, True])
def test_a_link_lives_from_one_to_thirty_days(facility: Facility, order: OrderInHand, days: object) -> None:
    answer = facility.researcher.post(links_of(order), {"days": days})

    assert (answer.status_code, answer.json["error"]) == (400, "Validation failed")
    assert answer.json["details"][0].startswith("days: ")


def test_what_is_not_released_has_no_link(facility: Facility) -> None:
    order = submitted_order(facility)

    for client in (facility.researcher, facility.admin):
        answer = client.post(links_of(order), {})
        assert refusal(answer) == (409, {"error": "No files of this order have been released"})


def test_an_order_has_so_many_open_links_and_revoking_makes_room(
    facility: Facility, order: OrderInHand
) -> None:
    first = make(facility.researcher, order).json["link"]["id"]
    for _ in range(19):
        make(facility.researcher, order)

    refused = facility.researcher.post(links_of(order), {})
    facility.researcher.delete(f"{links_of(order)}/{first}")

    assert refusal(refused) == (
        409,
        {"error": "An order has at most 20 open delivery links; revoke one first"},
    )
    make(facility.researcher, order)


def revoke(facility: Facility, order: OrderInHand, link_id: str) -> None:
    assert facility.admin.delete(f"{links_of(order)}/{link_id}").json == {"success": True}
    assert facility.admin.delete(f"{links_of(order)}/{link_id}").status_code == 404


def expire(facility: Facility, _order: OrderInHand, _link_id: str) -> None:
    facility.clock.advance(timedelta(days=7))


def withdraw(facility: Facility, order: OrderInHand, _link_id: str) -> None:
    facility.services.database.connect(reuse_if_open=True)
    facility.admin.delete(f"/api/orders/{order.id}/sequencing/delivery/publication")


def give_away(facility: Facility, order: OrderInHand, _link_id: str) -> None:
    Order.update(user=facility.other_researcher_id).where(Order.id == order.id).execute()


def deactivate(facility: Facility, _order: OrderInHand, _link_id: str) -> None:
    User.update(is_active=False).where(User.id == facility.researcher_id).execute()


@pytest.mark.parametrize("end", [revoke, expire, withdraw, give_away, deactivate])
def test_whatever_ends_a_link_ends_it_at_once_and_like_one_that_never_was(
    facility: Facility, order: OrderInHand, end: object
) -> None:
    made = make(facility.researcher, order)
    assert facility.anonymous.get(place(made)).status_code == 200
    assert callable(end)

    end(facility, order, made.json["link"]["id"])

    for name in ALL:
        assert refusal(facility.anonymous.get(place(made) + name)) == GONE
        assert refusal(facility.anonymous.get(f"/d/{'A' * 43}/{name}")) == GONE


def test_the_last_moment_of_a_link_is_before_its_end(facility: Facility, order: OrderInHand) -> None:
    made = make(facility.researcher, order, days=1)
    facility.clock.advance(timedelta(days=1, seconds=-30))

    assert facility.anonymous.get(place(made)).status_code == 200


def test_a_single_file_that_is_taken_back_is_gone_at_once(facility: Facility, order: OrderInHand) -> None:
    base = place(make(facility.researcher, order))
    Read.update(is_active=False).execute()

    missing = facility.anonymous.get(f"{base}files/soil_R1.fastq")

    assert refusal(missing) == (404, {"error": "There is no such file in this delivery"})
    assert "soil" not in facility.anonymous.get(f"{base}urls.txt").text
    assert facility.anonymous.get(f"{base}files/report.html").content == b"<html>"


@pytest.mark.parametrize("name", ["", "..", "soil_R1.fastq%00", "%2e%2e%2fsecret.key", "reads%2Fsoil", "ü"])
def test_a_name_that_is_not_listed_is_no_file(facility: Facility, order: OrderInHand, name: str) -> None:
    base = place(make(facility.researcher, order))

    assert facility.anonymous.get(f"{base}files/{name}").status_code == (200 if name == "" else 404)


@pytest.mark.parametrize(
    "name",
    [
        "a\nhttp://elsewhere.test/b.txt",
        "<script>alert(1)</script>.html",
        "a\r\n  out=.bashrc",
        "../../etc/passwd",
        "-rf",
        ".bashrc",
        'a" onclick="b.txt',
        "日本語",
        "x" * 255,
    ],
)
def test_a_hostile_name_is_a_plain_one_everywhere(facility: Facility, order: OrderInHand, name: str) -> None:
    SequencingArtifact.update(original_name=name).execute()
    base = place(make(facility.researcher, order))

    urls = facility.anonymous.get(f"{base}urls.txt").text.splitlines()
    names = [url.rpartition("/")[2] for url in urls]

    assert len(urls) == 3
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,254}", part) for part in names)
    assert "<script>" not in facility.anonymous.get(base).text
    assert facility.anonymous.get(f"{base}aria2.txt").text.count("out=") == 3
    for part in names:
        assert facility.anonymous.get(f"{base}files/{part}").status_code == 200


def test_two_files_of_one_name_have_two(facility: Facility, order: OrderInHand) -> None:
    SequencingArtifact.update(original_name="SOIL_r1.fastq").execute()
    base = place(make(facility.researcher, order))

    names = [url.rpartition("/")[2] for url in facility.anonymous.get(f"{base}urls.txt").text.splitlines()]

    assert len({name.casefold() for name in names}) == 3
    assert {facility.anonymous.get(f"{base}files/{name}").content for name in names} == {
        FASTQ,
        FASTQ * 1000,
        b"<html>",
    }


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_address_without_its_slash_leads_to_the_page(
    facility: Facility, order: OrderInHand, caplog: pytest.LogCaptureFixture, method: str
) -> None:
    page = place(make(facility.researcher, order))
    caplog.set_level(logging.DEBUG, "seqfacility.http")

    answer = facility.anonymous.request(method, page.rstrip("/"), headers={"Accept": "text/html"})

    assert (answer.status_code, answer.headers["location"], answer.content) == (308, page, b"")
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-robots-tag"] == "noindex, nofollow"
    assert "/d/[hidden] 308" in caplog.text
    assert page.strip("/").split("/")[1] not in caplog.text


@pytest.mark.parametrize(
    "token", ["%0d%0aSet-Cookie:%20a=b", "..", "%2f%2felsewhere.test", "%5celsewhere.test", "ü"]
)
def test_whatever_is_in_place_of_a_token_leads_nowhere_else(facility: Facility, token: str) -> None:
    answer = facility.anonymous.get(f"/d/{token}", headers={"Accept": "*/*"})

    assert answer.status_code in {308, 404}
    assert re.fullmatch(r"/d/[A-Za-z0-9%._-]+/", answer.headers.get("location", "/d/none/"))
    assert "set-cookie" not in answer.headers


def test_who_guesses_has_to_wait_and_who_holds_an_ended_link_guesses_not(
    facility: Facility, order: OrderInHand
) -> None:
    made = make(facility.researcher, order)
    facility.researcher.delete(f"{links_of(order)}/{made.json['link']['id']}")

    ended = {facility.anonymous.get(place(made)).status_code for _ in range(300)}
    guessed = [facility.anonymous.get(f"/d/guess-{number}/").status_code for number in range(300)]

    assert ended == {404}
    assert guessed[0] == 404
    assert guessed[-1] == 429
    assert "retry-after" in facility.anonymous.get("/d/guess/").headers


def test_the_audit_has_one_line_a_file_and_hour_however_many_parts(
    facility: Facility, order: OrderInHand
) -> None:
    made = make(facility.researcher, order)
    link_id = made.json["link"]["id"]

    for start in (0, 5, 10):
        facility.anonymous.get(f"{place(made)}files/soil_R1.fastq", headers={"Range": f"bytes={start}-"})
    facility.anonymous.get(f"{place(made)}archive.zip")
    facility.anonymous.get(f"{place(made)}urls.txt")
    facility.researcher.delete(f"{links_of(order)}/{link_id}")
    facility.anonymous.get(place(made))

    events = list(AuditEvent.select().where(AuditEvent.object_id == link_id).order_by(AuditEvent.at))
    order_number = Order.get_by_id(order.id).order_number
    assert [event.action for event in events] == [
        "delivery-link-made",
        "downloaded",
        "downloaded",
        "downloaded",
        "delivery-link-revoked",
    ]
    assert [event.actor_id for event in events] == [
        facility.researcher_id,
        None,
        None,
        None,
        facility.researcher_id,
    ]
    assert {event.detail["order"] for event in events} == {order_number}
    assert place(made).split("/")[2] not in repr([event.detail for event in events])


def test_a_head_is_noted_as_a_look_at_the_listing_and_hides_no_download(
    facility: Facility, order: OrderInHand
) -> None:
    made = make(facility.researcher, order)
    downloaded = (AuditEvent.action == "downloaded") & (AuditEvent.object_id == made.json["link"]["id"])

    def noted() -> list[object]:
        events = AuditEvent.select().where(downloaded).order_by(AuditEvent.at)
        return [{**event.detail, "order": ""} for event in events]

    for name in ("files/soil_R1.fastq", "archive.zip"):
        assert facility.anonymous.request("HEAD", place(made) + name).status_code == 200
    looked = {"order": "", "what": "listing"}
    assert noted() == [looked]
    assert DeliveryLink.get().last_used_at is not None
    for name in ("files/soil_R1.fastq", "archive.zip"):
        assert facility.anonymous.get(place(made) + name).status_code == 200

    (_looked, file, archive) = noted()
    assert isinstance(file, dict)
    assert file["path"].endswith("soil_R1.fastq")
    assert archive == {"order": "", "what": "archive"}


def test_no_line_of_the_log_has_a_token(
    facility: Facility, order: OrderInHand, caplog: pytest.LogCaptureFixture
) -> None:
    made = make(facility.researcher, order)
    caplog.set_level(logging.DEBUG, "seqfacility.http")

    for name in (*ALL, "nothing/at/all"):
        facility.anonymous.get(place(made) + name)

    assert "/d/[hidden]/files/soil_R1.fastq" in caplog.text
    assert place(made).split("/")[2] not in caplog.text


def test_a_link_that_ended_long_ago_is_forgotten(facility: Facility, order: OrderInHand) -> None:
    make(facility.researcher, order, days=1)

    facility.clock.advance(timedelta(days=30))
    facility.services.worker.tick(facility.clock.now())
    kept = DeliveryLink.select().count()
    facility.clock.advance(timedelta(days=2))
    facility.services.worker.tick(facility.clock.now())

    assert (kept, DeliveryLink.select().count()) == (1, 0)
