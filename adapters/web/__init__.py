"""The web server: health, metrics, and what platforms want to be reached by."""
