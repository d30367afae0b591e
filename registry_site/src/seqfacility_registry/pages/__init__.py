"""The pages that people read, made from the answers of a registry, in the service and in every mirror."""
