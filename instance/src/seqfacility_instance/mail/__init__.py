"""Mail to people: what is queued, who wants which, how it is written and sent. Decision: G837."""
