"""What answers: routes, what requests ask for, and what is kept for visitors."""
