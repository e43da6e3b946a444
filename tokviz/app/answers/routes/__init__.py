"""Routes that widgets call while someone types or clicks. `server.py` lists the modules, each module its routes."""
