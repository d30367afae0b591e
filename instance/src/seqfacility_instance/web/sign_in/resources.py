"""The routes of the page and of its files."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from falcon import HTTP_302, Request, Response
from seqfacility_wire.api_docs.resources import POLICY, REVALIDATED
from seqfacility_wire.caching import ReadyDocument, send_ready

HTML: Final = "text/html; charset=utf-8"
SCRIPT: Final = "text/javascript; charset=utf-8"
STYLE: Final = "text/css; charset=utf-8"


class Entrance:
    """`/`, the address that `up` prints and people type."""

    def on_get(self, _req: Request, resp: Response) -> None:
        """Lead to the sign-in page; relative, because a proxy may have put us below a path.

        Decision: G473.
        """
        resp.status = HTTP_302
        resp.set_header("Location", "sign-in")


@dataclass(frozen=True, slots=True)
class SignInFile:
    """One file of the page: `/sign-in` itself, its script, its style sheet."""

    name: str
    media_type: str

    def on_get(self, req: Request, resp: Response) -> None:
        """Return a file of the page where a person signs in and out. Decision: G268."""
        send_ready(req, resp, _ready(self.name, self.media_type))
        resp.set_header("Cache-Control", REVALIDATED)
        resp.set_header("Content-Security-Policy", POLICY)


@cache
def _ready(name: str, media_type: str) -> ReadyDocument:
    return ReadyDocument.of(files(__package__).joinpath(name).read_bytes(), media_type)
