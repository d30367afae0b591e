"""The beginning of a package that is not one of nf-core."""
