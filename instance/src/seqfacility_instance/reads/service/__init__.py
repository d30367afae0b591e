"""Use cases of reads, artifacts and delivery, one module for each."""
