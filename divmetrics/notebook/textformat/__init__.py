"""A topic with lists, as people write and edit it."""
