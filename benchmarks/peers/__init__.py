"""The engine against its peers on one workload: ``python -m benchmarks.peers``."""
