"""Splits an Apple Health export into several files, with the records in another order.

    split_export.py EXPORT.xml --parts N --seed S --out DIR [--keep-order]

Every part is a whole export: the document's head, its ExportDate and Me, and a share of the other top-level elements,
byte for byte as in EXPORT.xml. Together, the parts contain exactly the elements of EXPORT.xml.
Prints the paths of the parts, one per line.
"""

import argparse
import pathlib
import random
import re
import xml.parsers.expat


TAG = re.compile(rb"""<(?:[^>"']|"[^"]*"|'[^']*')*>""")


def element_ranges(data: bytes):
    """Returns the name and byte range of each element directly below the root."""
    parser = xml.parsers.expat.ParserCreate()
    depth = 0
    ranges = []
    open_at = None

    def start(name, attributes):
        nonlocal depth, open_at
        depth += 1
        if depth == 2:
            open_at = (name, parser.CurrentByteIndex)

    def end(name):
        nonlocal depth
        depth -= 1
        if depth == 1:
            # At the end of an empty element, the position may be at its only tag or after it.
            tag = TAG.match(data, parser.CurrentByteIndex)
            ranges.append((open_at[0], open_at[1], tag.end() if tag else parser.CurrentByteIndex))

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.Parse(data, True)
    return ranges


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("export", type=pathlib.Path)
    arguments.add_argument("--parts", type=int, default=1)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--keep-order", action="store_true")
    arguments.add_argument("--out", type=pathlib.Path, required=True)
    options = arguments.parse_args()

    data = options.export.read_bytes()
    ranges = element_ranges(data)
    head = data[: ranges[0][1]]
    shared = [data[a:b] for name, a, b in ranges if name in ("ExportDate", "Me")]
    others = [data[a:b] for name, a, b in ranges if name not in ("ExportDate", "Me")]
    if not options.keep_order:
        random.Random(options.seed).shuffle(others)

    options.out.mkdir(parents=True, exist_ok=True)
    for part in range(options.parts):
        share = others[part :: options.parts]
        path = options.out / f"part-{part:02}.xml"
        path.write_bytes(head + b"\n".join(shared + share) + b"\n</HealthData>\n")
        print(path)


if __name__ == "__main__":
    main()
