"""Install profiles: a facility's decisions in one document, applied when it is set up."""
