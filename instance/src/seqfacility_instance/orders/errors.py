"""Refusals around orders and samples. Decision: G14, G75."""

from seqfacility_wire.errors import ServiceError


class OrderNotDraft(ServiceError):
    """An owner who changes an order that has left its draft. Decision: G74, G79."""

    message = "Order can only be changed while it is a draft"


class OrderNotDeletable(ServiceError):
    message = "Only draft orders can be deleted"


class OrderHasData(ServiceError):
    """Reads, artifacts, open uploads, pipeline or stream runs keep an order. Decision: G74."""

    status = 409
    message = "Order has sequencing data"


class SampleHasData(ServiceError):
    """Reads, artifacts or run assignments keep a sample. Decision: G80."""

    status = 409
    message = "Sample has sequencing data"


class StatusUnknown(ServiceError):
    message = "status must be one of: DRAFT, SUBMITTED, COMPLETED"


class StatusChangeRefused(ServiceError):
    message = "Cannot change order status from {current} to {wanted}"


class NoteRequired(ServiceError):
    message = "A note is required to return an order to draft"


class NotSubmittable(ServiceError):
    """Comes with `details`, one line a cause. Decision: G76."""

    message = "Order cannot be submitted"


class OrderNotSubmitted(ServiceError):
    """A note on sent samples for an order that is not submitted. Decision: G77."""

    message = "Order is not submitted"


class NoteNotFound(ServiceError):
    status = 404
    message = "Note not found"


class NoteKept(ServiceError):
    """A note that is no step, is somebody else's, or was written too long ago. Decision: G700."""

    status = 409
    message = "Only who recorded a step can take it back, for 10 minutes"


class SequencingNotAllowed(ServiceError):
    """Spec: instance, Errors: upload endpoints, order not SUBMITTED or COMPLETED. Decision: G90."""

    message = "Sequencing data can only be managed on submitted or completed sequencing orders"


class SampleTableFormatUnknown(ServiceError):
    message = "format must be one of: xlsx, csv"


class SampleTableTooLarge(ServiceError):
    status = 413
    message = "File is larger than 10 MB"


class SampleTableNeedsReview(ServiceError):
    """Comes with the whole preview. Decision: G318."""

    message = "Import contains rows that need review before saving"


class SampleTableWithoutRows(ServiceError):
    """Comes with the whole preview. Decision: G318."""

    message = "Import contains no rows"
