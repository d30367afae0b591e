"""Install profiles: list, entry, resolve, codes and secrets."""

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

CODE = "ip1-a-code-of-sufficient-length"
SECRET = "a-weblog-secret-nobody-may-read"
WRONG = "a-wrong-code-of-sufficient-length"
BASE = "https://registry.example/api/install-profiles"


def _bearer(code: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {code}"}


def _post(registry: Any, body: str) -> Any:
    return registry.client.simulate_post("/api/install-profiles/guarded/resolve", body=body)


def test_the_list_gives_the_enabled_profiles_by_id(registry: Any) -> None:
    answer = registry.get("/install-profiles")

    assert [row["id"] for row in answer.json["profiles"]] == ["guarded", "open"]
    assert answer.json["profiles"][0]["resolveUrl"] == f"{BASE}/guarded/resolve"
    assert answer.headers["cache-control"] == "public, max-age=300"


@pytest.mark.parametrize(("name", "tail"), [("open", ""), ("guarded", " --access-code-stdin")])
def test_an_entry_names_the_command_that_installs_it(registry: Any, name: str, tail: str) -> None:
    answer = registry.get(f"/install-profiles/{name}")

    assert answer.json["installCommand"] == f"seqfacility init --profile {BASE}/{name}/resolve{tail}"
    assert answer.headers["cache-control"] == "public, max-age=300"


@pytest.mark.parametrize("name", ["unknown", "retired", "a.b", "..", "guarded%0A", "%00"])
@pytest.mark.parametrize("tail", ["", "/resolve"])
def test_an_unknown_or_disabled_profile_is_not_found(registry: Any, name: str, tail: str) -> None:
    answer = registry.get(f"/install-profiles/{name}{tail}", headers=_bearer(CODE))

    assert (answer.status_code, answer.json) == (404, {"error": "Install profile not found"})
    assert answer.headers["cache-control"] == "no-store"


def test_not_found_comes_before_the_body_is_read(registry: Any) -> None:
    answer = registry.client.simulate_post("/api/install-profiles/unknown/resolve", body="{")

    assert answer.json == {"error": "Install profile not found"}


def test_resolve_by_bearer_and_by_body_give_the_same_with_the_secret_in_its_place(registry: Any) -> None:
    by_header = registry.get("/install-profiles/guarded/resolve", headers=_bearer(CODE))
    by_body = _post(registry, json.dumps({"accessCode": CODE}))

    assert by_header.json == by_body.json
    assert by_header.json["settings"]["execution"] == {"defaultBackend": "slurm", "weblogSecret": SECRET}
    assert by_header.json["requiredSecrets"] == [
        {"name": "weblogSecret", "path": "settings.execution.weblogSecret"}
    ]
    for answer in (by_header, by_body):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-disposition"] == 'attachment; filename="guarded-1.0.0.json"'
        assert "etag" not in answer.headers


def test_a_profile_without_code_is_resolved_by_anybody(registry: Any) -> None:
    answer = registry.get("/install-profiles/open/resolve")

    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="open-1.0.0.json"'
    assert SECRET not in answer.text


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", f"Bearer {WRONG}", f"Basic {CODE}", CODE, "Bearer short"]
)
def test_a_wrong_or_missing_bearer_code_is_refused(registry: Any, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}

    answer = registry.get("/install-profiles/guarded/resolve", headers=headers)

    assert (answer.status_code, answer.json) == (401, {"error": "Invalid access code"})
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "body",
    ["", "{}", '{"accessCode": null}', '{"accessCode": 7}', '{"accessCode": ""}', '{"accessCode": "x"}'],
)
def test_a_wrong_or_missing_code_in_the_body_is_refused(registry: Any, body: str) -> None:
    answer = _post(registry, body)

    assert (answer.status_code, answer.json) == (401, {"error": "Invalid access code"})


