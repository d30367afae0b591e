"""The release of this installation."""

from importlib.metadata import version

RELEASE = version("seqfacility-registry")
"""Semantic version of the registry, sent as `X-Service-Version`. Decision: G17."""
