"""The images of a catalog are fetched when it is synced, checked, and kept here."""

import hashlib
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.tables.site import CatalogImage
from seqfacility_testkit.facility import ADMIN, Client, Facility
from seqfacility_testkit.pictures import jpeg, png, webp
from seqfacility_testkit.registry import StandInRegistry

CATALOG = "/api/admin/sequencing-tech"
SOURCE = "/api/registry/sequencing-tech"
PICTURES = {"/i/a.png": png(3, 2), "/i/b.jpg": jpeg(30, 20), "/i/c.webp": webp("extended", 300, 200)}
NO_IMAGE = "is no PNG, JPEG or WebP image of a sensible size"


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandInRegistry]:
    """Return a registry; it stands before `facility` in a test, which reads its address when it opens."""
    with StandInRegistry() as registry:
        monkeypatch.setenv("SERVICE_API_URL", registry.base_url)
        yield registry


def publish(registry: StandInRegistry, version: int, **images: str) -> None:
    devices = [
        {"id": name, "name": name, "available": True, "image": address} for name, address in images.items()
    ]
    config = {"version": version, "technologies": [], "devices": devices}
    registry.answers[SOURCE] = json.dumps({"config": config}).encode()


def sync(facility: Facility, admin: Client | None = None) -> dict[str, Any]:
    answer = (admin or facility.admin).post(CATALOG, {"action": "apply-updates"})
    assert answer.status_code == 200, answer.text
    return dict(answer.json)


def asset(facility: Facility, device: str) -> dict[str, Any] | None:
    devices = facility.anonymous.get("/api/sequencing-tech").json["devices"]
    return next((one.get("imageAsset") for one in devices if one["id"] == device), None)


def said(answer: dict[str, Any]) -> dict[str, str]:
    return {one["id"]: one["reason"] for one in answer["warnings"]}


def test_images_come_with_the_sync_and_are_shown_from_here(
    registry: StandInRegistry, facility: Facility
) -> None:
    registry.answers |= PICTURES
    publish(registry, 7, a="/i/a.png", b="/i/b.jpg", c=registry.url("/i/c.webp"))

    answer = sync(facility)
    registry.stop()

    assert (answer["applied"], answer["warnings"]) == (True, [])
    for device, (path, content) in zip("abc", PICTURES.items(), strict=True):
        ending = path.rpartition(".")[2]
        shown = asset(facility, device)
        assert shown is not None
        assert shown["path"] == f"/api/assets/{hashlib.sha256(content).hexdigest()}.{ending}"
        assert shown["width"] * 2 == shown["height"] * 3
        got = facility.anonymous.get(shown["path"])
        again = facility.anonymous.get(shown["path"], headers={"If-None-Match": got.headers["etag"]})
        assert (got.content, again.status_code) == (content, 304)
        assert got.headers["content-type"] == {"jpg": "image/jpeg"}.get(ending, f"image/{ending}")
        assert got.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert got.headers["x-content-type-options"] == "nosniff"
        assert got.headers["content-security-policy"].endswith("; sandbox")
        assert "content-encoding" not in got.headers


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be fetched: "),
        (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script/></svg>', NO_IMAGE),
        (b"<html>not found</html>", NO_IMAGE),
        (png(5000, 1), NO_IMAGE),
        (png() + bytes(limits.IMAGE_MAX_BYTES), "cannot be fetched: "),
    ],
)
def test_a_bad_image_is_a_line_of_the_report_and_fails_nothing(
    registry: StandInRegistry, facility: Facility, content: bytes | None, reason: str
) -> None:
    registry.answers["/i/a.png"] = png()
    if content is not None:
        registry.answers["/i/bad.png"] = content
    publish(registry, 7, bad="/i/bad.png", good="/i/a.png")

    answer = sync(facility)

    assert answer["applied"] is True
    assert list(said(answer)) == ["bad"]
    assert said(answer)["bad"].startswith(f"image: {reason}")
    assert asset(facility, "bad") is None
    assert asset(facility, "good") is not None


def test_nothing_is_fetched_from_anywhere_but_the_registry(
    registry: StandInRegistry, facility: Facility
) -> None:
    with StandInRegistry() as elsewhere:
        elsewhere.answers |= PICTURES
        registry.moved |= {"/i/out.png": elsewhere.url("/i/a.png"), "/i/in.png": "/i/a.png"}
        registry.answers |= PICTURES
        publish(registry, 7, out="/i/out.png", within="/i/in.png", other=elsewhere.url("/i/a.png"))

        answer = sync(facility)

        assert set(said(answer)) == {"out", "other"}
        assert said(answer)["other"] == "image: is not at the registry"
        assert asset(facility, "within") is not None
        assert elsewhere.asked == []


def test_an_image_that_is_gone_for_a_while_keeps_its_copy_and_a_new_one_takes_its_place(
    registry: StandInRegistry, facility: Facility
) -> None:
    registry.answers["/i/a.png"] = png(3, 2)
    publish(registry, 7, a="/i/a.png")
    sync(facility)
    before = asset(facility, "a")

    del registry.answers["/i/a.png"]
    missing = sync(facility)
    kept = asset(facility, "a")
    registry.answers["/i/a.png"] = png(3, 2, shade=9)
    sync(facility)
    after = asset(facility, "a")

    assert (missing["applied"], list(said(missing))) == (False, ["a"])
    assert before is not None
    assert kept == before != after
    assert facility.anonymous.get(before["path"]).status_code == 404


def test_an_image_that_no_catalog_named_for_long_goes_and_one_in_use_stays(
    registry: StandInRegistry, facility: Facility
) -> None:
    registry.answers |= PICTURES
    publish(registry, 7, a="/i/a.png", b="/i/b.jpg")
    sync(facility)
    publish(registry, 8, a="/i/c.webp")

    sync(facility)  # the catalog keeps `b`, and with it its image
    facility.clock.advance(limits.IMAGE_UNUSED_KEPT + timedelta(days=1))
    sync(facility, facility.sign_in(ADMIN))

    assert {row.address.rpartition("/")[2] for row in CatalogImage.select()} == {"b.jpg", "c.webp"}
    assert asset(facility, "b") is not None


def test_of_very_many_images_the_first_are_fetched_and_no_more(
    registry: StandInRegistry, facility: Facility
) -> None:
    count = limits.IMAGES_MAX + 3
    registry.answers |= {f"/i/{number}.png": png(shade=number % 256) for number in range(count)}
    publish(registry, 7, **{f"d{number}": f"/i/{number}.png" for number in range(count)})

    answer = sync(facility)

    assert set(said(answer).values()) == {"image: is one of too many images"}
    assert len(said(answer)) == 3
    assert CatalogImage.select().count() == limits.IMAGES_MAX


@pytest.mark.parametrize(
    "name", ["0" * 64 + ".png", "A" * 64 + ".png", "0" * 64 + ".gif", "0" * 63 + "%00.png"]
)
def test_what_is_not_kept_is_not_found(facility: Facility, name: str) -> None:
    assert facility.anonymous.get(f"/api/assets/{name}").status_code == 404