@pytest.mark.parametrize(
    ("body", "text"),
    [("{", "Invalid JSON body"), ("NaN", "Invalid JSON body"), ("[]", "Request body must be a JSON object")],
)
def test_a_body_that_is_no_json_object_is_refused(registry: Any, body: str, text: str) -> None:
    answer = _post(registry, body)

    assert (answer.status_code, answer.json) == (400, {"error": text})


def test_a_body_of_exactly_4_kib_is_read(registry: Any) -> None:
    answer = _post(registry, json.dumps({"accessCode": CODE}).ljust(4096))

    assert answer.status_code == 200


def test_a_body_beyond_4_kib_is_refused(registry: Any) -> None:
    answer = _post(registry, json.dumps({"accessCode": CODE}).ljust(4097))

    assert (answer.status_code, answer.json) == (413, {"error": "Request body is too large"})


def test_after_ten_wrong_codes_the_right_one_is_refused_too_until_the_window_has_passed(
    registry: Any,
) -> None:
    for _ in range(10):
        assert registry.get("/install-profiles/guarded/resolve", headers=_bearer(WRONG)).status_code == 401

    registry.clock.now += 60
    answer = registry.get("/install-profiles/guarded/resolve", headers=_bearer(CODE))
    registry.clock.now += 14 * 60
    later = registry.get("/install-profiles/guarded/resolve", headers=_bearer(CODE))

    assert (answer.status_code, answer.json) == (429, {"error": "Too many wrong access codes"})
    assert 14 * 60 <= int(answer.headers["retry-after"]) <= 14 * 60 + 1
    assert later.status_code == 200


def test_nine_wrong_codes_and_any_number_of_missing_ones_leave_the_door_open(registry: Any) -> None:
    for _ in range(9):
        registry.get("/install-profiles/guarded/resolve", headers=_bearer(WRONG))
    for _ in range(20):
        registry.get("/install-profiles/guarded/resolve")

    assert registry.get("/install-profiles/guarded/resolve", headers=_bearer(CODE)).status_code == 200


def test_wrong_codes_of_one_address_do_not_lock_out_another(registry: Any) -> None:
    for _ in range(11):
        registry.get("/install-profiles/guarded/resolve", headers=_bearer(WRONG))

    path = "/install-profiles/guarded/resolve"
    assert registry.get(path, headers=_bearer(CODE)).status_code == 429
    assert registry.get(path, headers=_bearer(CODE), remote_addr="192.0.2.9").status_code == 200


def test_a_declared_secret_without_a_value_makes_the_profile_incomplete(
    start: Callable[[], Any], content: Any
) -> None:
    file = content / "profiles" / "open.json"
    profile = json.loads(file.read_text())
    profile["profile"]["requiredSecrets"] = [{"name": "missing", "path": "settings.execution.weblogSecret"}]
    file.write_text(json.dumps(profile))

    answer = start().get("/install-profiles/open/resolve")

    assert (answer.status_code, answer.json) == (503, {"error": "Install profile is not complete"})


def test_a_broken_profile_spoils_only_itself(start: Callable[[], Any], content: Any) -> None:
    (content / "profiles" / "open.json").write_text('{"enabled": true}')

    registry = start()

    assert registry.get("/install-profiles/open").status_code == 500
    assert registry.get("/install-profiles/open/resolve").status_code == 500
    assert [row["id"] for row in registry.get("/install-profiles").json["profiles"]] == ["guarded"]


def test_no_code_and_no_secret_reaches_a_log(registry: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    registry.get("/install-profiles/guarded/resolve", headers=_bearer(CODE))
    registry.get("/install-profiles/guarded/resolve", headers=_bearer(WRONG))
    registry.get(f"/install-profiles/guarded/resolve?accessCode={CODE}")
    _post(registry, json.dumps({"accessCode": CODE}))

    assert "/api/install-profiles/guarded/resolve" in caplog.text
    assert not any(word in caplog.text for word in (CODE, WRONG, SECRET))
