"""The server: what it takes in, what it answers, and how it stays up."""
