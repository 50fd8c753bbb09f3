#!/usr/bin/env python3
"""Writes faulty and unusual exports, and what a correct reader reports of each.

    apple_faults.py --out DIR

Writes the files and DIR/manifest.json: {"cases": [{...}]}, each case with

    file         name below DIR (some are folders)
    about        what is unusual about it
    error        null, or why nothing can be read: not-an-export, no-export,
                 empty-archive, encrypted, overlap, bomb, damaged
    incomplete   whether the reader must report the input as incomplete
    read         number of records, used or refused
    used         number of records used; `records` lists them in the format of expat_reader.py,
                 and `aggregate` with min, max, average, recordCount if a record has no value
    usedAtLeast  a correct reader may use fewer than `used`, but no fewer than this
    refused      {reason: n}: date, type, value, attribute-twice
    tolerated    {fault: n} of records used despite a fault
    skipped      [{offset, length}] ranges to report; a report that overlaps one is correct
    loose        members of `records` that must not be compared
    main         of archives and folders: the main file, null if its name is unreadable
    expat        whether the file without its DTD is well-formed, so that expat_reader.py reads
                 the same
    certain      false if the specification allows several results. The reader must then not
                 crash, use or refuse every record, and invent no values

The names of reasons and faults are specific to this script; compare only their totals.
The files have the same bytes on every run.
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
