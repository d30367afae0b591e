"""What is published, in a form in which two contents are compared alike."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that is published: what is said of it, and what it consists of, by kind and name.

    A file has `lines`, of which only their number is told.
    """

    facts: Mapping[str, object]
    parts: Mapping[tuple[str, str], "Thing"] = field(default_factory=dict)
    lines: tuple[bytes, ...] = ()


Things = Mapping[tuple[str, str], Thing]
