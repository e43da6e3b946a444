"""What there is to say about texts and tokens: counts, characters, the branches of a split pattern."""
