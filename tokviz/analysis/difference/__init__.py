"""Are two tokenizers the same? If not, what shows it."""
