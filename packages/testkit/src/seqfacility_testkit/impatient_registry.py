"""A registry that waits no longer than one second for a head, for a body, or for an answer to be taken."""

import os

from seqfacility_registry.server import RegistryServer
from seqfacility_registry.settings import settings_from


class ImpatientRegistry(RegistryServer):
    """The same server with other limits."""

    head_seconds = 1
    body_seconds = 1.0
    answer_seconds = 1.0


if __name__ == "__main__":
    ImpatientRegistry(settings_from(os.environ), "127.0.0.1:0").run()
