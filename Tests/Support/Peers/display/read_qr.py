#!/usr/bin/env python3
"""Decodes the QR code in a terminal's text with zbarimg. Reads the text from standard input, writes the content.

Draws the text as a terminal does: block characters in the foreground color, everything else in the background color.
With --light, text without colors is black on white.
"""
import re
import subprocess
import sys
import tempfile

SCALE = 4
HALVES = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}


def rows(text, is_light):
    """Returns the rows of pixels of the lines with blocks; True is white."""
    for line in text.split("\n"):
        colors = re.findall(r"\x1b\[([0-9;]+)m", line)
        plain = re.sub(r"\x1b\[[0-9;]*m", "", line)
        if not plain or set(plain) - set(HALVES) or not set(plain) - {" "}:
            continue
        white_on_black = "38;5;231;48;5;16" in colors if colors else not is_light
        for half in (0, 1):
            yield [bool(HALVES[character][half]) == white_on_black for character in plain]


def main():
    pixels = list(rows(sys.stdin.read(), "--light" in sys.argv))
    if not pixels or len({len(row) for row in pixels}) != 1:
        sys.exit("no QR code, or its lines differ in length")
    width, height = len(pixels[0]) * SCALE, len(pixels) * SCALE
    image = bytearray(f"P5 {width} {height} 255\n".encode())
    for row in pixels:
        line = bytes(255 if pixel else 0 for pixel in row for _ in range(SCALE))
        image += line * SCALE
    with tempfile.NamedTemporaryFile(suffix=".pgm") as file:
        file.write(image)
        file.flush()
        result = subprocess.run(
            ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file.name], stdout=subprocess.PIPE)
    sys.stdout.buffer.write(result.stdout)
    sys.exit(result.returncode)


if __name__ == "__main__":
    main()
