"""What is wrong with the barcodes of a plan, before a sequencer or its software finds out."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from seqfacility_instance.run_plans.assignments import Place
from seqfacility_instance.run_plans.indexes.barcode_sets import BarcodeSet
from seqfacility_instance.run_plans.indexes.collisions import (
    IndexedSample,
    Level,
    Pair,
    forgiven_mismatches,
    too_near,
)
from seqfacility_instance.run_plans.indexes.colours import DarkCycles, channels_of, dark_cycles
from seqfacility_instance.run_plans.indexes.sequences import Bases
from seqfacility_instance.run_plans.sample_sheets.facts import PlacedSample
from seqfacility_instance.run_plans.sample_sheets.illumina import data_row


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run: nothing when it does not exist yet."""

    instrument: str | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    barcode_set: BarcodeSet | None = None


@dataclass(frozen=True, slots=True)
class CheckedPlace:
    """A sample's place as it would be stored; `row` is its place in what was sent, None for a stored one."""

    row: int | None
    run_id: str
    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class PlaceProblem:
    """What is wrong in one row."""

    row: int
    field: str
    level: Level
    message: str


@dataclass(frozen=True, slots=True)
class Checked:
    """Everything that is wrong with the barcodes of a plan."""

    problems: list[PlaceProblem]
    pairs: list[Pair]
    dark: list[DarkCycles]
    without_sequence: list[str]
    """Barcodes whose bases are not known: only equal names are found among them."""

    nearest: dict[str, list[str]] = field(default_factory=dict)
    """For names that lead to no sample those that are most like them."""

    @property
    def errors(self) -> int:
        """How many would keep reads from being told apart."""
        levels = [*(one.level for one in self.problems), *(one.level for one in self.pairs)]
        return levels.count(Level.ERROR)

    @property
    def warnings(self) -> int:
        """How many are worth a look."""
        return len(self.problems) + len(self.pairs) + len(self.dark) - self.errors


def checked(places: Sequence[CheckedPlace], runs: Mapping[str, RunFacts]) -> Checked:
    """Check the barcodes of places, run by run. Decision: G676, G677."""
    problems: list[PlaceProblem] = []
    samples: list[IndexedSample] = []
    for place in places:
        facts = runs.get(place.run_id, RunFacts())
        sample, wrong = _indexed(place, facts)
        samples.append(sample)
        problems += wrong
    problems += _without_barcode(samples)
    forgiven = {run_id: forgiven_mismatches(facts.parameters) for run_id, facts in runs.items()}
    pairs = sorted(too_near(samples, forgiven), key=lambda pair: pair.level is not Level.ERROR)
    dark = [one for run_id, facts in runs.items() for one in _dark(samples, run_id, facts)]
    unknown = sorted({one.barcode for one in samples if one.barcode is not None and not one.indexes})
    problems.sort(key=lambda one: one.row)
    return Checked(problems, pairs, dark, unknown)


def _indexed(place: CheckedPlace, facts: RunFacts) -> tuple[IndexedSample, list[PlaceProblem]]:
    barcode, fields = place.place.barcode, place.place.custom_fields or {}
    row = data_row(PlacedSample(place.name, barcode, fields))
    known = {} if facts.barcode_set is None else {one.barcode: one for one in facts.barcode_set.barcodes}
    texts = [row[column] for column in ("Index", "Index2") if column in row]
    named = known.get(barcode or "")
    if not texts and named is not None and named.sequence is not None:
        texts = named.sequence.replace("-", "+").split("+")[:2]
    problems = []
    indexes: list[Bases] = []
    for column, text in zip(("Index", "Index2"), texts, strict=False):
        bases = Bases.read(text)
        if bases is not None:
            indexes.append(bases)
        elif place.row is not None:
            problems.append(PlaceProblem(place.row, column, Level.ERROR, f"must be bases: {text}"))
    whole = tuple(indexes) if len(indexes) == len(texts) else ()
    if place.row is not None and barcode is not None and known and named is None and not texts:
        assert facts.barcode_set is not None
        message = f"{barcode} is not in {facts.barcode_set.name}"
        problems.append(PlaceProblem(place.row, "barcode", Level.WARNING, message))
    sample = IndexedSample(place.row, place.name, place.run_id, row.get("Lane", ""), barcode, whole)
    return sample, problems


def _without_barcode(samples: Collection[IndexedSample]) -> Iterable[PlaceProblem]:
    """A run of one sample needs no barcode."""
    runs = [sample.run_id for sample in samples]
    for sample in samples:
        has_none = sample.barcode is None and not sample.indexes
        if sample.row is not None and has_none and runs.count(sample.run_id) > 1:
            message = "has no barcode, and is not alone in the run"
            yield PlaceProblem(sample.row, "barcode", Level.WARNING, message)


def _dark(samples: Sequence[IndexedSample], run_id: str, facts: RunFacts) -> Iterable[DarkCycles]:
    channels = channels_of(facts.instrument, facts.parameters)
    placed = [sample for sample in samples if sample.run_id == run_id]
    if channels is None or not placed:
        return []
    return dark_cycles(placed, channels, facts.parameters)
