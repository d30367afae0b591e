"""Whether a server can listen on an address, told before it starts."""

import socket


def check_bindable(bind: str, *, is_shared: bool = False) -> None:
    """Raise `OSError`, with a text for the operator, when nothing can listen on `HOST:PORT`.

    A server would say so in several lines, after several attempts. `is_shared`: several of our processes
    may listen there.
    """
    host, _, port = bind.rpartition(":")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, is_shared)
            trial.bind((host.strip("[]"), int(port)))
    except OSError as refused:
        raise OSError(f"cannot listen on {bind}: {refused.strerror or refused}") from refused
