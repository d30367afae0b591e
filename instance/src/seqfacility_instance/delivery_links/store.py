"""Queries on delivery links; writes their table."""

from datetime import datetime

from peewee import Expression

from seqfacility_instance.core import limits
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.sequencing import DeliveryLink

_Maker = User.alias("maker")


def list_links(order_id: str) -> list[DeliveryLink]:
    """List the links of an order with their makers, newest first."""
    return list(
        DeliveryLink.select(DeliveryLink, User)
        .join(User, on=DeliveryLink.created_by)
        .where(DeliveryLink.order == order_id)
        .order_by(DeliveryLink.created_at.desc(), DeliveryLink.id.desc())
    )


def find_link(token_hash: str) -> DeliveryLink | None:
    """Find a link by its token, with its maker, its order and the order's owner."""
    found: DeliveryLink | None = (
        DeliveryLink.select(DeliveryLink, _Maker, Order, User)
        .join_from(DeliveryLink, _Maker, on=DeliveryLink.created_by)
        .join_from(DeliveryLink, Order)
        .join_from(Order, User, on=Order.user)
        .where(DeliveryLink.token_hash == token_hash)
        .first()
    )
    return found


def count_open(order_id: str, now: datetime) -> int:
    is_open = DeliveryLink.revoked_at.is_null() & (DeliveryLink.expires_at > now)
    return int(DeliveryLink.select().where((DeliveryLink.order == order_id) & is_open).count())


def insert_link(
    token_hash: str, order_id: str, maker_id: str, now: datetime, expires_at: datetime
) -> DeliveryLink:
    """Keep a link, by the hash of its token."""
    return DeliveryLink.create(
        token_hash=token_hash, order=order_id, created_by=maker_id, created_at=now, expires_at=expires_at
    )


def claim_revocation(order_id: str, link_id: str, now: datetime) -> bool:
    """Revoke a link of an order that is open; False when it is none, or not any more."""
    is_open = DeliveryLink.revoked_at.is_null() & (DeliveryLink.expires_at > now)
    revoked: int = (
        DeliveryLink.update(revoked_at=now)
        .where((DeliveryLink.id == link_id) & (DeliveryLink.order == order_id) & is_open)
        .execute()
    )
    return revoked == 1


def revoke_links_of_owner(order: Order, _new_owner_id: str, now: datetime) -> dict[str, object]:
    """Revoke the links that the owner of an order made, when it changes hands. Decision: G877."""
    return {
        "revokedLinks": _revoke(
            (DeliveryLink.order == order.id) & (DeliveryLink.created_by == order.user_id), now
        )
    }


def revoke_links_of_maker(user_id: str, now: datetime) -> int:
    """Revoke every link that somebody made; return how many were open. Decision: G875."""
    return _revoke(DeliveryLink.created_by == user_id, now)


def _revoke(chosen: Expression, now: datetime) -> int:
    is_open = DeliveryLink.revoked_at.is_null() & (DeliveryLink.expires_at > now)
    return int(DeliveryLink.update(revoked_at=now).where(chosen & is_open).execute())


def note_use(link_id: str, now: datetime) -> None:
    DeliveryLink.update(last_used_at=now).where(DeliveryLink.id == link_id).execute()


def forget_old(now: datetime) -> bool:
    """Remove links that ended long ago; True when there were some. Decision: G527."""
    ended = DeliveryLink.expires_at <= now - limits.DELIVERY_LINK_KEPT
    removed: int = DeliveryLink.delete().where(ended).execute()
    return removed > 0
