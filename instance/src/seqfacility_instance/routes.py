"""The URL table in the documents' order: every path, its resource, and who may call each method.

A route whose responders and stated access differ stops the start of the service.
"""

from seqfacility_instance.access.classes import ADMIN, ANYONE, LIVE_ADMIN, SESSION_ROUTE, SIGNED_IN
from seqfacility_instance.accounts import resources as accounts
from seqfacility_instance.forms import resources as forms
from seqfacility_instance.routing import Route
from seqfacility_instance.wiring import Services


def routes(services: Services) -> list[Route]:
    """List every route of the instance. Spec: instance, Endpoints. Gap: G269."""
    return [
        *_forms(services),
        *_sessions(services),
    ]


def _forms(services: Services) -> list[Route]:
    return [
        Route("/api/form-schema", forms.OrderFormSchema(services.forms), GET=SIGNED_IN),
        Route("/api/study-form-schema", forms.StudyFormSchema(services.forms), GET=SIGNED_IN),
        Route("/api/admin/form-config", forms.OrderFormConfig(services.forms), GET=ADMIN, PUT=LIVE_ADMIN),
        Route(
            "/api/admin/study-form-config", forms.StudyFormConfig(services.forms), GET=ADMIN, PUT=LIVE_ADMIN
        ),
    ]


def _sessions(services: Services) -> list[Route]:
    is_secure = services.settings.is_secure
    return [
        Route("/api/auth/sign-in", accounts.SignIn(services.accounts, is_secure), POST=SESSION_ROUTE),
        Route("/api/auth/sign-out", accounts.SignOut(services.accounts), POST=SESSION_ROUTE),
        Route("/api/auth/session", accounts.CurrentSession(services.sessions), GET=ANYONE),
        Route("/api/auth/password", accounts.OwnPassword(services.accounts), POST=SIGNED_IN),
    ]
