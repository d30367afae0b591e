"""Refusals of the MIxS registry."""

from seqfacility_wire.errors import ServiceError


class UnknownAccession(ServiceError):
    """Spec: registry, Errors: unknown accession."""

    status = 404
    message = "Unknown MIxS checklist accession: {accession}"
