"""A TCP proxy that cuts connections: what a bad line does to a transfer."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

_BLOCK_BYTES = 16 * 1024


class CuttingProxy:
    """Forwards to one server; a connection ends when it carried its share, both ways together.

    `shares` gives the bytes of each connection in turn; after the last one the line is whole. Who
    receives sees an end in the middle, and has all bytes before it; who sends sees a reset. `sent` counts
    the bytes on their way to the server.
    """

    def __init__(self, target: str, shares: Iterator[int]) -> None:
        self._target, self._shares = urlsplit(target), shares
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.cuts = self.sent = 0
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def close(self) -> None:
        # WHY: closing alone does not wake a thread that waits in accept.
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._accepting.join()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection((str(self._target.hostname), self._target.port or 80))
                left = [next(self._shares, 2**62)]
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(
                        target=self._carry, args=(source, sink, client, server, left), daemon=True
                    ).start()

    def _carry(
        self,
        source: socket.socket,
        sink: socket.socket,
        client: socket.socket,
        server: socket.socket,
        left: list[int],
    ) -> None:
        with contextlib.suppress(OSError):
            while left[0] > 0 and (block := source.recv(min(_BLOCK_BYTES, left[0]))):
                left[0] -= len(block)
                if source is client:
                    with self._lock:
                        self.sent += len(block)
                sink.sendall(block)
        with self._lock:
            if client.fileno() < 0:
                return
            if left[0] <= 0:
                self.cuts += 1
            for side in (server, client):
                with contextlib.suppress(OSError):
                    side.shutdown(socket.SHUT_RDWR)
                side.close()


@contextlib.contextmanager
def cutting_proxy(target: str, shares: Iterator[int]) -> Iterator[CuttingProxy]:
    """Run a proxy in front of `target` (an address)."""
    proxy = CuttingProxy(target, shares)
    try:
        yield proxy
    finally:
        proxy.close()
