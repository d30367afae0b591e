"""Platforms and instrument models that the read archives accept: an XML schema."""

import re
from collections.abc import Sequence
from datetime import date

from seqfacility_registry_tools.research_data.sources import Get, Point, Source, UnexpectedAnswer

ADDRESS = (
    "https://raw.githubusercontent.com/enasequence/webin-xml/master/"
    "src/main/resources/uk/ac/ebi/ena/sra/schema/SRA.common.xsd"
)
_MODEL_TYPE = re.compile(
    r"<xs:simpleType\s+name=\"type[A-Za-z0-9]*Model\">(?P<body>.*?)</xs:simpleType>", re.DOTALL
)
_VALUE = re.compile(r"<xs:enumeration\s+value=\"([^\"]+)\"")
_NO_MODEL = "unspecified"


def fetch(get: Get, today: date) -> Sequence[Point]:
    """Count what is accepted today."""
    platforms, models = count_models(get(ADDRESS).decode("utf-8", "replace"))
    return [
        Point("insdc_sequencing_platforms", today, platforms),
        Point("insdc_instrument_models", today, models),
    ]


def count_models(text: str) -> tuple[int, int]:
    """Count platforms and named models; raises `UnexpectedAnswer` when no model list is found."""
    lists = [set(_VALUE.findall(found["body"])) - {_NO_MODEL} for found in _MODEL_TYPE.finditer(text)]
    if not any(lists):
        raise UnexpectedAnswer("no list of instrument models")
    return len(lists), sum(len(models) for models in lists)


SOURCE = Source("INSDC submission schema", fetch)
