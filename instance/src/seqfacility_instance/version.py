"""The release of this installation."""

from importlib.metadata import version

RELEASE = version("seqfacility-instance")
"""Semantic version of the instance. Decision: G37."""
