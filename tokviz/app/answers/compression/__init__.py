"""The Compression page's questions, the analyses behind them, and their charts and tables."""
