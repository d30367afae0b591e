"""The pages that people see: one document for every address, and the files that it loads.

They are no routes of the API: what is asked for here costs no query and looks at no session.

Decision: G564.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Self

from falcon import Request, Response
from seqfacility_wire.api_docs.resources import REVALIDATED
from seqfacility_wire.caching import ReadyDocument, send_ready, strong_etag
from seqfacility_wire.errors import NotFound

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types workers"
)
"""What the page may do. A worker has the policy of its own file, so the files carry it as well."""

HASH_WORKER_POLICY: Final = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"
"""The one place where WebAssembly runs; it can send nothing anywhere."""

_HASH_WORKER: Final = re.compile(r"/assets/hash_worker-[\w-]+\.js")
_IMMUTABLE: Final = "public, max-age=31536000, immutable"
"""The name of an asset has a hash of its content."""

_HTML: Final = "text/html; charset=utf-8"
_MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_NOT_BUILT: Final = b"""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>SeqFacility</title>
<h1>This installation has no pages</h1>
<p>The service runs, and its API works: <a href="/api/docs">/api/docs</a> describes it.</p>
<p>A released wheel carries the pages. An installation from source builds them, unless
<code>SEQFACILITY_WITHOUT_PAGES</code> is set: install again without it, then start the service again.</p>
</html>
"""


@dataclass(frozen=True, slots=True)
class Pages:
    """The document of every address, and the files by their paths; all of it in memory, a few 100 kB."""

    document: ReadyDocument
    files: Mapping[str, ReadyDocument]
    policy: str | None = POLICY

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read what a build has left in a folder, with the forms that it has compressed."""
        names = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.*") if path.is_file()}
        found = {
            f"/{name}": _file(path)
            for name, path in names.items()
            if path.suffix in _MEDIA_TYPES and not name.startswith(".")
        }
        return cls(ReadyDocument.of(names["index.html"].read_bytes(), _HTML), found)

    @classmethod
    def missing(cls) -> Self:
        """Say how to get pages, under the policy of the API: this page loads nothing."""
        return cls(ReadyDocument.of(_NOT_BUILT, _HTML), {}, policy=None)

    def answer(self, req: Request, resp: Response, **_params: str) -> None:
        """Answer what is no route: a file, the document for who wants a page, or 404 as everywhere.

        `/` is a page for everybody: a person types it into anything.
        """
        path = req.path
        if req.method != "GET":
            raise NotFound
        if path in self.files:
            send_ready(req, resp, self.files[path])
            is_asset = path.startswith("/assets/")
            resp.set_header("Cache-Control", _IMMUTABLE if is_asset else REVALIDATED)
        elif path == "/" or (_is_address(path) and _wants_page(req)):
            send_ready(req, resp, self.document)
            resp.set_header("Cache-Control", REVALIDATED)
            resp.append_header("Vary", "Accept")
        else:
            raise NotFound
        if self.policy is not None:
            resp.set_header(
                "Content-Security-Policy",
                HASH_WORKER_POLICY if _HASH_WORKER.fullmatch(path) else self.policy,
            )


def _is_address(path: str) -> bool:
    """Return whether a path may be a page. The page's own table knows which are, and says so of others."""
    return path.split("/", 2)[1] not in {"api", "assets"}


def _wants_page(req: Request) -> bool:
    """Return whether a browser asks for a page: it names HTML. Programs name nothing, or everything."""
    return "text/html" in (req.get_header("Accept") or "").lower()


def _file(path: Path) -> ReadyDocument:
    content = path.read_bytes()
    zipped, brotli = (
        form.read_bytes() if form.exists() else None
        for form in (path.with_name(f"{path.name}.gz"), path.with_name(f"{path.name}.br"))
    )
    return ReadyDocument(content, _MEDIA_TYPES[path.suffix], strong_etag(content), zipped, brotli)


@cache
def installed() -> Pages:
    """Return the pages of this installation, which a process reads once."""
    folder = Path(str(files(__package__).joinpath("pages")))
    return Pages.read(folder) if (folder / "index.html").exists() else Pages.missing()
