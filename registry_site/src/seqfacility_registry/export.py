"""`export`: every answer that depends on no query and no code, as a web root for any static server."""

from collections.abc import Iterator
from pathlib import Path

from seqfacility_wire.caching import ReadyDocument

from seqfacility_registry.answers import Answer, ContentBroken
from seqfacility_registry.content_folder import Publication
from seqfacility_registry.export_servers import nginx_configuration
from seqfacility_registry.site.resources import HEALTHY
from seqfacility_registry.static_answers import open_profiles, static_answers

DEFAULT_PUBLIC_URL = "http://127.0.0.1:8090/api"
"""Links of an export that names no address: where an instance looks for a registry by itself.

Decision: G225.
"""


class ExportRefused(Exception):
    """The export cannot be written; the text says why in one line."""


def export(publication: Publication, public_url: str, folder: Path) -> int:
    """Write the static mirror into an empty or missing folder; return the number of files.

    Links begin with `public_url`. The same publication and address give the same bytes. Raises
    `ExportRefused` when the folder holds something, or when an answer is broken.

    Decision: G243, G284.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ExportRefused(f"{folder} is not an empty folder")
    files = dict(exported_files(publication, public_url))
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return len(files)


def exported_files(publication: Publication, public_url: str) -> Iterator[tuple[str, bytes]]:
    """Return every file of the mirror with its path below the web root; raises `ExportRefused`.

    Decision: G284.
    """
    for path, answer in static_answers(publication):
        yield f"api/{path}/index.json", _sound(answer, public_url).content
    for path, content in open_profiles(publication):
        yield f"api/{path}/index.json", content
    for name, file in publication.trust.items().items():
        yield f"api/trust/{name}", file.content
    yield "api/health/index.json", HEALTHY
    for place, image in publication.images.items():
        yield f"images/{place}", image.content
    attachments = {
        name: profile.profile().file_name
        for name, profile in publication.install_profiles.profiles.items()
        if profile.is_open
    }
    yield "server/nginx.conf", nginx_configuration(attachments).encode()


def _sound(answer: Answer, public_url: str) -> ReadyDocument:
    try:
        return answer.ready(public_url)
    except ContentBroken as broken:
        raise ExportRefused(f"broken content: {answer.fault(public_url)}") from broken
