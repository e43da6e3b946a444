"""Contents of vocabularies: tokens used, unused and unreachable."""
