#!/usr/bin/env python3
"""A collection of faulty and odd exports, and what a correct reader reports of each.

    apple_faults.py --out DIR

Writes the files and DIR/manifest.json: {"cases": [{...}]}, each case with

    file         name below DIR (some are folders)
    about        what is odd about it
    error        null, or why nothing at all can be read: not-an-export, no-export,
                 empty-archive, encrypted, overlap, bomb, damaged
    incomplete   whether the reader must call the input incomplete
    read         records met, used or refused
    used         records used; `records` lists them in the shape of expat_reader.py, and
                 `aggregate` with min, max, average, recordCount where there is no value
    usedAtLeast  a correct reader may use fewer than `used`, but no fewer than this
    refused      {reason: n}: date, type, value, attribute-twice
    tolerated    {fault: n} of records used in spite of it
    skipped      [{offset, length}] stretches to report; a report that overlaps one is right
    loose        members of `records` that are not to be compared
    main         of archives and folders: the main file, null where its name is unreadable
    expat        the file without its DTD is well-formed, expat_reader.py reads the same
    certain      false where the specification leaves room: then only three things are
                 asked: no crash, every record met is used or refused, no made-up values

The names of reasons and faults are this judge's own; their totals are what counts.
The same files, byte for byte, every time.
"""

import argparse
import json
import os
import sys

sys.dont_write_bytecode = True
from faults import archives, texts  # noqa: E402


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def write_all(out):
    """Writes every case and the manifest; returns the entries."""
    entries = []
    for entry, data in [*texts.cases(), *archives.cases()]:
        entries.append(entry)
        path = os.path.join(out, entry["file"])
        parts = data if isinstance(data, dict) else {"": data}
        for name, part in parts.items():
            write(os.path.join(path, name) if name else path, part)
    manifest = json.dumps({"version": 1, "cases": entries}, indent=1, ensure_ascii=True) + "\n"
    write(os.path.join(out, "manifest.json"), manifest.encode())
    return entries


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True)
    options = parser.parse_args(arguments)
    print(f"{len(write_all(options.out))} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
