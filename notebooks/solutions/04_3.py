# Solution 3
# Going down one rank costs the film page p_film (films + 1) (1/k - 1/(k+1)); coming up, the book page
# gains the same with its own numbers. The ranks cancel.
def book_first(p_film, films, p_book, books):
    return p_book * (books + 1) > p_film * (films + 1)


assert counting.agrees(book_first) is True
print(
    "wrong in one case or more:",
    counting.agrees(lambda p_film, films, p_book, books: p_book > p_film),
)
