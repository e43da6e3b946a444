"""Checking somebody's byte pair encoding: the first difference, the tie rule, and the mistake behind it."""
