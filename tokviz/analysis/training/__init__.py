"""What a training gave, and what its options did."""
