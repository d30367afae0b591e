"""Rules on request bodies of live ingest, the directory apart."""

from collections.abc import Mapping

from seqfacility_wire.errors import ValidationFailed


def lowered_map(barcode_map: Mapping[str, str]) -> dict[str, str]:
    """Write the keys of a map in lower case; raises `ValidationFailed` when two of them become equal.

    Spec: instance, Live stream ingest, POST. Decision: G210, G288.
    """
    lowered: dict[str, str] = {}
    twice = []
    for key, code in barcode_map.items():
        if key.lower() in lowered:
            twice.append(f"barcodeMap.{key}: is there twice when written in lower case")
        lowered[key.lower()] = code
    if twice:
        raise ValidationFailed(twice)
    return lowered
