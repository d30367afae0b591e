"""Long-lived processes beside the web server: each is a tick that may run twice and lose nothing."""
