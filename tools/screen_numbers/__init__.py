"""Compare the numbers on the screen with the library, in Chromium, Firefox and WebKit.

    python -m tools.screen_numbers                                       10,000 numbers in each browser
    python -m tools.screen_numbers firefox --numbers 500                 in one of them
    python -m tools.screen_numbers firefox --seed 7 --page 05_grading    again what a run printed

A random user opens pages of the book in site/ and uses their widgets. After each action, every number is
compared with what the library computes from the documents, grades and probabilities on the screen.
"""
