"""Scripts and machines: clients that call with an API token."""

from typing import Any

from seqfacility_testkit.facility import Client


def new_token(owner: Client, *scopes: str, days: int = 30, name: str = "a script") -> dict[str, Any]:
    """Let a person make a token; gives the whole answer."""
    body = {"name": name, "scopes": list(scopes), "expiresInDays": days}
    answer = owner.post("/api/user/tokens", body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json
    return made


def script_of(owner: Client, *scopes: str, days: int = 30) -> Client:
    """Give a client that calls with a new token of a person."""
    return Client(owner.facility, token=new_token(owner, *scopes, days=days)["token"])


def new_machine(
    admin: Client, *addresses: str, scopes: tuple[str, ...] = ("uploads:write",)
) -> dict[str, Any]:
    """Let an admin make a machine; gives the whole answer."""
    body = {"name": "NovaSeq X", "addresses": list(addresses), "scopes": list(scopes), "expiresInDays": 365}
    answer = admin.post("/api/admin/machines", body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json
    return made


def machine_at(admin: Client, *addresses: str, scopes: tuple[str, ...] = ("uploads:write",)) -> Client:
    """Give a client that calls with the token of a new machine."""
    return Client(admin.facility, token=new_machine(admin, *addresses, scopes=scopes)["token"])
