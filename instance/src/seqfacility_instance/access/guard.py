"""Access control of every request: finds its session and refuses who may not call its route.

A responder takes its caller from here by type. Asking for more than the route declares is a bug and fails
loudly, so a route can never be weaker than its use case.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from falcon import Request, Response
from seqfacility_wire.client_address import client_address
from seqfacility_wire.errors import MethodNotAllowed

from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin, SignedIn
from seqfacility_instance.access.classes import SAFE_METHODS, Access, Needs
from seqfacility_instance.access.cross_site import is_cross_site
from seqfacility_instance.access.demo_texts import demo_refusal
from seqfacility_instance.access.errors import (
    AddressNotAllowed,
    CrossSiteRefused,
    NotConfirmed,
    RefusedInDemo,
    SecondFactorNotSetUpYet,
    TokenNotAllowed,
    Unauthorized,
)
from seqfacility_instance.access.scopes import allows
from seqfacility_instance.access.tokens import Credentials
from seqfacility_instance.core.vocabulary.people import Scope
from seqfacility_instance.settings import Settings

COOKIE = "service_session"

_Caller = TypeVar("_Caller", bound=SignedIn)


@dataclass(frozen=True, slots=True)
class Guard:
    """Falcon middleware that applies G12's order: method, cross-site, session or token, scope, role, demo.

    After these an admin is asked for a second factor where one must have it, and a session to be confirmed.

    `table` is the URL table: path template to method to access. What is not in it is refused.
    """

    table: Mapping[str, Mapping[str, Access]]
    credentials: Credentials
    settings: Settings

    def process_request(self, req: Request, _resp: Response) -> None:
        """Leave in `req.context` where it comes from, for throttles, audit and log. Decision: G869."""
        req.context.address = req.context.logged["address"] = client_address(
            req.remote_addr or "", req.get_header("X-Forwarded-For"), self.settings.trusted_proxies
        )

    def process_resource(
        self, req: Request, _resp: Response, _resource: object, params: dict[str, object]
    ) -> None:
        """Refuse the request, or leave its typed caller in `req.context`. Decision: G12, G247."""
        if req.method == "OPTIONS":
            return
        methods = self.table[req.uri_template or ""]
        access = methods.get("GET" if req.method == "HEAD" else req.method)
        if access is None:
            raise MethodNotAllowed(headers={"Allow": ", ".join(allowed_methods(methods))})
        self._check_site(req, access)
        asks_confirmation = access.asks_confirmation(params)
        caller = self._find(req, access, None if asks_confirmation else access.scope)
        _know(req, caller)
        _check_caller(req, access, caller)
        is_closed = access.needs is not Needs.NOTHING and not access.is_for_set_up
        if caller is not None and caller.lacks_second_factor and is_closed:
            raise SecondFactorNotSetUpYet
        if asks_confirmation and (caller is None or not caller.is_confirmed):
            raise NotConfirmed

    def _check_site(self, req: Request, access: Access) -> None:
        if req.method in SAFE_METHODS or access.needs is Needs.WEBLOG_SECRET:
            return
        # A route that needs a session answers 401 without our cookie; one that needs none could sign a
        # visitor of another site in as somebody else, so there the cookie does not matter.
        if access.needs is not Needs.NOTHING and COOKIE not in req.cookies:
            return
        # A browser sends no such header on its own, and with one the cookie is not looked at.
        if bearer_token(req) is not None:
            return
        fetch_site, origin = req.get_header("Sec-Fetch-Site"), req.get_header("Origin")
        if is_cross_site(fetch_site, origin, req.get_header("Host"), self.settings.public_url):
            raise CrossSiteRefused

    def _find(self, req: Request, access: Access, needed: Scope | None) -> SignedIn | None:
        """Find who calls, by the token in the header, else by the cookie.

        Raises `Unauthorized`, `TokenNotAllowed` or `AddressNotAllowed` for a token; without one, or a
        session, `_check_caller` decides.

        Decision: G800, G801.
        """
        bearer, is_safe = bearer_token(req), req.method in SAFE_METHODS
        is_open = access.needs is Needs.NOTHING and (is_safe or (access.allowed_in_demo and bearer is None))
        # The open routes must answer without a database, so nobody is looked up for them.
        if is_open or access.needs is Needs.WEBLOG_SECRET:
            return None
        if bearer is None:
            cookie = session_token(req)
            return (
                None if cookie is None else self.credentials.sessions.find_caller(cookie, req.context.address)
            )
        found = self.credentials.tokens.find(bearer, req.context.address)
        if found is None:
            raise Unauthorized
        _know(req, found.caller)
        if found.is_elsewhere:
            raise AddressNotAllowed
        if not allows(found.scopes, needed):
            raise TokenNotAllowed
        return found.caller


def allowed_methods(methods: Mapping[str, Access]) -> list[str]:
    """List what `Allow` says of a route. Decision: G18."""
    return sorted({*methods, "OPTIONS"} | ({"HEAD"} if "GET" in methods else set()))


def session_token(req: Request) -> str | None:
    """Return the session cookie; two different ones are as good as none. Decision: G25."""
    values = set(req.get_cookie_values(COOKIE) or ())
    return values.pop() if len(values) == 1 else None


def bearer_token(req: Request) -> str | None:
    """Return what stands in `Authorization: Bearer`; other schemes belong to a proxy. Decision: G800."""
    scheme, _, text = (req.get_header("Authorization") or "").strip().partition(" ")
    return text.strip() if scheme.lower() == "bearer" else None


def set_session_cookie(resp: Response, token: str, *, is_secure: bool) -> None:
    """Set the session cookie. Decision: G25."""
    resp.set_cookie(COOKIE, token, path="/", http_only=True, secure=is_secure, same_site="Lax")


def signed_in(req: Request) -> SignedIn:
    """Return the caller of a route that needs a session."""
    return _caller_as(req, SignedIn)


def facility_admin(req: Request) -> FacilityAdmin:
    """Return the caller of a route that needs a facility admin."""
    return _caller_as(req, FacilityAdmin)


def live_facility_admin(req: Request) -> LiveFacilityAdmin:
    """Return the caller of a route that needs a facility admin outside the demo."""
    return _caller_as(req, LiveFacilityAdmin)


def address(req: Request) -> str:
    """Return the address that the request came from. Decision: G29."""
    found: str = req.context.address
    return found


def comes_from_elsewhere(req: Request) -> bool:
    """Return whether the browser says that another site led it here. Decision: G251."""
    return (req.get_header("Sec-Fetch-Site") or "").strip().lower() in {"cross-site", "same-site"}


def _caller_as(req: Request, kind: type[_Caller]) -> _Caller:
    """Return the caller as a type; an error and no `assert`, which `python -O` would leave out.

    Decision: G409.
    """
    caller = req.context.caller
    if not isinstance(caller, kind):
        message = f"{req.uri_template} declares a weaker access than {kind.__name__}"
        raise AssertionError(message)  # noqa: TRY004  # a bug of ours
    return caller


def _know(req: Request, caller: SignedIn | None) -> None:
    """Note who calls before anything is refused, so that log and audit trail name them. Decision: G869."""
    req.context.caller = caller
    if caller is not None:
        req.context.logged["user"] = caller.user_id


def _check_caller(req: Request, access: Access, caller: SignedIn | None) -> None:
    if access.needs in {Needs.SESSION, Needs.OWNER} and caller is None:
        raise Unauthorized
    if access.needs in {Needs.ADMIN, Needs.LIVE_ADMIN}:
        if caller is None:
            raise Unauthorized
        if not caller.is_admin:
            raise access.not_admin
    if caller is not None and caller.is_demo:
        unsafe = req.method not in SAFE_METHODS and not access.allowed_in_demo
        if unsafe or access.always_refused_in_demo or access.needs is Needs.LIVE_ADMIN:
            raise RefusedInDemo(demo_refusal(req.path))
