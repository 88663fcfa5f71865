"""What the lessons need besides their argument: other choices tried at once, and checks of exercises."""
