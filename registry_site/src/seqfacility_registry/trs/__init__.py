"""The pipelines as a GA4GH Tool Registry Service, read-only. See docs/adr/0025."""
