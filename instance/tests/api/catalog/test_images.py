"""The catalog's images from this service: no page asks the registry for one."""

import hashlib

from seqfacility_instance.catalog.images import images_by_name, shipped_images
from seqfacility_testkit.facility import Facility


def store_shipped(facility: Facility) -> None:
    answer = facility.admin.post("/api/admin/sequencing-tech", {"action": "reset"})
    assert answer.status_code == 200, answer.text


def test_every_image_of_the_shipped_catalog_is_here(facility: Facility) -> None:
    store_shipped(facility)

    catalog = facility.anonymous.get("/api/sequencing-tech").json

    items = [item for listed in catalog.values() for item in listed]
    pictured = [(item, key) for item in items for key in ("image", "icon") if item.get(key)]
    assert len(pictured) > 50
    assert [(item["id"], key) for item, key in pictured if f"{key}Asset" not in item] == []
    assert all(item[key].startswith("http") for item, key in pictured), "the documented keys stay"
    for path in {item[f"{key}Asset"]["path"] for item, key in pictured}:
        answer = facility.anonymous.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
        assert path == f"/api/assets/{hashlib.sha256(answer.content).hexdigest()}.svg"


def test_an_image_is_kept_for_ever_and_runs_nothing(facility: Facility) -> None:
    name = next(iter(images_by_name()))

    answer = facility.anonymous.get(f"/api/assets/{name}")
    again = facility.anonymous.get(f"/api/assets/{name}", headers={"If-None-Match": answer.headers["etag"]})

    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-security-policy"] == (
        "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    )
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (again.status_code, again.content) == (304, b"")


def test_what_is_not_here_is_not_found(facility: Facility) -> None:
    for name in ("0" * 64 + ".svg", "device-miseq.svg", "..", "%2e%2e%2fsecret.key"):
        assert facility.anonymous.get(f"/api/assets/{name}").status_code == 404


def test_only_images_that_are_here_have_an_address_whatever_a_registry_says(facility: Facility) -> None:
    here = next(iter(shipped_images()))
    foreign = {"path": "https://elsewhere.test/x.svg", "width": 1, "height": 1}
    images = {
        "mirror": f"https://mirror.test{here}",
        "other": "https://registry.test/images/catalog/of-tomorrow.svg",
        "broken": "http://[",
    }
    devices = [
        {"id": name, "name": name, "available": True, "image": image, "imageAsset": foreign}
        for name, image in images.items()
    ]
    saved = facility.admin.put("/api/admin/sequencing-tech", {"technologies": [], "devices": devices})
    assert saved.status_code == 200, saved.text

    shown = {item["id"]: item for item in facility.anonymous.get("/api/sequencing-tech").json["devices"]}

    assert shown["mirror"]["imageAsset"] == shipped_images()[here].shape()
    assert shown["mirror"]["image"] == images["mirror"]
    assert not {"imageAsset"} & (shown["other"].keys() | shown["broken"].keys())


def test_every_shipped_image_is_a_drawing_with_a_size_and_without_a_script() -> None:
    for path, image in shipped_images().items():
        text = image.document.content.decode()
        assert path.startswith("/images/catalog/")
        assert image.width > 0 < image.height
        assert not [word for word in ("<script", "href", "<foreignObject", "onload", "<!") if word in text]
