"""The address that absolute links begin with."""

import re
from dataclasses import dataclass

from falcon import Request

_HOST = re.compile(r"([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class Links:
    """Gives the address of the service as the caller knows it, ending in `/api`.

    Without a public address the request's host decides; a `Host` header that names no host is not repeated.

    Decision: G232.
    """

    public_url: str | None

    def base_url(self, req: Request) -> str:
        """Return `http://host/api` without a slash at its end."""
        if self.public_url is not None:
            return self.public_url
        host = (
            req.netloc
            if _HOST.fullmatch(req.netloc)
            else f"{req.env['SERVER_NAME']}:{req.env['SERVER_PORT']}"
        )
        return f"{req.scheme}://{host}/api"
