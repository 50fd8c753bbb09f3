"""Reads the colors of a browser screenshot (PNG)."""

import struct
import zlib


def rows(png):
    """Returns the rows of an 8-bit RGB or RGBA image, each a list of (red, green, blue)."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, data = 8, b""
    while at < len(png):
        size, kind = struct.unpack_from(">I4s", png, at)
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack_from(">IIBBBBB", png, at + 8)
            assert (depth, interlace) == (8, 0) and colour in (2, 6)
        elif kind == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += 12 + size
    data, step = zlib.decompress(data), 3 if colour == 2 else 4
    before, length, result = bytearray(width * step), width * step, []
    for row in range(height):
        start = row * (length + 1)
        kind, line = data[start], bytearray(data[start + 1:start + 1 + length])
        for index in range(length):
            left = line[index - step] if index >= step else 0
            above, corner = before[index], before[index - step] if index >= step else 0
            if kind == 4:
                guess = left + above - corner
                added = min((left, above, corner), key=lambda value: abs(guess - value))
            else:
                added = (0, left, above, (left + above) // 2)[kind]
            line[index] = (line[index] + added) & 255
        result.append([tuple(line[index:index + 3]) for index in range(0, length, step)])
        before = line
    return result
