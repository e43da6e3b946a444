"""What texts cost: tokens, bytes, words, and what each merge buys."""
