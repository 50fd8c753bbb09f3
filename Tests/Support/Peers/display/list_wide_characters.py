"""Prints the width in columns of each character in Python's Unicode database, one line `HEX WIDTH` per character."""

import sys
import unicodedata

for code in range(0x20, sys.maxunicode + 1):
    character = chr(code)
    category = unicodedata.category(character)
    if category in ("Cc", "Cn", "Cs", "Co", "Zl", "Zp"):
        continue
    if category in ("Mn", "Me", "Cf"):
        width = 0
    else:
        width = 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
    print(f"{code:x} {width}")
