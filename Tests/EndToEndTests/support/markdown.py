"""Reads the fenced blocks of Markdown files."""

import collections

Block = collections.namedtuple("Block", "path line info text")


def blocks(path):
    """Returns the fenced blocks of a file with the line of their fence."""
    found, opened, lines = [], None, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.lstrip().startswith("```"):
            if opened:
                lines.append(line)
        elif opened:
            found.append(Block(path, *opened, "\n".join(lines) + "\n"))
            opened = None
        else:
            opened, lines = (number, line.lstrip()[3:].strip()), []
    if opened:
        raise ValueError(f"{path}:{opened[0]}: the block has no end")
    return found
