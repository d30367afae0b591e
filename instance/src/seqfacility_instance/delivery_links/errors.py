"""The refusals of delivery links. Decision: G527."""

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.core import limits


class NotReleased(ServiceError):
    """A link to what the owner may not download yet."""

    status = 409
    message = "No files of this order have been released"


class TooManyLinks(ServiceError):
    status = 409
    message = f"An order has at most {limits.DELIVERY_LINKS_PER_ORDER} open delivery links; revoke one first"


class LinkNotFound(ServiceError):
    """Unknown, revoked and expired, and one whose order is not released: nobody can tell which."""

    status = 404
    message = "This delivery link is not valid, or not any more"


class LinkedFileNotFound(ServiceError):
    """A file that the delivery does not have, or has no more."""

    status = 404
    message = "There is no such file in this delivery"
