"""Refusals of the registry's signed side."""

from seqfacility_wire.command_line.refusal import Refused


class TrustRefused(Refused):
    """What somebody wants to sign cannot be signed, or what is signed does not hold; one line says why."""
