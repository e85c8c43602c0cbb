"""Counter-based random numbers: the draw of token i depends on the seed and on i alone."""

import numpy as np


def uniform(seed: int, index: int) -> float:
    """A float64 in [0, 1) for output token ``index`` of a request with that uint64 seed.

    Philox4x64-10 (Salmon et al., SC 2011) keyed by the seed with the index as its counter, so
    that a request can be resumed anywhere from its tokens and goes on as it would have.
    """
    return float(np.random.Generator(np.random.Philox(key=seed, counter=index)).random())
