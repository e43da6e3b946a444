"""Choice of the points to draw of a curve that has a value for every count."""

import numpy as np

_PER_POWER_OF_TEN = 24


def spread(most: int) -> list[int]:
    """Whole numbers from 1 to `most`, evenly spread on a logarithmic scale; none below 1."""
    if most < 1:
        return []
    places = np.geomspace(1, most, 2 + int(_PER_POWER_OF_TEN * np.log10(most)))
    return sorted(set(map(round, places.tolist())))
