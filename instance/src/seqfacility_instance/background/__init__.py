"""Work that outlives the request that asked for it: a queue in the database, leased by workers."""
