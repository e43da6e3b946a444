"""What the widgets ask while someone types or clicks. A module lists its routes; `server.py` lists the modules."""
