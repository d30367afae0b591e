"""Request and answers of delivery links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field
from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.access.person import person
from seqfacility_instance.core import limits
from seqfacility_instance.core.request_model import RequestModel
from seqfacility_instance.tables.sequencing import DeliveryLink

if TYPE_CHECKING:
    from seqfacility_schemas import answers


class NewLink(RequestModel):
    """Body of `POST /api/orders/{id}/delivery/links`. Decision: G527."""

    days: int = Field(
        default=limits.DELIVERY_LINK_DEFAULT_DAYS,
        ge=limits.DELIVERY_LINK_MIN_DAYS,
        le=limits.DELIVERY_LINK_MAX_DAYS,
    )


def link_shape(link: DeliveryLink) -> answers.DeliveryLink:
    """Show a link without its token."""
    return {
        "id": link.id,
        "createdAt": format_time(link.created_at),
        "createdBy": person(link.created_by),
        "expiresAt": format_time(link.expires_at),
        "revokedAt": format_optional_time(link.revoked_at),
        "lastUsedAt": format_optional_time(link.last_used_at),
    }
