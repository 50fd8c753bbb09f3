#!/usr/bin/env python3
"""Writes the database of a receiving server with schema 1 (samples as rows); prints the samples like received_pages.py.

    write_received_rows.py DATABASE
"""

import os
import random
import sqlite3
import sys
import uuid

SCHEMA = """
CREATE TABLE users (
    user_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE series (
    series_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users,
    type TEXT NOT NULL,
    UNIQUE (user_id, type)
) STRICT;
CREATE TABLE origins (
    origin_id INTEGER PRIMARY KEY,
    bundle_id TEXT NOT NULL,
    device_name TEXT,
    unit TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX origins_by_content
    ON origins (bundle_id, ifnull(device_name, ''), device_name IS NULL, unit);
CREATE TABLE samples (
    position INTEGER PRIMARY KEY,
    series_id INTEGER NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL CHECK (end_ms >= start_ms),
    value REAL NOT NULL,
    origin_id INTEGER,
    revision INTEGER NOT NULL,
    is_deleted INTEGER NOT NULL,
    is_uppercase INTEGER NOT NULL
) STRICT;
CREATE TABLE sample_ids (
    series_id INTEGER NOT NULL,
    id BLOB NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (series_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX samples_by_start ON samples (series_id, start_ms);
CREATE TABLE records (
    record_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    is_deleted INTEGER NOT NULL,
    type TEXT NOT NULL,
    granularity TEXT NOT NULL,
    day TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    UNIQUE (user_id, kind, id)
) STRICT;
CREATE INDEX records_by_day ON records (user_id, kind, day, start_ms, id);
CREATE INDEX records_by_type ON records (user_id, kind, type, granularity, day);
CREATE TABLE batch_keys (
    user_id INTEGER NOT NULL REFERENCES users,
    key TEXT NOT NULL,
    content BLOB NOT NULL,
    received_ms INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_keys_by_time ON batch_keys (received_ms);
CREATE TABLE line_files (
    user_id INTEGER PRIMARY KEY REFERENCES users,
    last_position INTEGER NOT NULL,
    length INTEGER NOT NULL
) STRICT;
CREATE TABLE positions (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    last INTEGER NOT NULL,
    indexed INTEGER NOT NULL
) STRICT;
INSERT INTO positions VALUES (1, 0, 0);
PRAGMA application_id = 0x48535256;
PRAGMA user_version = 1;
"""


def main():
    generator = random.Random(7)
    connection = sqlite3.connect(sys.argv[1])
    connection.execute("PRAGMA journal_mode = wal")
    connection.executescript(SCHEMA)
    os.chmod(sys.argv[1], 0o600)
    connection.executemany("INSERT INTO users VALUES (?, ?)", [(1, "local"), (2, "anna")])
    kinds = [(1, 1, "steps"), (2, 2, "steps"), (3, 1, "heartRate")]
    connection.executemany("INSERT INTO series VALUES (?, ?, ?)", kinds)
    origins = {1: ("com.apple.health", "iPhone 15", "count"), 2: ("com.apple.health", None, "count/min")}
    connection.executemany("INSERT INTO origins VALUES (?, ?, ?, ?)", [(row, *origin) for row, origin in origins.items()])
    position = 0
    for _ in range(400):
        series, user, kind = generator.choice(kinds)
        # Positions of duplicate samples were skipped.
        position += generator.choice([0, 0, 3])
        for _ in range(generator.choice([1, 5, 50])):
            position += 1
            identity = uuid.UUID(int=generator.getrandbits(128))
            start = generator.randrange(-10**12, 2 * 10**12)
            deleted, uppercase = generator.random() < 0.05, generator.random() < 0.5
            origin, revision = generator.choice([1, 2, None]), generator.choice([0, 0, 0, 4])
            end, value = start + generator.choice([0, 60_000]), generator.choice([1.0, 77.0, 0.25])
            connection.execute(
                "INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (position, series, identity.bytes, start, end, value, origin, revision, deleted, uppercase))
            bundle, device = origins[origin][:2] if origin else (None, None)
            name = {1: "local", 2: "anna"}[user]
            print(position, name, kind, identity, start, end, value, bundle, device, revision, deleted, uppercase, sep="\t")
    connection.execute("UPDATE positions SET last = ?", (position + 10,))
    connection.commit()
    connection.close()


if __name__ == "__main__":
    main()
