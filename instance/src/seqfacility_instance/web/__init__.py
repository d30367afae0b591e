"""What the service says of itself: the OpenAPI document, and the page that shows it to people."""
