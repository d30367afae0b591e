"""The route of the demo."""

from dataclasses import dataclass

from falcon import HTTP_201, Request, Response
from seqfacility_wire.requests import read_json_object
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access import guard
from seqfacility_instance.accounts import bodies
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.people import DemoRole
from seqfacility_instance.demo.errors import DemoRoleUnknown
from seqfacility_instance.demo.service import Demo


@dataclass(frozen=True, slots=True)
class DemoSessionStart:
    """`/api/demo/session`."""

    demo: Demo
    is_secure: bool

    def on_post(self, req: Request, resp: Response) -> None:
        """Begin a session of the demo, or change its role. Decision: G245, G246."""
        address = guard.address(req)
        self.demo.admit(address)
        word = read_json_object(req, limits.SESSIONLESS_BODY_MAX_BYTES).get("as")
        if not isinstance(word, str) or word not in set(DemoRole):
            raise DemoRoleUnknown
        user_agent = req.user_agent or ""
        began = self.demo.begin(DemoRole(word), address, guard.session_token(req), user_agent)
        guard.set_session_cookie(resp, began.token, is_secure=self.is_secure)
        resp.status = HTTP_201
        resp.media = {"user": bodies.session_user(began.user), "expiresAt": format_time(began.ends_at)}
