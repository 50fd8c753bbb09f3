"""Values in the local database that no run writes: every command ends with a result or one clear error, never by a signal,
never without end.

Every column that holds a number is set to the ends of its range in all rows, and every page of samples is rewritten byte by
byte as docs/database.md describes it. With many seeds, each value with each command.
"""

import json
import random
import re
import shutil
import sqlite3
import struct
from contextlib import closing

from support import records
from support.harness import PATIENCE, ProgramTest
from support.seeds import IS_MANY

INTEGERS = [-(1 << 63), (1 << 63) - 1, 0, -1, -99_999_999, 1 << 53, 1 << 62]
REALS = [1.7e308, -1.7e308, 5e-324, -1.0, float("inf"), float("-inf")]
VIEWS = [
    ("summary",), ("sleep", "--last", "1y", "--to", "2024-03-12"), ("steps", "--last", "1y", "--to", "2024-03-12"),
    ("heart", "--last", "1y", "--to", "2024-03-12"), ("status",), ("intervals",), ("outbox", "list"), ("doctor",),
    ("journal", "2024-03-05"), ("shoes", "list"), ("export", "--out", "out.jsonl", "--force"),
    ("daily", "--source", "export.xml"),
]
# A run repeats or rejects what it finds; a database that is busy or damaged is named. 70 is a bug.
ENDINGS = {0, 1, 3, 5, 64, 65, 66, 69, 74, 75, 78}


