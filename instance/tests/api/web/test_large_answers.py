"""Large answers: a form for slow lines, and 304 for who polls."""

import gzip
import json
import re

import pytest
from seqfacility_instance.middleware import SECRET_PATHS
from seqfacility_schemas import load_schema, routes
from seqfacility_testkit.facility import Facility


@pytest.fixture
def samples(facility: Facility) -> str:
    order_id = facility.researcher.post("/api/orders", {}).json["order"]["id"]
    path = f"/api/orders/{order_id}/samples"
    rows = [{"sampleAlias": f"lake-{number}"} for number in range(20)]
    assert facility.researcher.post(path, {"samples": rows}).status_code == 200
    return path


def test_who_holds_an_answer_is_told_that_it_is_still_the_same(facility: Facility, samples: str) -> None:
    first = facility.researcher.get(samples)
    tag = first.headers["etag"]

    again = facility.researcher.get(samples, headers={"If-None-Match": tag})
    facility.researcher.post(samples, {"samples": [{"sampleAlias": "new"}]})
    changed = facility.researcher.get(samples, headers={"If-None-Match": tag})

    assert tag.startswith('W/"')
    assert first.headers["cache-control"] == again.headers["cache-control"] == "no-store"
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert changed.status_code == 200
    assert changed.headers["etag"] != tag
    assert len(changed.json["samples"]) == 21


def test_an_answer_comes_as_gzip_to_who_asks_for_it(facility: Facility, samples: str) -> None:
    plain = facility.researcher.get(samples)
    packed = facility.researcher.get(samples, headers={"Accept-Encoding": "gzip, br"})
    saved = facility.researcher.request(
        "POST", samples, json={"samples": []}, headers={"Accept-Encoding": "gzip"}
    )

    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == saved.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert int(packed.headers["content-length"]) == len(packed.content) < len(plain.content)
    assert packed.headers["etag"] == plain.headers["etag"]
    assert len(json.loads(gzip.decompress(saved.content))["samples"]) == 20
    assert "etag" not in saved.headers
    head = facility.researcher.request("HEAD", samples, headers={"Accept-Encoding": "gzip"})
    assert (head.content, head.headers["content-length"]) == (b"", packed.headers["content-length"])


def test_small_answers_and_refusals_stay_as_they_are(facility: Facility) -> None:
    for client, path in ((facility.anonymous, "/api/health"), (facility.anonymous, "/api/orders")):
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert not {"etag", "vary", "content-encoding"} & set(answer.headers), path


def test_an_answer_with_a_secret_is_not_compressed(facility: Facility) -> None:
    for number in range(20):
        assert facility.admin.post("/api/admin/invites", {}).status_code == 201, number

    invites = facility.admin.get("/api/admin/invites", headers={"Accept-Encoding": "gzip"})

    assert len(invites.content) > 1024
    assert not {"etag", "content-encoding"} & set(invites.headers)


def test_every_answer_with_a_secret_stands_where_nothing_is_compressed() -> None:
    named = re.compile(r'"(code|token|link|secret|[a-z]*Password|[a-z]*Token|[a-z]*Secret)":')
    secret = {
        path.replace("_id}", "_id:id}")  # as our URL table has it
        for (_method, path, _status), name in routes("instance").items()
        if name != "-" and named.search(json.dumps(load_schema(name).get("properties", {})))
    }

    assert "/api/admin/invites" in secret
    assert [path for path in secret if not path.startswith(SECRET_PATHS)] == []
