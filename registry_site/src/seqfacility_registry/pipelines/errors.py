"""Refusals of the pipeline registry."""

from seqfacility_wire.errors import ServiceError


class InvalidPipelineId(ServiceError):
    """Spec: registry, Errors: id fails its pattern."""

    status = 400
    message = "Invalid pipeline ID"


class InvalidPipelineVersion(ServiceError):
    """Spec: registry, Errors: version fails its pattern."""

    status = 400
    message = "Invalid pipeline version"


class PipelineNotFound(ServiceError):
    """Spec: registry, Errors: unknown entry. Decision: G284."""

    status = 404
    message = "Pipeline not found"


class PackageNotFound(ServiceError):
    """Spec: registry, Errors: download of an unknown or private pipeline or version. Decision: G235, G284."""

    status = 404
    message = "Pipeline package not found"