class ValuesAtRest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.export = records.write(self.folder / "export.xml", records.ordinary_days(9))
        (self.folder / "zones.json").write_text(json.dumps({"zone": "UTC"}))
        self.words = ("--config", "zones.json", "--data-dir", "data")
        self.succeed("shoes", "add", "Trail", "Runner", *self.words)
        # No server listens on this port, so everything waits in the outbox.
        result = self.run_program(
            "historical", "--source", "export.xml", "--server", "http://127.0.0.1:9", "--raw", "heartRate", "--deadline", "1", *self.words)
        self.assertIn(result.returncode, (3, 69), result.stderr)
        self.database = self.folder / "data" / "healthsync.sqlite"
        with closing(sqlite3.connect(self.database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copytree(self.folder / "data", self.folder / "whole")
        self.random = random.Random(20)
        self.whole = IS_MANY

    def attempt(self, what, statements, commands):
        """Runs `commands` on a copy changed by `statements`; returns the problems."""
        wrong = []
        for command in commands:
            shutil.rmtree(self.folder / "data")
            shutil.copytree(self.folder / "whole", self.folder / "data")
            with closing(sqlite3.connect(self.database, isolation_level=None)) as connection:
                connection.execute("PRAGMA ignore_check_constraints = ON")
                connection.execute("PRAGMA foreign_keys = OFF")
                try:
                    for statement, values in statements:
                        connection.execute(statement, values)
                except sqlite3.IntegrityError:
                    return wrong
            result = self.run_program(*command, *self.words, timeout=PATIENCE)
            if result.returncode not in ENDINGS or "report this as a bug" in result.stderr:
                wrong.append((what, " ".join(command), result.returncode, result.stderr[-300:]))
        return wrong

    def columns(self):
        with closing(sqlite3.connect(self.database)) as connection:
            for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall():
                if not connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
                    continue
                for _, name, kind, _, _, key in connection.execute(f"PRAGMA table_info('{table}')").fetchall():
                    if kind in ("INTEGER", "REAL") and not (key and name == "id"):
                        yield table, name, kind

    def some(self, values, count):
        return list(values) if self.whole else self.random.sample(list(values), count)

    def test_numbers_at_the_ends_of_their_range(self):
        columns = list(self.columns())
        self.assertGreater(len(columns), 60)
        wrong = []
        for table, name, kind in columns:
            values = INTEGERS if kind == "INTEGER" else REALS
            chosen = values if self.whole else [values[0], values[1], *self.some(values[2:], 1)]
            for value in chosen:
                target = f"rowid = (SELECT min(rowid) FROM {table})" if name in ("start_ms", "type_id", "line") else "1"
                if "WITHOUT ROWID" in self.schema(table):
                    target = "1"
                wrong += self.attempt(
                    f"{table}.{name} = {value}", [(f"UPDATE OR IGNORE {table} SET {name} = ? WHERE {target}", (value,))],
                    self.some(VIEWS, 2) if not self.whole else VIEWS)
        self.assertEqual(wrong, [])

    def schema(self, table):
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]

    def texts(self):
        """Returns columns with a JSON text, each with an example."""
        with closing(sqlite3.connect(self.database)) as connection:
            for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall():
                for _, name, kind, _, _, _ in connection.execute(f"PRAGMA table_info('{table}')").fetchall():
                    row = kind == "TEXT" and connection.execute(
                        f"SELECT {name} FROM {table} WHERE {name} GLOB '[[{{]*[0-9]*' LIMIT 1").fetchone()
                    if row and json.loads(row[0]):
                        yield table, name, row[0]

    def test_numbers_in_texts(self):
        columns = list(self.texts())
        self.assertGreater(len(columns), 2)
        wrong = []
        for table, name, text in columns:
            # Each number in turn; those of dates and ids in strings are not numbers of the text.
            places = list(re.finditer(r"(?<=[:\[,])-?\d[\d.eE+-]*(?=[,\]}])", text))
            for place in self.some(places, min(3, len(places))):
                values = [*INTEGERS, 1 << 63, "1e400", "-1e308", "null", '"x"', "9" * 400]
                for value in values if self.whole else [values[0], values[1], *self.some(values[2:], 2)]:
                    changed = f"{text[:place.start()]}{value}{text[place.end():]}"
                    wrong += self.attempt(
                        f"{table}.{name}: {changed[:200]}", [(f"UPDATE OR IGNORE {table} SET {name} = ? WHERE {name} = ?", (changed, text))],
                        VIEWS if self.whole else self.some(VIEWS, 3))
        self.assertEqual(wrong, [])

    def test_files_beside_the_database(self):
        """Numbers in the files of phones: their tokens, an offer to pair, and the numbers of their deliveries."""
        self.succeed("pair", "phone", "--app", "hozz", *self.words)
        tokens = self.folder / "data/devices.sqlite"
        ledger, offer = self.folder / "data/inbox-deliveries.json", self.folder / "data/healthsync.pairing"
        (self.folder / "data/inbox/waiting").mkdir(parents=True)
        good, wrong = tokens.read_bytes(), []
        commands = [("device", "list"), ("device", "list", "--json"), ("doctor",), ("status",), ("pair", "other"), ("import", "inbox")]

        def attempt(what):
            for command in commands:
                result = self.run_program(*command, *self.words, timeout=PATIENCE)
                if result.returncode not in ENDINGS or "report this as a bug" in result.stderr:
                    wrong.append((what, command, result.returncode, result.stderr[-300:]))
        for name in ("created_ms", "expires_ms", "last_used_ms", "revoked_ms"):
            for value in (*INTEGERS, -62_167_219_200_001, 253_402_300_800_000):
                tokens.write_bytes(good)
                with closing(sqlite3.connect(tokens, isolation_level=None)) as connection:
                    connection.execute(f"UPDATE tokens SET {name} = ?", (value,))
                attempt(f"{name} = {value}")
        tokens.write_bytes(good)
        for value in (*INTEGERS, 1 << 63, "x", None):
            key = {"sender": "Hozz", "series": "a"}
            ledger.write_text(json.dumps([{"key": key, "last": value, "missing": [[-(1 << 63), value if isinstance(value, int) else 0]]}]))
            offer.write_text(json.dumps({"name": "phone", "endMilliseconds": value}))
            attempt(f"ledger and offer {value}")
        self.assertEqual(wrong, [])

    def pages(self):
        """Returns invalid pages by name: version, count, day, starts, a truncated body, no bytes."""
        with closing(sqlite3.connect(self.database)) as connection:
            for row, page in connection.execute(
                "SELECT id, columns FROM sample_page GROUP BY type_id ORDER BY id"
            ).fetchall():
                version, flags, duration, value, count, day = struct.unpack_from("<BBBBIq", page)

                def form(version=version, count=count, day=day, rest=page[16:]):
                    return struct.pack("<BBBBIq", version, flags, duration, value, count, day) + rest

                yield row, "nothing", b""
                yield row, "half", page[:len(page) // 2]
                yield row, "version 2", form(version=2)
                for number in (0, 1, count + 1, 0xFFFF_FFFF):
                    if number != count:
                        yield row, f"count {number}", form(count=number)
                for number in (-(1 << 63), (1 << 63) - 1, -99_999_999, 99_999_999, day + 1_000_000):
                    yield row, f"day {number}", form(day=number)
                yield row, "starts", form(rest=b"\xff" * (4 * count) + page[16 + 4 * count:])
                yield row, "ones", form(rest=b"\xff" * len(page[16:]))
                yield row, "noise", self.random.randbytes(len(page))

    def test_pages_of_samples(self):
        forms = list(self.pages())
        self.assertGreater(len(forms), 30)
        wrong = []
        for row, name, page in self.some(forms, 40):
            readers = [("export", "--out", "out.jsonl", "--force"), ("historical", "--source", "export.xml", "--force"), ("journal", "2024-03-05")]
            wrong += self.attempt(
                f"page {row}: {name}", [("UPDATE sample_page SET columns = ?, digest = randomblob(16) WHERE id = ?", (page, row))],
                readers if self.whole else self.some(readers, 2))
        self.assertEqual(wrong, [])

