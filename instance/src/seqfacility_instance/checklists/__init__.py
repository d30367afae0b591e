"""MIxS and archive checklists: every version that was ever active, found by accession or by name."""
