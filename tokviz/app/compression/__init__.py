"""What the Compression page answers: its questions, the analyses behind them, and their charts and tables."""
