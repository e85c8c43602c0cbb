"""What operators see of a request: metrics, traces and one line of log."""
