"""The command `tokviz`: one module per subcommand, each with `add_to`, which describes it, and `run`."""
