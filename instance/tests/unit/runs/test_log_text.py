"""Tokens in the logs of engines are not shown."""

import pytest
from seqfacility_instance.runs.rules.tokens import without_tokens


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (
            "POST http://host/api/pipelines/weblog?runId=r1&token=0a1b2c failed: 503",
            "POST http://host/api/pipelines/weblog?runId=r1&token=*** failed: 503",
        ),
        ('url "http://host/x?token=abc&runId=r1"', 'url "http://host/x?token=***&runId=r1"'),
        ("href='x?runId=r1&amp;token=abc'", "href='x?runId=r1&amp;token=***'"),
        ('"x?runId=r1\\u0026token=abc"', '"x?runId=r1\\u0026token=***"'),
        ("Authorization: Bearer 0a1b2c", "Authorization: Bearer ***"),
        ("authorization: basic bmV4dGZsb3c6MGEx", "authorization: basic ***"),
        ("weblog.basicToken = 'nextflow:0a1b2c'", "weblog.basicToken = '***'"),
        ("read 17 tokens of basic statistics", "read 17 tokens of basic statistics"),
        ("tokenized 17 reads, token=3", "tokenized 17 reads, token=3"),
    ],
)
def test_what_carries_a_token_is_hidden(line: str, shown: str) -> None:
    assert without_tokens(line) == shown
