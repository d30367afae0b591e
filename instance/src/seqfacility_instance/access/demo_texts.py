"""Which words refuse a demo session, by route."""

import re

_RUN_ACTIONS = "Pipeline execution is disabled in the public demo."
_TEXTS = (
    (r"/api/files/download", "Downloads are disabled in the public demo."),
    (r"/api/pipelines/runs/[^/]+/selection", "Pipeline result selection is disabled in the public demo."),
    (r"/api/pipelines/runs/[^/]+/sync", "Run synchronization is disabled in the public demo."),
    (
        r"/api/pipelines/runs/[^/]+/(pending-writebacks|cleaned-reads|sequenced-reads)",
        "Read promotion is disabled in the public demo.",
    ),
    (r"/api/pipelines/runs(/.*)?", _RUN_ACTIONS),
    (r"/api/orders/[^/]+/delivery/links(/.*)?", "Downloads are disabled in the public demo."),
    (r"/api/orders/[^/]+/sequencing/delivery(/.*)?", "Delivery publication is disabled in the public demo."),
    (r"/api/orders/[^/]+/sequencing(/.*)?", "Sequencing data management is disabled in the public demo."),
    (r"/api/orders/[^/]+/stream(/.*)?", "Live ingest is disabled in the public demo."),
    (r"/api/files/(checksum|delete)", "File management is disabled in the public demo."),
    (r"/api/(orders|samples)(/.*)?", "Order editing is disabled in the public demo."),
    (r"/api/studies(/.*)?", "Study editing is disabled in the public demo."),
    (r"/api/(tickets|notifications)(/.*)?", "Messages are disabled in the public demo."),
    (r"/api/admin(/.*)?", "Administration is disabled in the public demo."),
)
_OTHER = "Account changes are disabled in the public demo."


def demo_refusal(path: str) -> str:
    """Choose the text that refuses a demo session on `path`; the first match of the table wins.

    Spec: instance, Errors: mutating or download endpoints. Decision: G248.
    """
    return next((text for pattern, text in _TEXTS if re.fullmatch(pattern, path)), _OTHER)
