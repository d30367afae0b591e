"""The log as a service writes it, for tests in whose own process the service answers."""

import io
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr

from seqfacility_wire.logs import configure_logging


@contextmanager
def logged(environment: Mapping[str, str] | None = None) -> Iterator[Callable[[], list[str]]]:
    """Open the log as `environment` wants it; give what reads its lines. Puts back the handlers of before."""
    root = logging.getLogger()
    kept, level = list(root.handlers), root.level
    stream = io.StringIO()
    root.handlers.clear()
    try:
        with redirect_stderr(stream):
            configure_logging(environment or {})
        yield lambda: stream.getvalue().splitlines()
    finally:
        root.handlers[:] = kept
        root.setLevel(level)
