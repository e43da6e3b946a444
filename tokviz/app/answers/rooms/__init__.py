"""Rooms in which a class votes from its phones: what they hold and who may do what, without a network."""
