"""The refusals that an operation names: their status and words stand on the classes."""

import importlib
from collections.abc import Iterable, Mapping

from seqfacility_wire.errors import ServiceError


def named_refusals(
    entries: Iterable[str | tuple[str, Mapping[str, str]]], package: str, slice_: str = ""
) -> list[tuple[int, str]]:
    """Return status and words of each refusal; raises `AttributeError` where no class has that name.

    `OrderNotFound` is a class in the `errors.py` of the slice, `runs.NotPending` of another one, and
    `wire.TooManyRequests` is one of both services. `["LaunchRefused", {"reason": "..."}]` fills the gaps of
    its message.

    Decision: G508.
    """
    found = []
    for entry in entries:
        name, gaps = (entry, dict[str, str]()) if isinstance(entry, str) else entry
        folder, _, class_name = name.rpartition(".")
        place = ["seqfacility_wire"] if folder == "wire" else [package, folder or slice_]
        module = importlib.import_module(".".join([*filter(None, place), "errors"]))
        error: type[ServiceError] = getattr(module, class_name)
        found.append((error.status, error.message.format(**gaps) if gaps else error.message))
    return found
