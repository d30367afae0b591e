"""What the service says of itself: the OpenAPI document."""
