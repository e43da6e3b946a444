"""What runs in processes of its own, with limits of time and memory."""
