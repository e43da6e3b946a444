"""Byte pair encoding: the algorithm and nothing else."""
