"""Compress a png without loss: notebooks contain a png of every figure."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
RGB, INDEXED, RGBA = 2, 3, 6  # colour types of the png format
SUB = 1  # a row filter: the difference from the pixel to the left


def recompress(png: bytes) -> bytes:
    """Return the same picture with a palette if it has at most 256 colours, else as RGB, compressed well.

    A png that is not opaque 8-bit RGBA, or has row filters other than none and Sub (as vl-convert writes
    them), is returned unchanged.
    """
    chunks = list(_chunks(png))
    header = next(data for kind, data in chunks if kind == b"IHDR")
    width, height, depth, colour_type, *_, interlaced = struct.unpack(">IIBBBBB", header)
    if (depth, colour_type, interlaced) != (8, RGBA, 0):
        return png
    packed = zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT"))
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(height, 1 + 4 * width)
    filters, pixels = rows[:, 0], rows[:, 1:].reshape(height, width, 4)
    if (filters > SUB).any():
        return png
    # uint8 sums wrap around, as the Sub filter requires.
    pixels = np.where((filters == SUB)[:, None, None], np.cumsum(pixels, axis=1, dtype=np.uint8), pixels)
    if (pixels[..., 3] != 255).any():
        return png
    # One number per pixel: numpy sorts numbers far faster than triples.
    red, green, blue = (pixels[..., channel].astype(np.uint32) for channel in range(3))
    colours, index = np.unique(red << 16 | green << 8 | blue, return_inverse=True)
    out = [(b"pHYs", data) for kind, data in chunks if kind == b"pHYs"]
    if len(colours) <= 256:
        colour_type, body = INDEXED, index.reshape(height, width).astype(np.uint8)
        out.append((b"PLTE", b"".join(int(colour).to_bytes(3, "big") for colour in colours)))
    else:
        colour_type, body = RGB, pixels[..., :3].reshape(height, 3 * width)
    unfiltered = np.concatenate([np.zeros((height, 1), dtype=np.uint8), body], axis=1)
    out.append((b"IDAT", zlib.compress(unfiltered.tobytes(), 9)))
    out = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0)), *out, (b"IEND", b"")]
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in out)


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    offset = len(SIGNATURE)
    while offset < len(png):
        length, kind = struct.unpack(">I4s", png[offset : offset + 8])
        yield kind, png[offset + 8 : offset + 8 + length]
        offset += length + 12


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
