#!/usr/bin/env python3
"""Reads the samples of a receiving server's database by the layout in docs/server-storage.md, without the server's code.

    received_pages.py DATABASE    prints a line for each sample: position, user, type, id, start, end, value, bundle,
                                  device, revision, deleted, uppercase
    received_pages.py DATABASE sizes    prints the number of samples in each page, in the order in which they were stored
    received_pages.py DATABASE check    prints nothing, but checks everything that is derived from the samples
"""

import collections
import sqlite3
import struct
import sys
import uuid

from digests import MASK, mixed, sample_content

# 2001-01-01T00:00:00Z, the beginning of cell 0 of the sums.
ORIGIN = 978_307_200_000

QUERY = """SELECT series_id, first_position, name, type, count, alive, revised, first_start_ms, last_start_ms, last_end_ms,
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


class Derived:
    """Recomputes what the database derives from the samples: the sums of cells and the index of ids."""

    def __init__(self, connection):
        self.connection = connection
        (self.key,) = connection.execute("SELECT hash_key & ~0 FROM positions").fetchone()
        self.sums = collections.defaultdict(lambda: [0, 0, 0])
        self.prefixes = collections.defaultdict(dict)
        self.ids = set()

    def add(self, series, row):
        identity = row["id"].int
        assert (series, identity) not in self.ids, f"{row['id']} is stored twice"
        self.ids.add((series, identity))
        prefix = mixed(mixed(identity >> 64 ^ self.key & MASK) ^ identity & MASK) >> 28
        self.prefixes[series][row["position"]] = prefix
        if not row["deleted"]:
            for level in (16, 22):
                sum = self.sums[series, level, (row["start"] - ORIGIN) // (1000 << level)]
                sum[0] += 1
                sum[1] += identity
                sum[2] += sample_content(row)

    def check(self):
        stored = {tuple(row[:3]): (row[3], (row[4] & MASK) << 64 | row[5] & MASK, row[6] & MASK) for row in
                  self.connection.execute("SELECT series_id, level, cell, count, digest_high, digest_low, content FROM sample_sums")}
        expected = {cell: (count, ids % (1 << 128), checksum & MASK) for cell, (count, ids, checksum) in self.sums.items()}
        assert stored == expected, f"sums of cells: {set(stored.items()) ^ set(expected.items())}"
        covered = collections.defaultdict(int)
        chunks = 0
        for segment, series, first, last, count, chunk_bits, offset_bits, bloom in self.connection.execute(
                "SELECT segment_id, series_id, first_position, last_position, count, chunk_bits, offset_bits, filter"
                " FROM id_segments ORDER BY series_id, first_position"):
            assert first > covered[series], f"segment {segment} overlaps another"
            covered[series] = last
            chunks += 1 << chunk_bits
            entries = dict(self.entries(segment, first, chunk_bits, offset_bits))
            wanted = {position: prefix for position, prefix in self.prefixes[series].items() if first <= position <= last}
            assert entries == wanted and len(entries) == count, f"entries of segment {segment}"
            words = struct.unpack(f"<{len(bloom) // 8}Q", bloom)
            for prefix in wanted.values():
                block, bits = (prefix * (len(words) // 8) >> 36) * 8, mixed(prefix)
                assert all(words[block + word] >> (bits >> 6 * word & 63) & 1 for word in range(8)), f"filter of segment {segment}"
        for series, positions in self.prefixes.items():
            # The server expects few ids after the last segment.
            recent = sum(position > covered[series] for position in positions)
            assert recent < 4096, f"{recent} ids of series {series} are not in a segment"
        assert chunks == self.connection.execute("SELECT count(*) FROM id_chunks").fetchone()[0], "chunks without a segment"

    def entries(self, segment, first, chunk_bits, offset_bits):
        width = max(1, (36 - chunk_bits + offset_bits + 7) // 8)
        for chunk in range(1 << chunk_bits):
            (page,) = self.connection.execute("SELECT entries FROM id_chunks WHERE chunk_id = ?", (segment * 65536 + chunk,)).fetchone()
            for at in range(0, len(page), width):
                entry = int.from_bytes(page[at:at + width], "little")
                yield first + entry % (1 << offset_bits), chunk << 36 - chunk_bits | entry >> offset_bits


def samples(database):
    """Yields every sample as a dictionary, including tombstones, by series and in the order of storing; checks the summary
    of each page, and at the end the sums of cells and the index of ids."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        connection.execute("BEGIN")
        derived = Derived(connection)
        origins = {row[0]: row[1:] for row in connection.execute("SELECT origin_id, bundle_id, device_name, unit FROM origins")}
        for series, first, user, kind, count, alive, revised, *times, high, low, ids, page in connection.execute(QUERY):
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
            for row in rows:
                derived.add(series, row)
            yield from rows
        derived.check()


def sizes(database):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return [row[0] for row in connection.execute("SELECT count FROM sample_pages ORDER BY first_position")]


if __name__ == "__main__":
    if sys.argv[2:] == ["sizes"]:
        print(*sizes(sys.argv[1]), sep="\n")
        sys.exit()
    for row in samples(sys.argv[1]):
        if sys.argv[2:] == ["check"]:
            continue
        print("\t".join(str(row[name]) for name in (
            "position", "user", "type", "id", "start", "end", "value", "bundle", "device", "revision", "deleted", "uppercase")))
