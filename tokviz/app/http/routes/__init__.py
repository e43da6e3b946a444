"""What the widgets ask while someone types, one module for each page."""
