"""A web process of an instance that waits no longer than one second for clients to take their answer."""

import os

from seqfacility_instance.web_server import WebServer
from seqfacility_instance.wsgi import make_app


class ImpatientServer(WebServer):
    """The same server with another limit."""

    send_seconds = 1.0


if __name__ == "__main__":
    ImpatientServer(lambda: make_app(os.environ), "127.0.0.1:0", workers=1).run()
