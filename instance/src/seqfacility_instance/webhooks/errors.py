"""The refusals of webhooks. Decision: G850."""

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.core import limits


class WebhookNotFound(ServiceError):
    status = 404
    message = "Webhook not found"


class DeliveryNotFound(ServiceError):
    """Unknown, of another webhook, or too old to be kept."""

    status = 404
    message = "Delivery not found"


class AlreadyDelivered(ServiceError):
    status = 409
    message = "This delivery has arrived; only one that has not can be sent again"


class TooManyWebhooks(ServiceError):
    status = 409
    message = f"A facility has at most {limits.WEBHOOKS_MAX} webhooks; delete one first"
