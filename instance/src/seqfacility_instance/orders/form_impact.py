"""The problems that an unsaved order form would cause for existing drafts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from seqfacility_instance.core.patterns import PatternChecks
from seqfacility_instance.forms.form import FormField
from seqfacility_instance.orders.submission import Filled, FilledSample, Problem, answer_problems

MAX_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft, as a check of its submission sees it."""

    order_id: str
    order_number: str
    filled: Filled
    samples: Sequence[FilledSample]


@dataclass(slots=True)
class NewProblem:
    """A problem that the form causes where drafts had none, with the number of drafts and samples."""

    name: str
    label: str
    message: str
    drafts: int = 0
    samples: int = 0
    examples: list[Draft] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FormImpact:
    """The problems found in the first `checked` of all `drafts`."""

    drafts: int
    checked: int
    new_problems: Sequence[NewProblem]


def impact_of(
    drafts: Iterable[Draft], before: Sequence[FormField], after: Sequence[FormField]
) -> tuple[int, list[NewProblem]]:
    """Return how many drafts were checked, and the problems with `after` that they do not have with `before`.

    Both are the fields that a submission checks. An answer that already was a problem is not a new one.
    Drafts are checked until the time limit for patterns is reached, because later matches would be unknown.

    Decision: G1022.
    """
    after = [one for one in after if one not in before]
    before = [one for one in before if one.name in {changed.name for changed in after}]
    labels = {one.name: one.label for one in after}
    patterns = PatternChecks()
    found: dict[tuple[str, str], NewProblem] = {}
    checked = 0
    for draft in drafts:
        problems = _new_problems(draft, before, after, patterns)
        if patterns.seconds_left <= 0:
            break
        checked += 1
        for key in dict.fromkeys((one.field, one.reason) for one in problems):
            new = found.setdefault(key, NewProblem(key[0], labels[key[0]], key[1]))
            new.drafts += 1
            new.samples += sum(one.sample is not None and (one.field, one.reason) == key for one in problems)
            if len(new.examples) < MAX_EXAMPLES:
                new.examples.append(draft)
    return checked, list(found.values())


def _new_problems(
    draft: Draft, before: Sequence[FormField], after: Sequence[FormField], patterns: PatternChecks
) -> list[Problem]:
    known = {_place(one) for one in answer_problems(draft.filled, draft.samples, before, patterns)}
    problems = answer_problems(draft.filled, draft.samples, after, patterns)
    return [one for one in problems if _place(one) not in known]


def _place(problem: Problem) -> tuple[str, str | None]:
    return problem.field, None if problem.sample is None else problem.sample.id
