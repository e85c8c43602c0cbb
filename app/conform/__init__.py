"""Whether a server keeps the contract: requests, and what has to come back."""
