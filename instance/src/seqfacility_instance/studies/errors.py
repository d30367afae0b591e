"""Refusals around studies."""

from collections.abc import Iterable

from seqfacility_wire.errors import ServiceError


class AliasTaken(ServiceError):
    status = 409
    message = "Alias is already in use"


class StudySubmitted(ServiceError):
    """A submitted study is not marked ready any more. Decision: G269."""

    message = "Study has been submitted"


class SubmittedStudyKept(ServiceError):
    """A submitted study is not deleted. Decision: G269."""

    status = 409
    message = "Study has been submitted"


class StudyHasRuns(ServiceError):
    status = 409
    message = "Study has pipeline runs"


class InvalidSampleIds(ServiceError):
    message = "Invalid sample IDs: {ids}"

    def __init__(self, sample_ids: Iterable[str]) -> None:
        super().__init__(ids=", ".join(sample_ids))


class SampleInOtherStudy(ServiceError):
    """Comes with `details`, one line a sample. Decision: G269."""

    status = 409
    message = "Sample already belongs to another study"


class StudySharedByOrders(ServiceError):
    """An order cannot change hands alone; `details` names the studies. Decision: G877."""

    status = 409
    message = (
        "Samples of this order share a study with samples of other orders."
        " Give the study to the new owner first, or take the samples out of it"
    )

    def __init__(self, titles: Iterable[str]) -> None:
        super().__init__(details=list(titles))
