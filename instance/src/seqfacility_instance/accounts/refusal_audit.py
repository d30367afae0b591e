"""Falcon middleware that puts refusals which matter in an incident into the audit trail."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.conventions import logged_path
from seqfacility_wire.errors import ServiceError, TooManyRequests

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.errors import CrossSiteRefused
from seqfacility_instance.access.refusals import Refusal, RefusalTrail
from seqfacility_instance.accounts.errors import CurrentPasswordWrong, SecondFactorRequired, TooManySignIns
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.people import AuditAction

OWN_PASSWORD = "/api/auth/password"  # noqa: S105  # a path


@dataclass(frozen=True, slots=True)
class RefusalAudit:
    """Notes refused requests once they are answered, outside of every transaction. Decision: G867, G874."""

    trail: RefusalTrail

    def process_response(self, req: Request, _resp: Response, _resource: object, _succeeded: bool) -> None:
        """Note the refusal of a request that reached the guard, unless it is a visitor's of the demo."""
        error: ServiceError | None = getattr(req.context, "refused", None)
        caller: SignedIn | None = getattr(req.context, "caller", None)
        if error is None or not hasattr(req.context, "address") or (caller is not None and caller.is_demo):
            return
        refusal = _refusal(req, error, caller)
        if refusal is not None:
            self.trail.note(refusal)


def _refusal(req: Request, error: ServiceError, caller: SignedIn | None) -> Refusal | None:
    """Return what is noted of a refusal, with the token that tried.

    Answers 403 with further keys tell a person what to do first, and an anonymous one is no one's attempt.
    """
    actor_id, address = None if caller is None else caller.user_id, req.context.address
    request = f"{req.method} {logged_path(req)}"[: limits.SINGLE_LINE_MAX_CHARACTERS]
    is_attempt = caller is not None or req.get_header("Authorization") is not None
    detail: dict[str, object] = {}
    object_type, object_id = "user", actor_id
    if isinstance(error, TooManySignIns):
        action, object_id = AuditAction.SIGN_IN_THROTTLED, None
        detail["email"] = error.email[: limits.SINGLE_LINE_MAX_CHARACTERS]
    elif isinstance(error, SecondFactorRequired) and error.user_id is not None:
        action = AuditAction.SIGN_IN_WITHOUT_CODE
        actor_id = object_id = error.user_id
    elif req.uri_template == OWN_PASSWORD and isinstance(error, CurrentPasswordWrong | TooManyRequests):
        action = AuditAction.PASSWORD_CHANGE_FAILED
    elif isinstance(error, TooManyRequests) and error.limit_name is not None:
        action, object_type, object_id = AuditAction.THROTTLED, "limit", error.limit_name
    elif isinstance(error, CrossSiteRefused):
        action, object_type, object_id = AuditAction.CROSS_SITE_REFUSED, "request", request
    elif error.status == 403 and not error.extra and is_attempt:
        action, object_type, object_id = AuditAction.ACCESS_DENIED, "request", request
        detail["error"] = error.text
        if caller is not None and caller.token_id is not None:
            detail["token"] = caller.token_id
    else:
        return None
    return Refusal(action, actor_id, address, object_type, object_id, detail)
