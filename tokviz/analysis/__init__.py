"""Analysis of texts and tokens: counts, characters, the branches of a split pattern, comparisons, and more."""
