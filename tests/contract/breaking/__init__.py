"""What a client of one document misses in a later one.

No comparer that is kept up can be installed from PyPI or npm alone, and none knows what the
document's own extension keys do to a request.
"""

from tests.contract.breaking.operations import breaking_changes

__all__ = ["breaking_changes"]
