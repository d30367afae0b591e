"""Conditional and compressed answers."""

import gzip

import falcon
import pytest
from falcon import Request, Response
from falcon.testing import Result, TestClient
from seqfacility_wire.caching import ReadyDocument, accepts_coding, accepts_gzip, send_ready
from seqfacility_wire.conventions import new_app

CONTENT = b'{"name":"' + b"x" * 1000 + b'"}'
DOCUMENT = ReadyDocument.of(CONTENT)
ETAGS = [etag for _coding, etag, _bytes in DOCUMENT.forms()]


class _Documents:
    def on_get(self, req: Request, resp: Response) -> None:
        send_ready(req, resp, DOCUMENT)


def _get(**headers: str) -> Result:
    app = new_app("1.2.3", [])
    app.add_route("/document", _Documents())
    return TestClient(app).simulate_get(
        "/document", headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


@pytest.mark.parametrize("asked", ["gzip", "deflate, gzip;q=0.5", "*", "GZIP;q=1.0", "br, *;q=0.1"])
def test_gzip_is_given_to_who_asks(asked: str) -> None:
    assert accepts_gzip(asked)


@pytest.mark.parametrize(
    "asked", [None, "", "identity", "gzip;q=0", "gzip; q=0.0", "*;q=0", "br", "*, gzip;q=0"]
)
def test_gzip_is_not_given_to_who_does_not_ask(asked: str | None) -> None:
    assert not accepts_gzip(asked)


def test_both_forms_carry_the_same_content_under_different_strong_names() -> None:
    plain, zipped = _get(), _get(Accept_Encoding="gzip")

    assert plain.content == gzip.decompress(zipped.content) == CONTENT
    assert plain.headers["etag"] != zipped.headers["etag"]
    assert "W/" not in plain.headers["etag"] + zipped.headers["etag"]
    assert plain.headers["vary"] == zipped.headers["vary"] == "Accept-Encoding"
    assert zipped.headers["content-encoding"] == "gzip"


@pytest.mark.parametrize("asked", ["gzip", "identity"])
@pytest.mark.parametrize("held", ETAGS)
def test_a_client_that_holds_either_form_gets_304_with_the_name_it_holds(held: str, asked: str) -> None:
    answer = _get(Accept_Encoding=asked, If_None_Match=f'"other", W/{held}')

    assert answer.status_code == 304
    assert answer.content == b""
    assert answer.headers["etag"] == held
    assert answer.headers["vary"] == "Accept-Encoding"


def test_a_client_that_holds_another_content_gets_this_one() -> None:
    assert _get(If_None_Match='"other"').content == CONTENT


def test_a_form_in_brotli_goes_first_where_it_is_accepted() -> None:
    document = ReadyDocument(CONTENT, falcon.MEDIA_JSON, '"name"', b"zipped", b"brotli")

    assert [(coding, etag) for coding, etag, _bytes in document.forms()] == [
        ("br", '"name-br"'),
        ("gzip", '"name-gzip"'),
        (None, '"name"'),
    ]
    assert accepts_coding("br", "gzip, deflate, br, zstd")
    assert not accepts_coding("br", "gzip, br;q=0")


def test_a_small_or_dense_content_has_no_gzip_form() -> None:
    small = ReadyDocument.of(b"{}")
    dense = ReadyDocument.of(gzip.compress(bytes(range(256)) * 4), falcon.MEDIA_JPEG)

    assert small.zipped is None
    assert dense.zipped is None or len(dense.zipped) < len(dense.content)
