"""What Streamlit draws: widgets, inputs, charts, and what is kept for them."""
