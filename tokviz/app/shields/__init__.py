"""Protection of the server: admission, limits, headers, and the turns, budgets and child processes of visitors."""
