"""Score tables that a page without Python can look up: other orders of a list, other mixes of users."""
