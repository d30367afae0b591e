"""Which words refuse a demo session on which route."""

import pytest
from seqfacility_instance.access.demo_texts import demo_refusal


@pytest.mark.parametrize(
    ("path", "feature"),
    [
        ("/api/files/download", "Downloads are"),
        ("/api/orders/o1/delivery/links", "Downloads are"),
        ("/api/orders/o1/delivery/links/l1", "Downloads are"),
        ("/api/pipelines/runs", "Pipeline execution is"),
        ("/api/pipelines/runs/validate", "Pipeline execution is"),
        ("/api/pipelines/runs/r1", "Pipeline execution is"),
        ("/api/pipelines/runs/r1/start", "Pipeline execution is"),
        ("/api/pipelines/runs/r1/resolve-outputs", "Pipeline execution is"),
        ("/api/pipelines/runs/r1/selection", "Pipeline result selection is"),
        ("/api/pipelines/runs/r1/sync", "Run synchronization is"),
        ("/api/pipelines/runs/r1/pending-writebacks", "Read promotion is"),
        ("/api/pipelines/runs/r1/cleaned-reads", "Read promotion is"),
        ("/api/pipelines/runs/r1/sequenced-reads", "Read promotion is"),
        ("/api/orders/o1/sequencing/delivery/publication", "Delivery publication is"),
        ("/api/orders/o1/sequencing/uploads", "Sequencing data management is"),
        ("/api/orders/o1/sequencing/uploads/u1/complete", "Sequencing data management is"),
        ("/api/orders/o1/sequencing/runs/import", "Sequencing data management is"),
        ("/api/orders/o1/stream", "Live ingest is"),
        ("/api/orders/o1/stream/s1/stop", "Live ingest is"),
        ("/api/files/checksum", "File management is"),
        ("/api/files/delete", "File management is"),
        ("/api/orders", "Order editing is"),
        ("/api/orders/o1", "Order editing is"),
        ("/api/orders/o1/samples", "Order editing is"),
        ("/api/orders/sequencing", "Order editing is"),
        ("/api/samples/s1", "Order editing is"),
        ("/api/studies", "Study editing is"),
        ("/api/studies/s1/samples", "Study editing is"),
        ("/api/tickets/t1/messages", "Messages are"),
        ("/api/admin/settings/access", "Administration is"),
        ("/api/admin/pipelines/install", "Administration is"),
        ("/api/auth/password", "Account changes are"),
        ("/api/user/profile", "Account changes are"),
        ("/api/ordersandmore", "Account changes are"),
    ],
)
def test_a_route_has_its_own_words(path: str, feature: str) -> None:
    assert demo_refusal(path) == f"{feature} disabled in the public demo."
