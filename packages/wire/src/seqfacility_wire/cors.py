"""Cross-origin reading of public documents."""

from falcon import Response


def allow_any_origin(resp: Response) -> None:
    """Let any site read this answer. Spec: registry, Limits, CORS."""
    resp.set_header("Access-Control-Allow-Origin", "*")


def answer_preflight(resp: Response) -> None:
    """Answer OPTIONS of a public document: 204 without a body. Gap: G236."""
    allow_any_origin(resp)
    resp.set_header("Access-Control-Allow-Methods", "GET, OPTIONS")
    resp.set_header("Allow", "GET, HEAD, OPTIONS")
    resp.status = 204
