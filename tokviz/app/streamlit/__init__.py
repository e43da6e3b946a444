"""What mends Streamlit, and what pages give to it."""
