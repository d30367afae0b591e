"""Query parameters as the services read them."""

import falcon
import pytest
from falcon.testing import TestClient
from seqfacility_wire.conventions import new_app
from seqfacility_wire.requests import query_int, query_text, query_verbatim


class Echo:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.media = {
            "text": query_text(req, "q"),
            "verbatim": query_verbatim(req, "q"),
            "number": query_int(req, "n", 50, 1, 500),
        }


def _ask(query: str) -> dict[str, object]:
    app = new_app("1.2.3", [])
    app.add_route("/echo", Echo())
    answer: dict[str, object] = TestClient(app).simulate_get("/echo", query_string=query).json
    return answer


def test_a_nul_in_a_filter_becomes_what_nothing_stored_holds() -> None:
    answer = _ask("q=a%00b")

    assert (answer["text"], answer["verbatim"]) == ("a\ufffdb", "a\0b")


def test_an_empty_parameter_counts_as_absent_and_of_repeated_ones_the_last_counts() -> None:
    absent, repeated = _ask("q="), _ask("q=one&q=two")

    assert (absent["text"], absent["verbatim"]) == (None, None)
    assert (repeated["text"], repeated["verbatim"]) == ("two", "two")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("%2B7", 7),
        ("-7", 1),
        ("9" * 30, 500),
        ("9" * 5000, 500),
        ("-" + "9" * 5000, 1),
        ("0" * 5000 + "7", 7),
        ("7.0", 50),
        ("seven", 50),
        ("", 50),
    ],
)
def test_a_number_of_any_length_is_clamped_and_what_is_none_gives_the_default(text: str, number: int) -> None:
    assert _ask(f"n={text}")["number"] == number
