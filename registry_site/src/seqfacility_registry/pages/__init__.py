"""The pages of a registry, rendered from its API answers, in the service and in every mirror."""
