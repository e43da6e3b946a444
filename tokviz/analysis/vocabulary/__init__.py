"""What a vocabulary holds: tokens used, unused and unreachable."""
