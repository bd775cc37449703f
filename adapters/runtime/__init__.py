"""The services of a serving process beside the platforms: web server, deliveries, sources."""
