"""A registry on gunicorn's own worker, which limits no connection: the control of an attack."""

import os

from seqfacility_registry.server import RegistryServer
from seqfacility_registry.settings import settings_from


class UnlimitedRegistry(RegistryServer):
    """The same server without the limits of `connections.py`."""

    def load_config(self) -> None:
        """Take gunicorn's worker as it is."""
        super().load_config()
        self.cfg.set("worker_class", "asgi")


if __name__ == "__main__":
    UnlimitedRegistry(settings_from(os.environ), "127.0.0.1:0").run()
