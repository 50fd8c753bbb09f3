#!/usr/bin/env python3
"""Reads the samples of a PostgreSQL database of receiving servers by the layout in docs/server-storage.md, without their code.

    postgres_pages.py CONNINFO          prints a line for each sample, ordered by user, type and position: position, user,
                                        type, id, start, end, value, bundle, device, revision, deleted, uppercase
    postgres_pages.py CONNINFO sizes    prints user, type and number of samples of each page in the same order

Also reads samples that an earlier version stored as rows. Checks the summary of each page and the totals of each series.
"""

import csv
import io
import shutil
import struct
import subprocess
import sys
import uuid

from digests import MASK, mixed, sample_content
from received_pages import columns_of

PAGES = """SELECT name, type, user_id, series_id, first_position, count, sample_pages.alive, revised, first_start_ms, last_start_ms,
    last_end_ms, digest_high, digest_low, digest_content, encode(offsets, 'hex'), encode(id_heads, 'hex'),
    encode(fingerprints, 'hex'), encode(columns, 'hex')
    FROM healthsync.sample_pages JOIN healthsync.series USING (user_id, series_id) JOIN healthsync.users USING (user_id)
    ORDER BY name, type, first_position"""
ROWS = """SELECT position, name, type, id, start_ms, end_ms, value, bundle_id, device_name, unit, revision, is_deleted,
    is_uppercase, user_id, series_id
    FROM healthsync.{table} JOIN healthsync.series USING (user_id, series_id) JOIN healthsync.users USING (user_id)
    LEFT JOIN healthsync.origins USING (user_id, origin_id) {condition}"""


def query(address, sql):
    psql = shutil.which("psql")
    # Each statement sees another state, so the database must not change meanwhile.
    done = subprocess.run([psql, "-X", "--csv", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, address], cwd="/",
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    csv.field_size_limit(1 << 30)
    return list(csv.reader(io.StringIO(done.stdout)))


def ids_of(heads, fingerprints):
    """The last 4 bytes of an id are its fingerprint, combined by exclusive or with a hash of the first 12."""
    for (high, middle), (fingerprint,) in zip(struct.iter_unpack(">QI", heads), struct.iter_unpack(">I", fingerprints)):
        last = fingerprint ^ mixed(high ^ mixed(middle)) & 0xFFFFFFFF
        yield uuid.UUID(int=high << 64 | middle << 32 | last)


def from_pages(address, origins):
    for user, kind, user_row, series, *numbers, offsets, heads, fingerprints, page in query(address, PAGES):
        first, count, alive, revised, *times, high, low, checksum = map(int, numbers)
        distances = [place for (place,) in struct.iter_unpack(">I", bytes.fromhex(offsets))] or range(count)
        assert len(distances) == count and list(distances) == sorted(set(distances)), f"offsets of page {first}"
        rows = []
        for distance, id, (start, length, value, origin, revision, marks) in zip(
                distances, ids_of(bytes.fromhex(heads), bytes.fromhex(fingerprints)), zip(*columns_of(bytes.fromhex(page)))):
            bundle, device, unit = origins.get((user_row, str(origin)), (None, None, None))
            rows.append({
                "position": first + distance, "user": user, "type": kind, "id": id, "start": start, "end": start + length,
                "value": float(value), "bundle": bundle, "device": device, "unit": unit, "revision": revision,
                "deleted": bool(marks & 1), "uppercase": bool(marks & 2), "series": (user_row, series)})
        living = [row for row in rows if not row["deleted"]]
        assert (len(rows), len(living)) == (count, alive), f"counts of page {first}"
        assert revised == sum(row["deleted"] or row["revision"] != 0 for row in rows), f"revised of page {first}"
        starts = [row["start"] for row in living] or [0]
        assert times == [min(starts), max(starts), max([row["end"] for row in living] or [0])], f"times of page {first}"
        digest = sum(row["id"].int for row in living) % (1 << 128)
        assert digest == (high & MASK) << 64 | low & MASK, f"digest of page {first}"
        assert sum(map(sample_content, living)) & MASK == checksum & MASK, f"content of page {first}"
        yield rows


def from_rows(address, table, condition):
    for position, user, kind, id, start, end, value, bundle, device, unit, revision, deleted, uppercase, user_row, series in query(
            address, ROWS.format(table=table, condition=condition)):
        yield {
            "position": int(position), "user": user, "type": kind, "id": uuid.UUID(id), "start": int(start), "end": int(end),
            "value": float(value), "bundle": bundle or None, "device": device or None, "unit": unit or None,
            "revision": int(revision), "deleted": deleted == "t", "uppercase": uppercase == "t", "series": (user_row, series)}


def samples(address):
    """Returns every sample as a dictionary, including tombstones, by user, type and position."""
    tables = {name for (name,) in query(address, "SELECT tablename FROM pg_tables WHERE schemaname = 'healthsync'")}
    found = []
    if "sample_pages" in tables:
        origins = {
            (user, origin): (bundle, device or None, unit) for user, origin, bundle, device, unit in query(
                address, "SELECT user_id, origin_id, bundle_id, device_name, unit FROM healthsync.origins")}
        alive = {}
        for rows in from_pages(address, origins):
            found += rows
            for row in rows:
                alive[row["series"]] = alive.get(row["series"], 0) + (not row["deleted"])
        for user, series, total, last in query(
                address, "SELECT user_id, series_id, alive, last_position FROM healthsync.series"):
            assert int(total) == alive.get((user, series), 0), f"total of series {series}"
            assert all(row["position"] <= int(last) for row in found if row["series"] == (user, series)), "last position"
        if "sample_rows" in tables:
            found += from_rows(address, "sample_rows", "WHERE position > rows_after")
    else:
        found += from_rows(address, "samples", "")
    return sorted(found, key=lambda row: (row["user"], row["type"], row["position"]))


def main():
    if sys.argv[2:] == ["sizes"]:
        for user, kind, _, _, _, count, *_ in query(sys.argv[1], PAGES):
            print(user, kind, count, sep="\t")
        return
    for row in samples(sys.argv[1]):
        print("\t".join(str(row[name]) for name in (
            "position", "user", "type", "id", "start", "end", "value", "bundle", "device", "revision", "deleted", "uppercase")))


if __name__ == "__main__":
    main()
