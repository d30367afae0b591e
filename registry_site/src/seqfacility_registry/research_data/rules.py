"""Pure decisions of the research-data tracker: which metrics an answer has, and how much of each series."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MetricFilter:
    """What a reader asks for; all conditions must hold. No `metrics` and no `category` means any.

    Spec: registry, Research-data tracker. Decision: G239.
    """

    flagship_only: bool = False
    latest_only: bool = False
    metrics: frozenset[str] = frozenset()
    category: str | None = None

    def takes(self, metric: Mapping[str, object]) -> bool:
        """Return whether a metric passes all conditions."""
        return (
            (not self.flagship_only or metric["flagship"] is True)
            and (not self.metrics or metric["id"] in self.metrics)
            and (self.category is None or metric["category"] == self.category)
        )


def metric_names(text: str | None) -> frozenset[str]:
    """Read the comma list of a `metric` parameter. Spec: registry, Research-data tracker."""
    return frozenset(part.strip() for part in (text or "").split(",") if part.strip())


def filtered(snapshot: Mapping[str, object], wanted: MetricFilter) -> dict[str, object]:
    """Make the answer of a snapshot: `count` and `metrics` after filtering, everything else as it stands.

    Spec: registry, Research-data tracker. Decision: G239.
    """
    metrics = [_shortened(metric, wanted) for metric in _metrics(snapshot) if wanted.takes(metric)]
    rest = {key: value for key, value in snapshot.items() if key not in {"metrics", "count"}}
    return {**rest, "count": len(metrics), "metrics": metrics}


def _shortened(metric: Mapping[str, object], wanted: MetricFilter) -> Mapping[str, object]:
    if not wanted.latest_only:
        return metric  # as it stands: the whole snapshot is filtered before its schema is asked
    series = metric["series"]
    assert isinstance(series, list)
    return {**metric, "series": series[-1:]}


def _metrics(snapshot: Mapping[str, object]) -> Iterable[Mapping[str, object]]:
    metrics = snapshot["metrics"]
    assert isinstance(metrics, list)
    return metrics
