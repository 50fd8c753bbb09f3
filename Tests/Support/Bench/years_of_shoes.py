"""Adds shoes to a local database: eight pairs, and sessions on every day with steps. Sessions begin and end at any time,
not only on the hour."""

import datetime
import json
import random
import sqlite3
import subprocess
import uuid
import zoneinfo
from contextlib import closing

HOUR = 3_600_000
PAIRS = 8
# The number of days with hours that the user assigns afterwards.
ATTRIBUTED = 30


def wear(binary, common, database, zone, environment=None):
    """Adds shoes and sessions to `database`, which has none; returns the number of sessions."""
    chance = random.Random(11)

    def run(*words):
        command = [binary, *words, "--json", *common]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)

    shoes = [run("shoes", "add", "Maker", f"Model {number}", "--price", f"{100 + number} EUR")["id"] for number in range(PAIRS)]
    with closing(sqlite3.connect(database)) as connection, connection:
        days = [day for day, in connection.execute("SELECT day FROM daily_progress WHERE metric = 'steps' ORDER BY day")]
        connection.executemany(
            "INSERT INTO shoe_session VALUES (?, ?, ?, ?, 0, 0)",
            [(str(uuid.UUID(int=chance.getrandbits(128), version=4)), chance.choice(shoes), *stretch)
             for day in days for stretch in stretches(chance, midnight(day, zone))])
    for day in sorted(chance.sample(days, min(ATTRIBUTED, len(days)))):
        first = chance.randrange(6, 18)
        run("shoes", "assign", chance.choice(shoes), "--day", day, "--hours", f"{first}-{first + chance.randrange(4)}")
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT count(*) FROM shoe_session").fetchone()[0]


def midnight(day, zone):
    local = datetime.datetime.fromisoformat(day).replace(tzinfo=zoneinfo.ZoneInfo(zone))
    return int(local.timestamp() * 1000)


def stretches(chance, start):
    """Returns one session from morning to evening, divided into two on a third of the days."""
    edges = [start + 6 * HOUR + chance.randrange(3 * HOUR), start + 17 * HOUR + chance.randrange(5 * HOUR)]
    if chance.random() < 1 / 3:
        edges.insert(1, start + 10 * HOUR + chance.randrange(6 * HOUR))
    return list(zip(edges, edges[1:]))
