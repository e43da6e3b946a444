"""The package's version, the only place; `pyproject.toml` reads it from here."""

__version__ = "0.1.0"
