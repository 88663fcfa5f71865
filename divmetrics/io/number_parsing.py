"""Parse decimal numbers, one by one or a column at once.

numpy parses columns, eight ASCII digits at a time as the bytes of one 64-bit number. Other fields (exponents,
many digits) are parsed one by one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from divmetrics.io.string_column import WORD, StringColumn, windows

INTEGER = re.compile(rb"([+-]?[0-9]+)(?:\.0*)?")  # many programs write 1 as 1.0
NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

LARGEST_WHOLE_FLOAT = 2**53 - 1  # a float holds all integers up to here
MOST_DIGITS = 15  # a float holds 15 digits and 10**15 exactly
ROUNDS = 8  # a round parses the fields with as many decimals as the first unparsed field
MINUS, PLUS, POINT = b"-+."
EACH_BYTE = 0x0101010101010101


def integer(field: bytes) -> int:
    """Parse an integer, perhaps written as 1.0 or 1e3; raise ValueError if it is none or has over 64 bits."""
    match = INTEGER.fullmatch(field)
    value = int(match[1]) if match else number(field)
    if isinstance(value, float) and (not value.is_integer() or abs(value) > LARGEST_WHOLE_FLOAT):
        raise ValueError
    if not -(2**63) <= value < 2**63:
        raise ValueError
    return int(value)


def number(field: bytes) -> float:
    """Parse a decimal number, perhaps with an exponent; raise ValueError if it is none or is not finite."""
    if not NUMBER.fullmatch(field):
        raise ValueError
    value = float(field)
    if not math.isfinite(value):
        raise ValueError
    return value


def integers(column: StringColumn) -> np.ndarray:
    """Parse a column of integers, none of them empty, as int64; raise ValueError as `integer` does."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *map(_integers, column.pieces())])


def numbers(column: StringColumn) -> np.ndarray:
    """Parse a column of numbers, none of them empty, as float64; raise ValueError as `number` does."""
    return np.concatenate([np.zeros(0), *map(_numbers, column.pieces())])


def _integers(column: StringColumn) -> np.ndarray:
    words = windows(column.buffer, column.end, 2 * WORD)
    values, fit = _digits(words, 0, column.end - column.begin)
    return _with_others(values.astype(np.int64), fit, column, integer)


def _numbers(column: StringColumn) -> np.ndarray:
    values, fit = np.zeros(len(column)), np.zeros(len(column), dtype=bool)
    unparsed = np.flatnonzero(column.end - column.begin <= MOST_DIGITS + 2)  # with a sign and a point
    for _ in range(ROUNDS):
        if not len(unparsed):
            break
        values[unparsed], fit[unparsed] = _numbers_like_first(column.take(unparsed))
        unparsed = unparsed[1:][~fit[unparsed[1:]]]
    return _with_others(values, fit, column, number)


def _numbers_like_first(column: StringColumn) -> tuple[np.ndarray, np.ndarray]:
    """Parse fields with as many decimals as the first; return values, and whether each is valid."""
    buffer, begin, end = column.buffer, column.begin, column.end
    _, point, decimals = buffer[begin[0] : end[0]].tobytes().partition(b".")
    places = min(len(decimals), MOST_DIGITS)
    sign = buffer[begin]
    negative = sign == MINUS
    length = end - begin - (negative | (sign == PLUS)) - len(point) - places
    words = windows(buffer, end, 4 * WORD)
    whole, fit = _digits(words, places + len(point), np.maximum(length, 0))
    part, part_fits = _digits(words, 0, np.array(places))
    values = (whole * 10**places + part) / 10**places
    fit &= part_fits & (length >= 0) & (length + places > 0) & (length + places <= MOST_DIGITS)
    if point:
        fit &= _eight(words, places) >> np.uint64(8 * (WORD - 1)) == POINT
    return np.where(negative, -values, values), fit


def _digits(words: np.ndarray, back: int, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Parse the `length` <= 16 digits that end `back` bytes before the end; return values, and validity."""
    values, fit = _few_digits(_eight(words, back), np.minimum(length, WORD))
    if (length > WORD).any():
        more = np.maximum(length - WORD, 0)
        higher, higher_fit = _few_digits(_eight(words, back + WORD), np.minimum(more, WORD))
        values, fit = values + higher * 10**WORD, fit & higher_fit & (more <= WORD)
    return values, fit


def _eight(words: np.ndarray, back: int) -> np.ndarray:
    """Return the eight bytes that end `back` bytes before the end of the windows, as 64-bit words."""
    whole, rest = divmod(back, WORD)
    last = words[:, -1 - whole]
    if not rest:
        return last
    return last << np.uint64(8 * rest) | words[:, -2 - whole] >> np.uint64(8 * (WORD - rest))


def _few_digits(word: np.ndarray, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Parse the last `length` of eight ASCII digits, vectorised; return values, and whether each is valid."""
    others = 8 * (WORD - length).astype(np.uint64)  # bits of the bytes before the digits
    word = (word ^ np.uint64(ord("0") * EACH_BYTE)) >> others << others
    above_nine = word | (word + np.uint64((0x80 - 10) * EACH_BYTE))  # in the highest bit of a byte
    fit = above_nine & np.uint64(0x80 * EACH_BYTE) == 0
    for bits, ten in ((8, 10), (16, 100), (32, 10_000)):  # join pairs of digits, then pairs of the results
        first = np.uint64((2**64 - 1) // (2**bits + 1))  # selects every second number
        word = (word & first) * np.uint64(ten) + (word >> np.uint64(bits) & first)
    return word, fit


def _with_others(
    values: np.ndarray, fit: np.ndarray, column: StringColumn, read: Callable[[bytes], Any]
) -> np.ndarray:
    """Return the values with those that do not fit parsed one by one by `read`; raises ValueError."""
    rows = np.flatnonzero(~fit)
    spans = zip(column.begin[rows].tolist(), column.end[rows].tolist(), strict=True)
    values[rows] = [read(column.buffer[begin:end].tobytes()) for begin, end in spans]
    return values
