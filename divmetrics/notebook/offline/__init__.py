"""Compute tables for pages without a kernel: the scores of every reordering, and of other mixes of users."""
