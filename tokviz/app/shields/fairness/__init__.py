"""Fair scheduling: visitors, and the turns, threads and bytes shared among them."""
