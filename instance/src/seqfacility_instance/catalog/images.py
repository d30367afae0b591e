"""The catalog's images that come with a release, each at an address of this service made of its content."""

import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import urlsplit

from seqfacility_wire.caching import ReadyDocument

from seqfacility_instance.catalog.document import Item

FILE_NAME: Final = "shipped_images.json.gz"
FOLDER: Final = "/api/assets/"
_SVG: Final = "image/svg+xml"
_VIEW_BOX: Final = re.compile(r'<svg [^>]*viewBox="0 0 ([1-9][0-9]*) ([1-9][0-9]*)"')
KEYS: Final = {"image": "imageAsset", "icon": "iconAsset"}


@dataclass(frozen=True, slots=True)
class Asset:
    """An image of this service: the name that its content has here, and its size in pixels."""

    name: str
    width: int
    height: int

    def shape(self) -> dict[str, object]:
        """Write where a page of this service finds the image. Decision: G529."""
        return {"path": f"{FOLDER}{self.name}", "width": self.width, "height": self.height}


@dataclass(frozen=True, slots=True)
class Image(Asset):
    """An image that came with the release, and the content to send."""

    document: ReadyDocument


@cache
def shipped_images() -> Mapping[str, Image]:
    """Read the shipped images, by the path that the public registry has for each. Decision: G529."""
    packed = files(__package__).joinpath(FILE_NAME).read_bytes()
    texts: dict[str, str] = json.loads(gzip.decompress(packed))
    return {path: _image(text) for path, text in texts.items()}


@cache
def images_by_name() -> Mapping[str, Image]:
    """Return the shipped images, by the name that each has at this service."""
    return {image.name: image for image in shipped_images().values()}


def with_assets(item: Item, fetched: Mapping[str, Asset]) -> Item:
    """Tell of the images of an item that are here; what a registry says under our keys counts for nothing.

    One of the release is known by its path at the registry, whichever mirror or host the catalog came from;
    one that was `fetched` by its whole address.

    Decision: G529, G586.
    """
    rest = {key: value for key, value in item.items() if key not in KEYS.values()}
    for key, shown_as in KEYS.items():
        address = item.get(key)
        asset = find_asset(address, fetched)
        if asset is not None:
            rest[shown_as] = asset.shape()
    return rest


def find_asset(address: object, fetched: Mapping[str, Asset]) -> Asset | None:
    """Find the local image for an address of a catalog. Decision: G529, G586."""
    return find_shipped(address) or (fetched.get(address) if isinstance(address, str) else None)


def find_shipped(address: object) -> Image | None:
    """Find the image of the release that a catalog names, by its path. Decision: G529."""
    if not isinstance(address, str):
        return None
    try:
        return shipped_images().get(urlsplit(address).path)
    except ValueError:
        return None


def _image(text: str) -> Image:
    content = text.encode()
    size = _VIEW_BOX.search(text)
    assert size is not None, "a test holds this for every shipped image"
    name = f"{hashlib.sha256(content).hexdigest()}.svg"
    return Image(name, int(size[1]), int(size[2]), ReadyDocument.of(content, _SVG))
