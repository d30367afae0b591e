"""The registry contract as cases that run against any host: our own service, a mirror, a static export."""
