"""The catalog of sequencing technology: local read, administration, sync from a registry."""
