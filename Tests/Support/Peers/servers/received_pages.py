#!/usr/bin/env python3
"""Reads the samples of a receiving server's database by the layout in docs/server.md, without the server's code.

    received_pages.py DATABASE    prints a line for each sample: position, user, type, id, start, end, value, bundle,
                                  device, revision, deleted, uppercase
    received_pages.py DATABASE sizes    prints the number of samples in each page, in the order in which they were stored
"""

import sqlite3
import struct
import sys
import uuid

QUERY = """SELECT first_position, name, type, count, alive, revised, first_start_ms, last_start_ms, last_end_ms,
    digest_high, digest_low, ids, columns
    FROM sample_pages JOIN series USING (series_id) JOIN users USING (user_id) ORDER BY first_position"""


def columns_of(page):
    version, count = struct.unpack_from("<BI", page)
    assert version == 1, f"version {version}"
    at, columns = 5, []
    for _ in ("start", "length", "value", "origin", "revision", "marks"):
        form = page[at]
        at += 1
        if form == 9:
            columns.append(list(struct.unpack_from(f"<{count}d", page, at)))
            at += 8 * count
            continue
        (base,) = struct.unpack_from("<q", page, at)
        at += 8
        offsets = struct.unpack_from(f"<{count}{dict([(1, 'B'), (2, 'H'), (4, 'I'), (8, 'Q')])[form]}", page, at) if form else [0] * count
        at += form * count
        columns.append([base + offset for offset in offsets])
    assert at == len(page), "trailing bytes"
    return columns


def samples(database):
    """Yields every sample as a dictionary, including tombstones, in the order of storing; checks the summary of each page."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        origins = {row[0]: row[1:] for row in connection.execute("SELECT origin_id, bundle_id, device_name, unit FROM origins")}
        for first, user, kind, count, alive, revised, *times, high, low, ids, page in connection.execute(QUERY):
            rows = []
            for index, (start, length, value, origin, revision, marks) in enumerate(zip(*columns_of(page))):
                bundle, device, unit = origins.get(origin, (None, None, None))
                rows.append({
                    "position": first + index, "user": user, "type": kind,
                    "id": uuid.UUID(bytes=ids[16 * index:16 * index + 16]), "start": start, "end": start + length,
                    "value": float(value), "bundle": bundle, "device": device, "unit": unit, "revision": revision,
                    "deleted": bool(marks & 1), "uppercase": bool(marks & 2)})
            living = [row for row in rows if not row["deleted"]]
            assert (len(rows), len(living)) == (count, alive), f"counts of page {first}"
            assert revised == sum(row["deleted"] or row["revision"] != 0 for row in rows), f"revised of page {first}"
            starts = [row["start"] for row in living] or [0]
            assert times == [min(starts), max(starts), max([row["end"] for row in living] or [0])], f"times of page {first}"
            digest = sum(row["id"].int for row in living) % (1 << 128)
            assert digest == (high % (1 << 64)) << 64 | low % (1 << 64), f"digest of page {first}"
            yield from rows


def sizes(database):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return [row[0] for row in connection.execute("SELECT count FROM sample_pages ORDER BY first_position")]


if __name__ == "__main__":
    if sys.argv[2:] == ["sizes"]:
        print(*sizes(sys.argv[1]), sep="\n")
        sys.exit()
    for row in samples(sys.argv[1]):
        print("\t".join(str(row[name]) for name in (
            "position", "user", "type", "id", "start", "end", "value", "bundle", "device", "revision", "deleted", "uppercase")))
