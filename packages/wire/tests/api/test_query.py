"""Query parameters as the services read them."""

import falcon
from falcon.testing import TestClient
from seqfacility_wire.conventions import new_app
from seqfacility_wire.requests import query_text, query_verbatim


class Echo:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.media = {"text": query_text(req, "q"), "verbatim": query_verbatim(req, "q")}


def _ask(query: str) -> dict[str, object]:
    app = new_app("1.2.3", [])
    app.add_route("/echo", Echo())
    answer: dict[str, object] = TestClient(app).simulate_get("/echo", query_string=query).json
    return answer


def test_a_nul_in_a_filter_becomes_what_nothing_stored_holds() -> None:
    assert _ask("q=a%00b") == {"text": "a\ufffdb", "verbatim": "a\0b"}


def test_an_empty_parameter_counts_as_absent_and_of_repeated_ones_the_last_counts() -> None:
    assert _ask("q=") == {"text": None, "verbatim": None}
    assert _ask("q=one&q=two") == {"text": "two", "verbatim": "two"}
