"""What several tests lean on: strategies, a naive reference, a kernel, payloads."""
