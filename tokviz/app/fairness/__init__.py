"""Who is served when: visitors, and turns, threads and bytes shared fairly among them."""
