"""The plan of an upload: for every file its sample and mate, or why it is not sent."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from seqfacility_instance.core.vocabulary.sequencing import ArtifactRole, Mate
from seqfacility_instance.uploads.errors import NotAFileName
from seqfacility_instance.uploads.matching.fingerprints import joined_fingerprint
from seqfacility_instance.uploads.matching.names import (
    Code,
    Form,
    are_lanes,
    lane_of,
    lanes_of,
    left_out_because,
    read_name,
    settled,
    stem_of,
)
from seqfacility_instance.uploads.matching.samples import Sample, SampleWords
from seqfacility_instance.uploads.rules import file_name


class Kind(StrEnum):
    """What becomes of a file."""

    UPLOAD = "upload"
    LEFT_OUT = "left-out"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file of somebody's computer; `path` says only what lies beside what."""

    path: str
    size: int
    fingerprint: str | None = None
    md5: str | None = None
    has_two_checksums: bool = False
    """Two lists, or a list and the client, say different ones."""

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of a person, which win over the names. Samples by id, code or alias, both by path."""

    sample_of: Mapping[str, str] = field(default_factory=dict)
    mate_of: Mapping[str, Mate] = field(default_factory=dict)
    join_lanes: bool = False


@dataclass(frozen=True, slots=True)
class Intake:
    """What the facility takes."""

    extensions: Sequence[str]
    max_file_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one file, and why; `candidates` are the samples that an unclear name may mean."""

    file: NamedFile
    kind: Kind
    reason: str
    code: Code | None = None
    sample: Sample | None = None
    mate: Mate | None = None
    candidates: tuple[Sample, ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """What is sent as one file to one place: a file, or the lanes of a mate one behind the other."""

    files: tuple[NamedFile, ...]
    sample: Sample | None
    role: str

    @property
    def name(self) -> str:
        """The name at the facility; that of joined lanes has no lane."""
        lane = lane_of(self.files[0].name) if len(self.files) > 1 else None
        return self.files[0].name if lane is None else lane[1]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def fingerprint(self) -> str | None:
        return joined_fingerprint([file.fingerprint for file in self.files])

    @property
    def md5(self) -> str | None:
        return self.files[0].md5 if len(self.files) == 1 else None


@dataclass(frozen=True, slots=True)
class Plan:
    """A verdict for each file, in their order, and what is sent."""

    verdicts: tuple[Verdict, ...]
    placed: tuple[Placed, ...]


@dataclass(slots=True)
class _Folders:
    """The stems that lie beside each other, as far as they are reads."""

    stems: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def planned(
    files: Sequence[NamedFile], samples: SampleWords, intake: Intake, choices: Choices | None = None
) -> Plan:
    """Assign a sample and a mate to every read file.

    A sample has one file for each mate: of two the second would supersede the first. So several are a
    problem, unless they are lanes that are to be joined. The time grows with the files, not with their pairs.

    Decision: G104, G320, G425, G635.
    """
    chosen = choices or Choices()
    stems = [stem_of(file.name, intake.extensions) for file in files]
    folders = _Folders()
    for file, stem in zip(files, stems, strict=True):
        if stem is not None:
            folders.stems[file.folder].add(stem)
    verdicts: list[Verdict] = []
    seen: set[str] = set()
    for file, stem in zip(files, stems, strict=True):
        refused = _unreadable(file, seen)
        if refused is None and stem is None:
            endings = " ".join(intake.extensions)
            refused = Verdict(file, Kind.LEFT_OUT, f"Has none of the extensions {endings}", Code.EXTENSION)
        if refused is None:
            assert stem is not None
            refused = _placed_one(file, stem, folders, samples, chosen)
        verdicts.append(refused)
        seen.add(file.path)
    return _gathered(verdicts, intake, join_lanes=chosen.join_lanes)


def planned_artifacts(
    files: Sequence[NamedFile], samples: SampleWords, intake: Intake, choices: Choices, role: ArtifactRole
) -> Plan:
    """Send every file in one role: to the sample that somebody chose, else to the order. Decision: G635."""
    verdicts: list[Verdict] = []
    seen: set[str] = set()
    for file in files:
        verdict = _unreadable(file, seen)
        if verdict is None:
            chosen = _choice(file, samples, choices)
            if isinstance(chosen, Verdict):
                verdict = chosen
            else:
                whose = "the order" if chosen is None else _who(chosen)
                verdict = _within_limits(
                    Verdict(file, Kind.UPLOAD, f"Goes to {whose}", sample=chosen), intake
                )
        verdicts.append(verdict)
        seen.add(file.path)
    sent = (verdict for verdict in verdicts if verdict.kind is Kind.UPLOAD)
    return Plan(tuple(verdicts), tuple(Placed((one.file,), one.sample, role.value) for one in sent))


def _unreadable(file: NamedFile, seen: set[str]) -> Verdict | None:
    """Return the verdict on a file whose path alone decides. Decision: G635."""
    parts = file.path.split("/")
    if any(part in {"", ".", ".."} for part in parts):
        return Verdict(file, Kind.PROBLEM, "Is not a path of a file in a folder", Code.PATH)
    if file.path in seen:
        return Verdict(file, Kind.PROBLEM, "Is named twice", Code.TWICE)
    if any(part.startswith(".") for part in parts):
        return Verdict(file, Kind.LEFT_OUT, "Hidden file", Code.HIDDEN)
    try:
        is_kept = file_name(file.name) == file.name
    except NotAFileName:
        is_kept = False
    if not is_kept:
        reason = "Has a name that cannot be kept: too long, with a backslash, or with signs that nobody sees"
        return Verdict(file, Kind.PROBLEM, reason, Code.NAME)
    return None


def _within_limits(verdict: Verdict, intake: Intake) -> Verdict:
    file = verdict.file
    if file.size == 0:
        return Verdict(file, Kind.PROBLEM, "Is empty", Code.EMPTY, verdict.sample, verdict.mate)
    if intake.max_file_bytes is not None and file.size > intake.max_file_bytes:
        reason = "File is larger than the allowed upload size"
        return Verdict(file, Kind.PROBLEM, reason, Code.TOO_LARGE, verdict.sample, verdict.mate)
    if file.has_two_checksums:
        reason = "Has two checksums that contradict each other"
        return Verdict(file, Kind.PROBLEM, reason, Code.CHECKSUMS, verdict.sample, verdict.mate)
    return verdict


def _choice(file: NamedFile, samples: SampleWords, choices: Choices) -> Sample | Verdict | None:
    """Return the sample that a person chose for a file, a problem when there is no such one."""
    chosen = choices.sample_of.get(file.path)
    if chosen is None:
        return None
    found = samples.named(chosen)
    if len(found) == 1:
        return found[0]
    reason = f"The order has {'several samples' if found else 'no sample'} {chosen}"
    return Verdict(file, Kind.PROBLEM, reason, Code.CHOICE, candidates=found)


def _placed_one(
    file: NamedFile, stem: str, folders: _Folders, samples: SampleWords, choices: Choices
) -> Verdict:
    chosen = _choice(file, samples, choices)
    if isinstance(chosen, Verdict):
        return chosen
    left_out = left_out_because(stem)
    if left_out is not None and chosen is None:
        code, reason = left_out
        return Verdict(file, Kind.LEFT_OUT, reason, code)
    name = settled(read_name(stem), folders.stems[file.folder])
    choice = samples.chosen(name)
    mate = choices.mate_of.get(file.path, choice.mate)
    if chosen is not None:
        return Verdict(file, Kind.UPLOAD, f"You chose {_who(chosen)}", sample=chosen, mate=mate)
    if not choice.samples:
        return Verdict(file, Kind.PROBLEM, "Names no sample of the order", Code.UNKNOWN_SAMPLE, mate=mate)
    if len(choice.samples) > 1:
        several = sorted(choice.samples, key=_who)
        reason = f"May belong to {' or '.join(map(_who, several))}"
        return Verdict(file, Kind.PROBLEM, reason, Code.SEVERAL_SAMPLES, mate=mate, candidates=tuple(several))
    no_mate = "" if name.form is not Form.NONE or file.path in choices.mate_of else ", and tells no mate"
    reason = f"Its name says {_who(choice.samples[0])}{no_mate}"
    return Verdict(file, Kind.UPLOAD, reason, sample=choice.samples[0], mate=mate)


def _gathered(verdicts: list[Verdict], intake: Intake, *, join_lanes: bool) -> Plan:
    """Gather what goes to one mate of one sample, and turn what cannot go together into problems."""
    groups = defaultdict[tuple[str, str], list[int]](list)
    for number, verdict in enumerate(verdicts):
        if verdict.kind is Kind.UPLOAD:
            assert verdict.sample is not None
            assert verdict.mate is not None
            groups[verdict.sample.id, verdict.mate].append(number)
    for code, reason, numbers in _conflicts(groups, verdicts, join_lanes=join_lanes):
        for number in numbers:
            one = verdicts[number]
            verdicts[number] = Verdict(one.file, Kind.PROBLEM, reason, code, one.sample, one.mate)
    placed = []
    for numbers in groups.values():
        if verdicts[numbers[0]].kind is not Kind.UPLOAD:
            continue
        ones = _within_limits_together([verdicts[number] for number in numbers], intake)
        for number, one in zip(numbers, ones, strict=True):
            verdicts[number] = one
        if ones[0].kind is Kind.UPLOAD and ones[0].mate is not None:
            files = tuple(sorted((one.file for one in ones), key=lambda file: file.name))
            placed.append(Placed(files, ones[0].sample, ones[0].mate.value))
    return Plan(tuple(verdicts), tuple(placed))


def _within_limits_together(ones: list[Verdict], intake: Intake) -> list[Verdict]:
    """Check what is sent as one file: of lanes none is left out of it. Decision: G763."""
    limited = [_within_limits(one, intake) for one in ones]
    refused = next((one for one in limited if one.kind is Kind.PROBLEM), None)
    most = intake.max_file_bytes
    if refused is not None:
        code, reason = refused.code, f"Would be sent with {refused.file.name}, which cannot be"
    elif most is not None and sum(one.file.size for one in ones) > most:
        code, reason = Code.TOO_LARGE, "Together with its other lanes larger than the allowed upload size"
    else:
        return ones
    return [
        one
        if one.kind is Kind.PROBLEM
        else Verdict(one.file, Kind.PROBLEM, reason, code, one.sample, one.mate)
        for one in limited
    ]


def _conflicts(
    groups: Mapping[tuple[str, str], list[int]], verdicts: Sequence[Verdict], *, join_lanes: bool
) -> list[tuple[Code, str, list[int]]]:
    found: list[tuple[Code, str, list[int]]] = []
    for (sample_id, mate), numbers in groups.items():
        names = [verdicts[number].file.name for number in numbers]
        sample = verdicts[numbers[0]].sample
        assert sample is not None
        who = _who(sample)
        if len(numbers) > 1 and not are_lanes(names):
            listed = ", ".join(names)
            reason = f"{who} has several {mate} files, join them first: {listed}"
            found.append((Code.SEVERAL_FILES, reason, numbers))
        elif len(numbers) > 1 and not join_lanes:
            found.append((Code.LANES, f"{who} has its {mate} in {len(numbers)} lanes", numbers))
        others = groups.get((sample_id, Mate.R2)) if mate == Mate.R1 and join_lanes else None
        if others is not None and lanes_of(names) != lanes_of([verdicts[one].file.name for one in others]):
            # Joined they would be out of step.
            reason = f"{who} has R1 and R2 of different lanes"
            found.append((Code.UNEQUAL_LANES, reason, [*numbers, *others]))
    return found


def _who(sample: Sample) -> str:
    return sample.alias or sample.code
