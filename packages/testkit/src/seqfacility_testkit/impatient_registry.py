"""A registry that waits no longer than one second for clients to send a body or to take their answer."""

import os

from seqfacility_registry.server import RegistryServer
from seqfacility_registry.settings import settings_from


class ImpatientRegistry(RegistryServer):
    """The same server with another limit."""

    silence_seconds = 1.0


if __name__ == "__main__":
    ImpatientRegistry(settings_from(os.environ), "127.0.0.1:0").run()
