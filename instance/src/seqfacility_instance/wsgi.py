"""The WSGI application, made from the environment."""

from collections.abc import Mapping

from falcon import App, Request, Response

from seqfacility_instance.app import Composition, create_app
from seqfacility_instance.routes import routes
from seqfacility_instance.settings import read_settings
from seqfacility_instance.wiring import wire


def make_app(environment: Mapping[str, str]) -> App[Request, Response]:
    """Build the application of one web process."""
    services = wire(read_settings(environment))
    return create_app(
        Composition(
            services.settings, services.database, services.credentials, routes(services), services.clock
        )
    )
