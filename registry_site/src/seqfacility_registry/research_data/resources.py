"""The research-data tracker over HTTP."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import query_flag, query_text

from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.publishing import RESEARCH_DATA, publish
from seqfacility_registry.research_data.rules import MetricFilter, metric_names


@dataclass(frozen=True, slots=True)
class ResearchData:
    """The metrics, filtered as asked."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the metrics that pass every filter.

        Spec: registry, Research-data tracker. Decision: G239.
        """
        wanted = MetricFilter(
            flagship_only=query_flag(req, "flagship"),
            latest_only=query_flag(req, "latest"),
            metrics=metric_names(query_text(req, "metric")),
            category=query_text(req, "category"),
        )
        publish(req, resp, self.content.current().research_data.ready(wanted), RESEARCH_DATA)
