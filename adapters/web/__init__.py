"""The web server and the HTTP client."""
