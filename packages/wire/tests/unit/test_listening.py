"""An address that is taken is told before a server starts."""

import socket

import pytest
from seqfacility_wire.listening import check_bindable


def test_an_address_that_is_taken_is_named_unless_it_is_shared() -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen()
        bind = f"127.0.0.1:{other.getsockname()[1]}"

        check_bindable(bind, is_shared=True)
        with pytest.raises(OSError, match=f"^cannot listen on {bind}: Address already in use$"):
            check_bindable(bind)


@pytest.mark.parametrize("bind", ["127.0.0.1:0", "[::1]:0"])
def test_a_free_address_stays_free(bind: str) -> None:
    check_bindable(bind)
    check_bindable(bind)
