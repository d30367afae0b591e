"""Reading the XML of a workbook as it streams by: no entities, and a bound on depth, tokens and numbers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from seqfacility_instance.core import limits
from seqfacility_instance.workbooks.errors import NotAWorkbook

DEPTH_MAX: Final = 40
"""The parts that are read nest some ten levels; extensions of other programs nest a few more."""

TOKEN_MAX_BYTES: Final = 256 * limits.KIB
"""A tag or comment is held whole until it ends. The longest that programs write are some kilobytes."""

PIECES_MAX: Final = 2_000_000
"""Of all parts of a run plan together. One of 1000 rows and 80 columns, each cell with a format and a string
of its own, has 1,300,000; all of them take about a second."""

ELEMENT_PIECES: Final = 3
"""What an element counts, against one for each of its attributes."""

NAMES_MAX: Final = 2_000
"""Different names of elements and attributes in one part; a parser keeps each of them until its end."""

NAMESPACE_PIECES: Final = 20
"""What a namespace declaration counts: a parser keeps its prefix and its address."""

_MAIN: Final = (
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main ",
    "http://purl.oclc.org/ooxml/spreadsheetml/main ",
)
"""Namespaces of the two conformance classes, transitional and strict."""

Attributes = Mapping[str, str]
OnStart = Callable[[Attributes], None]
OnEnd = Callable[[], None]
OnText = Callable[[str], None]


class Enough(Exception):
    """A handler knows all that it wants to know of the part."""


@dataclass(slots=True)
class Budget:
    """How much XML may still be met in one workbook. Decision: G292, G310."""

    pieces: int = PIECES_MAX

    def take(self, pieces: int) -> None:
        """Count some; raises `NotAWorkbook` when none are left."""
        self.pieces -= pieces
        if self.pieces < 0:
            raise NotAWorkbook


@dataclass(frozen=True, slots=True)
class Handlers:
    """What to do at elements, by name with namespace; elements without an entry are passed over."""

    starts: Mapping[str, OnStart]
    ends: Mapping[str, OnEnd] = field(default_factory=dict)
    text: OnText | None = None


def spreadsheet_names(
    handlers: Mapping[str, OnStart] | Mapping[str, OnEnd],
) -> dict[str, Callable[..., None]]:
    """Write handlers by local name as handlers of both spreadsheet namespaces."""
    return {f"{namespace}{name}": handler for namespace in _MAIN for name, handler in handlers.items()}


def walk(chunks: Iterable[bytes], handlers: Handlers, budget: Budget) -> None:
    """Feed a part to `handlers` until it ends or one raises `Enough`.

    Raises `NotAWorkbook` for what is no well-formed XML, has a document type (and with it entities),
    or exceeds a bound.

    Decision: G201, G292, G310.
    """
    names: dict[str, str] = {}
    parser = expat.ParserCreate(namespace_separator=" ", intern=names)
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = _counted(handlers, budget)
    parser.CharacterDataHandler = handlers.text
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartNamespaceDeclHandler = lambda _prefix, _address: budget.take(NAMESPACE_PIECES)
    fed = 0
    try:
        for chunk in chunks:
            fed += len(chunk)
            parser.Parse(chunk, False)  # expat takes it by position only
            if fed - max(0, parser.CurrentByteIndex) > TOKEN_MAX_BYTES or len(names) > NAMES_MAX:
                raise NotAWorkbook
        parser.Parse(b"", True)  # the same
    except Enough:
        return
    except (expat.ExpatError, LookupError, UnicodeError, ValueError) as malformed:
        raise NotAWorkbook from malformed


def _counted(
    handlers: Handlers, budget: Budget
) -> tuple[Callable[[str, Attributes], None], Callable[[str], None]]:
    """Return the two handlers that count and then pass on. They run a million times: no calls for nothing."""
    starts, ends = handlers.starts, handlers.ends
    depth = 0

    def on_start(name: str, attributes: Attributes) -> None:
        nonlocal depth
        depth += 1
        budget.pieces -= ELEMENT_PIECES + len(attributes)
        if depth > DEPTH_MAX or budget.pieces < 0:
            raise NotAWorkbook
        if name in starts:
            starts[name](attributes)

    def on_end(name: str) -> None:
        nonlocal depth
        depth -= 1
        if name in ends:
            ends[name]()

    return on_start, on_end


def _refuse_doctype(_name: str, _system_id: str | None, _public_id: str | None, _has_subset: int) -> None:
    raise NotAWorkbook
