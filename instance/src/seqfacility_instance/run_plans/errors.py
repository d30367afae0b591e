"""The refusals around run plans, one class per row of the Errors chapter and of the decisions.

Decision: G14, G87, G88, G269.
"""

from seqfacility_wire.errors import ServiceError


class SequencingRunNotFound(ServiceError):
    status = 404
    message = "Sequencing run not found"


class RunIdTaken(ServiceError):
    status = 409
    message = "Run ID is already used in this order"


class SequencingRunHasReads(ServiceError):
    status = 409
    message = "Sequencing run has reads"


class WorkbookTooLarge(ServiceError):
    """Spec: instance, Errors: run import, file over 5 MB. Decision: G201."""

    status = 413
    message = "Workbook is larger than 5 MB"


class RowsNeedReview(ServiceError):
    """Spec: instance, Errors: run import, apply=true while rowErrors non-empty."""

    message = "Import contains rows that need review before saving"


class NoRows(ServiceError):
    message = "Import contains no rows"


class SampleSheetFormatUnknown(ServiceError):
    message = "format must be one of: minknow, illumina"


class SampleSheetIncomplete(ServiceError):
    """Comes with `details`, one line a cause. Decision: G295, G301."""

    message = "Sample sheet cannot be written"
