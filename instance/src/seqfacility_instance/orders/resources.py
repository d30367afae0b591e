"""The order endpoints."""

from dataclasses import dataclass

from falcon import HTTP_201, Request, Response
from seqfacility_wire.paging import read_page
from seqfacility_wire.requests import query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.opened import open_order
from seqfacility_instance.core import limits
from seqfacility_instance.forms.rules import read_form
from seqfacility_instance.orders import bodies
from seqfacility_instance.orders.form_impact_service import FormImpactPreview
from seqfacility_instance.orders.problem_bodies import check_shape, impact_shape
from seqfacility_instance.orders.rules import note_types_for
from seqfacility_instance.orders.sample_bodies import save_warnings
from seqfacility_instance.orders.service import Orders
from seqfacility_instance.orders.store import OrderFilter


@dataclass(frozen=True, slots=True)
class OrderList:
    """Orders that the caller may see; makes new ones."""

    orders: Orders

    def on_get(self, req: Request, resp: Response) -> None:
        """List them, newest first unless another order is asked for. Decision: G74, G269, G541, G583."""
        page = read_page(req)
        wanted = OrderFilter(
            status=query_text(req, "status"),
            text=query_text(req, "q"),
            stage=query_text(req, "stage"),
            platform=query_text(req, "platform"),
            owner_id=query_text(req, "owner"),
            needs_caller=query_text(req, "needs") == "me",
            created=bodies.read_days(query_text(req, "from"), query_text(req, "to")),
            sort=bodies.read_sort(query_text(req, "sort")),
        )
        shown, total = self.orders.list_page(guard.signed_in(req), wanted, page.limit, page.offset)
        resp.media = {"orders": [bodies.listed_order(order) for order in shown], **page.keys(total)}

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a draft. Decision: G73, G74, G492."""
        caller = guard.signed_in(req)
        shown, warnings = self.orders.create(caller, _read_save(caller, read_json_object(req)))
        resp.status = HTTP_201
        resp.media = {"order": bodies.order_shape(shown), **save_warnings(warnings)}


@dataclass(frozen=True, slots=True)
class OrderFormImpact:
    """The effect of saving the order form on drafts."""

    preview: FormImpactPreview

    def on_post(self, req: Request, resp: Response) -> None:
        """Check drafts against a form that is not saved. Decision: G1022."""
        caller = guard.live_facility_admin(req)
        body = read_json_object(req, limits.LARGE_JSON_BODY_MAX_BYTES)
        form = read_form(body.get("fields"), body.get("groups"))
        resp.media = impact_shape(self.preview.impact(caller, form))


@dataclass(frozen=True, slots=True)
class OneOrder:
    """One order."""

    orders: Orders

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """Return one order with its notes. Decision: G72."""
        resp.media = {
            "order": bodies.order_shape(self.orders.show(open_order(guard.signed_in(req), order_id)))
        }

    def on_put(self, req: Request, resp: Response, order_id: str) -> None:
        """Change what is sent. Decision: G9, G74, G492."""
        order = open_order(guard.signed_in(req), order_id)
        save = _read_save(order.caller, read_json_object(req))
        shown, warnings = self.orders.save(order, save)
        resp.media = {"order": bodies.order_shape(shown), **save_warnings(warnings)}

    def on_delete(self, req: Request, resp: Response, order_id: str) -> None:
        """Delete an order. Decision: G74."""
        self.orders.delete(open_order(guard.signed_in(req), order_id))
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class OrderStatusMove:
    """Moves an order to another status."""

    orders: Orders

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Move an order to another status. Decision: G75, G76."""
        order = open_order(guard.signed_in(req), order_id)
        body = read_json_object(req)
        wanted, note = bodies.read_status(body), bodies.StatusMove.read(body).note
        resp.media = {"order": bodies.order_shape(self.orders.change_status(order, wanted, note))}


@dataclass(frozen=True, slots=True)
class OrderOwner:
    """Gives an order to another owner."""

    orders: Orders

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Give an order to an active account. Decision: G877."""
        order = open_order(guard.live_facility_admin(req), order_id)
        wanted = bodies.OwnerChange.read(read_json_object(req))
        resp.media = {"order": bodies.order_shape(self.orders.give(order, wanted.user_id))}


@dataclass(frozen=True, slots=True)
class OrderCheck:
    """Whether an order can be submitted."""

    orders: Orders

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """List what is wrong with an order before it is submitted. Decision: G546."""
        resp.media = check_shape(self.orders.check(open_order(guard.signed_in(req), order_id)))


@dataclass(frozen=True, slots=True)
class OrderNotes:
    """The notes of an order."""

    orders: Orders

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """List the notes, newest first. Decision: G77."""
        notes = self.orders.notes(open_order(guard.signed_in(req), order_id))
        resp.media = {"notes": [bodies.note_shape(note) for note in notes]}

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Write a note. Decision: G77."""
        order = open_order(guard.signed_in(req), order_id)
        save = bodies.NoteSave.read(read_json_object(req))
        note_type = bodies.read_note_type(save, note_types_for(is_admin=order.caller.is_admin))
        resp.status = HTTP_201
        resp.media = {"note": bodies.note_shape(self.orders.add_note(order, note_type, save.content))}


@dataclass(frozen=True, slots=True)
class OneNote:
    """One note of an order."""

    orders: Orders

    def on_delete(self, req: Request, resp: Response, order_id: str, note_id: str) -> None:
        """Take a step back that was just noted. Decision: G700."""
        self.orders.remove_note(open_order(guard.signed_in(req), order_id), note_id)
        resp.media = {"success": True}


def _read_save(caller: SignedIn, body: dict[str, object]) -> bodies.OrderSave:
    """Read an order; `userId` of a researcher is not even looked at. Decision: G274."""
    return bodies.OrderSave.read(
        {key: value for key, value in body.items() if caller.is_admin or key != "userId"}
    )
