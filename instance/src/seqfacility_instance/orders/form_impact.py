"""What a form that is not saved yet would ask of the drafts that exist."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from seqfacility_instance.core.patterns import PatternChecks
from seqfacility_instance.forms.form import FormField
from seqfacility_instance.orders.submission import Filled, FilledSample, Problem, answer_problems

MAX_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft as its submission would look at it."""

    order_id: str
    order_number: str
    filled: Filled
    samples: Sequence[FilledSample]


@dataclass(slots=True)
class Asked:
    """What would be asked of drafts that were complete there before, and of how many."""

    name: str
    label: str
    message: str
    drafts: int = 0
    samples: int = 0
    examples: list[Draft] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FormImpact:
    """`checked` of the `drafts` were looked at."""

    drafts: int
    checked: int
    asked: Sequence[Asked]


def impact_of(
    drafts: Iterable[Draft], before: Sequence[FormField], after: Sequence[FormField]
) -> tuple[int, list[Asked]]:
    """Return how many drafts were looked at, and what `after` asks of them that `before` did not.

    Both are the fields that a submission checks. An answer that was not good enough before is not asked for
    anew. Drafts are looked at until the time for patterns is up: after that a match would not be known.

    Decision: G1022.
    """
    after = [one for one in after if one not in before]
    before = [one for one in before if one.name in {changed.name for changed in after}]
    labels = {one.name: one.label for one in after}
    patterns = PatternChecks()
    found: dict[tuple[str, str], Asked] = {}
    checked = 0
    for draft in drafts:
        problems = _asked_anew(draft, before, after, patterns)
        if patterns.seconds_left <= 0:
            break
        checked += 1
        for key in dict.fromkeys((one.field, one.reason) for one in problems):
            asked = found.setdefault(key, Asked(key[0], labels[key[0]], key[1]))
            asked.drafts += 1
            asked.samples += sum(
                one.sample is not None and (one.field, one.reason) == key for one in problems
            )
            asked.examples += [draft] * (len(asked.examples) < MAX_EXAMPLES)
    return checked, list(found.values())


def _asked_anew(
    draft: Draft, before: Sequence[FormField], after: Sequence[FormField], patterns: PatternChecks
) -> list[Problem]:
    known = {_place(one) for one in answer_problems(draft.filled, draft.samples, before, patterns)}
    problems = answer_problems(draft.filled, draft.samples, after, patterns)
    return [one for one in problems if _place(one) not in known]


def _place(problem: Problem) -> tuple[str, str | None]:
    return problem.field, None if problem.sample is None else problem.sample.id
