"""The routes that describe the service, and what a page starts with."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.api_docs.resources import REVALIDATED
from seqfacility_wire.caching import ReadyDocument, send_ready

from seqfacility_instance.access import guard
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.accounts.bodies import caller_user
from seqfacility_instance.messages.service import Tickets
from seqfacility_instance.notifications.service import Notifications
from seqfacility_instance.routing import Route
from seqfacility_instance.site.bodies import site_facts
from seqfacility_instance.site.service import Site
from seqfacility_instance.version import RELEASE


class OpenApi:
    """`/api/openapi.json`."""

    def __init__(self, list_routes: Callable[[], list[Route]]) -> None:
        self._list_routes = list_routes
        self._document: ReadyDocument | None = None

    def on_get(self, req: Request, resp: Response) -> None:
        """Describe every route. Decision: G49, G361."""
        if self._document is None:
            self._document = ReadyDocument.of(self._describe())
        send_ready(req, resp, self._document)
        resp.set_header("Cache-Control", REVALIDATED)

    def _describe(self) -> bytes:
        # The schemas come with a heavy library, and nobody may ever ask for this document.
        from seqfacility_instance.web.openapi import describe

        return json.dumps(describe(self._list_routes()), ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True)
class Boot:
    """`/api/boot`."""

    site: Site
    sessions: Sessions
    tickets: Tickets
    notifications: Notifications

    def on_get(self, req: Request, resp: Response) -> None:
        """Tell a page what it needs before it shows anything; never a 401. Decision: G526, G885."""
        token = guard.session_token(req)
        caller = None if token is None else self.sessions.find_caller(token, guard.address(req))
        resp.media = {
            "site": site_facts(self.site.facility.access(), is_demo=self.site.settings.is_demo),
            "release": RELEASE,
            "user": None,
            "modules": None,
            "unread": None,
            **(self._of_nobody() if caller is None else self._of(caller)),
        }

    def _of_nobody(self) -> dict[str, object]:
        """Return what only somebody who is not signed in is offered."""
        has_address = self.site.settings.public_url is not None
        return {"sendsMail": True} if has_address and self.site.facility.mail().is_complete else {}

    def _of(self, caller: SignedIn) -> dict[str, object]:
        modules = self.site.modules()
        return {
            "user": {**caller_user(caller), "mustChangePassword": caller.must_change_password},
            "modules": {module.value: modules.is_on(module) for module in modules.stored},
            "unread": {
                "messages": self.tickets.unread(caller),
                "notifications": self.notifications.unread(caller),
            },
        }
