"""Problems of a package, for its author."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault: the file, the place in it (a key path, or `document`), and the reason.

    Decision: G129.
    """

    file: str
    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: {self.path}: {self.reason}"


class PackageInvalid(Exception):
    """A package is not usable; `problems` says why, line by line. Decision: G129."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems[:5]))

    @property
    def details(self) -> list[str]:
        """Return the lines for an answer's `details`. Decision: G144."""
        return [str(problem) for problem in self.problems]
