"""The routes of webhooks."""

from dataclasses import dataclass

from falcon import HTTP_201, Request, Response
from seqfacility_wire.requests import read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.webhooks import bodies
from seqfacility_instance.webhooks.service import Webhooks


@dataclass(frozen=True, slots=True)
class WebhookList:
    """`/api/admin/webhooks`."""

    webhooks: Webhooks

    def on_get(self, req: Request, resp: Response) -> None:
        """List them, newest first. Decision: G850."""
        listed, now = self.webhooks.list_all(guard.live_facility_admin(req)), self.webhooks.clock.now()
        resp.media = {"webhooks": [bodies.webhook_shape(webhook, last, now) for webhook, last in listed]}

    def on_post(self, req: Request, resp: Response) -> None:
        """Make one; its secret is shown here and never again. Decision: G850."""
        caller = guard.live_facility_admin(req)
        body = bodies.NewWebhook.read(read_json_object(req))
        webhook, secret = self.webhooks.make(caller, body.url, body.events)
        resp.status = HTTP_201
        shown = bodies.webhook_shape(webhook, None, self.webhooks.clock.now())
        resp.media = {"webhook": shown, "secret": secret}


@dataclass(frozen=True, slots=True)
class OneWebhook:
    """`/api/admin/webhooks/{id}`."""

    webhooks: Webhooks

    def on_delete(self, req: Request, resp: Response, webhook_id: str) -> None:
        """Delete it with its deliveries. Decision: G850."""
        self.webhooks.delete(guard.live_facility_admin(req), webhook_id)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class WebhookDeliveries:
    """`/api/admin/webhooks/{id}/deliveries`."""

    webhooks: Webhooks

    def on_get(self, req: Request, resp: Response, webhook_id: str) -> None:
        """List the newest ones, newest first. Decision: G853."""
        found = self.webhooks.deliveries(guard.live_facility_admin(req), webhook_id)
        resp.media = {"deliveries": [bodies.delivery_shape(delivery) for delivery in found]}


@dataclass(frozen=True, slots=True)
class WebhookRetry:
    """`/api/admin/webhooks/{id}/deliveries/{deliveryId}/retry`."""

    webhooks: Webhooks

    def on_post(self, req: Request, resp: Response, webhook_id: str, delivery_id: str) -> None:
        """Have it sent again. Decision: G853."""
        self.webhooks.send_again(guard.live_facility_admin(req), webhook_id, delivery_id)
        resp.media = {"success": True}
