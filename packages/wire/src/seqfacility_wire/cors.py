"""Cross-origin reading of public documents."""

from falcon import Response


def allow_any_origin(resp: Response) -> None:
    """Allow any site to read this answer and its ETag. Spec: registry, Limits, CORS. Decision: G447."""
    resp.set_header("Access-Control-Allow-Origin", "*")
    resp.set_header("Access-Control-Expose-Headers", "ETag")


def answer_preflight(resp: Response) -> None:
    """Answer OPTIONS of a public document: 204 without a body, good for ten minutes. Decision: G236, G447."""
    allow_any_origin(resp)
    resp.set_header("Access-Control-Allow-Methods", "GET, OPTIONS")
    resp.set_header("Access-Control-Max-Age", "600")
    resp.set_header("Allow", "GET, HEAD, OPTIONS")
    resp.status = 204
