"""The rows of the Errors chapter and of G144 that concern pipelines."""

from seqfacility_wire.errors import ServiceError


class PipelineNotFound(ServiceError):
    """An unknown pipeline, here or in the registry. Decision: G14, G144."""

    status = 404
    message = "Pipeline not found"


class PackageNotFound(ServiceError):
    """The registry knows the pipeline, but not this version of its package. Decision: G144, G284."""

    status = 404
    message = "Pipeline package not found"


class InvalidPipelineId(ServiceError):
    """Spec: instance, Errors: create run, unknown pipelineId. Decision: G144, G148."""

    message = "Invalid pipeline ID"


class InvalidPipelineVersion(ServiceError):
    """A version that no package can have. Decision: G144."""

    message = "Invalid pipeline version"


class NotInstallable(ServiceError):
    """The registry lists the pipeline, but does not hand it out. Decision: G143, G144, G235."""

    message = "Pipeline {pipeline_id} is not installable"


class AlreadyInstalled(ServiceError):
    """A version is installed once. Decision: G144."""

    status = 409
    message = "Pipeline {pipeline_id} {version} is already installed"


class PipelineWithdrawn(ServiceError):
    """A version that its registry has taken back. Decision: G930, G932."""

    status = 409
    message = "Pipeline {pipeline_id} {version} was withdrawn: {reason}"


class OlderThanInstalled(ServiceError):
    """A version below the highest installed one is installed only when it is named and confirmed.

    Decision: G442.
    """

    status = 409
    message = "Pipeline {pipeline_id} {version} is older than {highest}, which is installed"


class NeedsNewerRelease(ServiceError):
    """A package that a later release can run. Decision: G445."""

    status = 409
    message = "Pipeline {pipeline_id} {version} needs release {wanted} or newer; this is {ours}"


class PackageRefused(ServiceError):
    """Schema, digest or a rule of the package format. Decision: G129, G144, G290."""

    message = "Package validation failed"


class ConfigRefused(ServiceError):
    """A configuration that does not fit the schema of its pipeline. Decision: G142."""

    message = "Config validation failed"


class BundledNotRemovable(ServiceError):
    """What came with the service stays. Decision: G144."""

    message = "Bundled pipelines cannot be removed"


class HasActiveRuns(ServiceError):
    """A package is needed by the runs that use it. Decision: G144."""

    status = 409
    message = "Pipeline has active runs"


class PipelineDisabled(ServiceError):
    """Spec: instance, Errors: create run, pipeline installed but not enabled. Decision: G153."""

    status = 403
    message = "Pipeline {pipeline_id} is disabled"


class RepositoryNotReadable(ServiceError):
    """The repository did not give the commit. Decision: G336, G337."""

    status = 502
    message = "Repository cannot be read"


class GitNotInstalled(ServiceError):
    """Importing needs git on this machine. Decision: G336."""

    message = "git is not installed"
