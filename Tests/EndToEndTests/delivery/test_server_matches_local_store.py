"""The server converges to the derived records of the local store, after newer exports that change, lack and move samples,
runs without that server, other zones, zone changes, kills, --force and a data folder restored from a backup."""

import datetime
import json
import random
import shutil
import signal
import sqlite3
import unittest
from contextlib import closing

from support.cut import CutLine
from support.harness import ProgramTest, Server

ZONES = ["Europe/Paris", "Asia/Tokyo", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"]
FIRST = datetime.datetime(2024, 3, 22, 6, tzinfo=datetime.timezone.utc)
KINDS = {"steps": ("HKQuantityTypeIdentifierStepCount", "count"), "rate": ("HKQuantityTypeIdentifierHeartRate", "count/min")}
STAGES = [f"HKCategoryValueSleepAnalysis{name}" for name in ("AsleepCore", "AsleepDeep", "AsleepREM", "Awake")]


class Life:
    """Synthetic samples of some days, as (kind, source, start, minutes, value, zone)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.samples, self.days, self.exports = [], 0, 0
        self.live(8)

    def live(self, days):
        chance = self.random
        for half_hour in range(48 * self.days, 48 * (self.days + days)):
            start = FIRST + datetime.timedelta(minutes=30 * half_hour)
            if 6 <= start.hour < 22:
                if chance.random() < 0.3:
                    zone = chance.choice([None] * 9 + ["Asia/Tokyo"])
                    self.samples.append(("steps", "Phone", start, 10, chance.randrange(1, 900), zone))
                if chance.random() < 0.2:
                    self.samples.append(("rate", "Watch", start, 0, chance.randrange(50, 150), None))
            elif chance.random() < 0.85:
                self.samples.append(("sleep", "Watch", start, 30, chance.choice(STAGES), None))
        self.days += days

    def change(self):
        chance = self.random
        for _ in range(chance.randrange(1, 5)):
            at = chance.randrange(len(self.samples))
            kind, source, start, minutes, value, zone = self.samples[at]
            match chance.randrange(4):
                case 0:
                    del self.samples[at:at + chance.randrange(1, 6)]
                case 1:
                    self.samples[at] = (kind, source, start, minutes, chance.choice(STAGES) if kind == "sleep" else value + 1, zone)
                case 2:
                    moved = start + datetime.timedelta(minutes=chance.choice([-1440, -60, 60]))
                    self.samples[at] = (kind, source, moved, minutes, value, zone)
                case 3:
                    self.live(1)

    def export(self, path):
        self.exports += 1
        date = datetime.datetime(2024, 6, 1) + datetime.timedelta(minutes=self.exports)
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<HealthData locale="en_US">',
                 f' <ExportDate value="{date:%Y-%m-%d %H:%M:%S} +0000"/>']
        for kind, source, start, minutes, value, zone in self.samples:
            identifier, unit = KINDS.get(kind, ("HKCategoryTypeIdentifierSleepAnalysis", None))
            end = start + datetime.timedelta(minutes=minutes)
            note = f'><MetadataEntry key="HKTimeZone" value="{zone}"/></Record>' if zone else "/>"
            lines.append(f' <Record type="{identifier}" sourceName="{source}"' + (f' unit="{unit}"' if unit else "")
                         + f' startDate="{start:%Y-%m-%d %H:%M:%S} +0000" endDate="{end:%Y-%m-%d %H:%M:%S} +0000" value="{value}"{note}')
        path.write_text("\n".join([*lines, "</HealthData>", ""]))
        return path


class ServerMatchesLocalStore(ProgramTest):
    def begin(self, name):
        """Starts two empty servers, each behind a connection that can be cut, and an empty local store."""
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        servers = [Server(self, folder=f"served-{name}-{number}") for number in (1, 2)]
        self.servers = [(server, CutLine(self, server.port)) for server in servers]

    def local_records(self):
        """Returns every local derived record by its id on the wire, as the server must return it."""
        def instant(milliseconds):
            return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc)
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            found = {}
            for metric, day, start, *figures in connection.execute(
                    "SELECT metric, day, start_ms, quantity, minimum, maximum, count FROM daily_progress"):
                found[f"{metric}/day/{day}"] = (day, instant(start), *figures)
            for metric, day, start, *figures in connection.execute(
                    "SELECT metric, day, start, quantity, minimum, maximum, count FROM hour_progress"):
                found[f"{metric}/hour/{day}/{start}"] = (day, datetime.datetime.fromisoformat(start), *figures)
            for identity, start, end, stages in connection.execute("SELECT source_id, start_ms, end_ms, stages FROM sleep_session"):
                stages = [(one["stage"], instant(one["start"]), instant(one["end"])) for one in json.loads(stages)]
                found[identity] = (instant(start), instant(end), stages)
            for day, steps, asleep in connection.execute("SELECT day, steps, minutes_asleep FROM activity_snapshot"):
                found[f"snapshot/{day}"] = (steps, asleep)
            return found

    def listed(self, server, path, member):
        found = []
        while True:
            status, _, body = server.request("GET", f"{path}&limit=100&offset={len(found)}")
            self.assertEqual(status, 200, body)
            data = json.loads(body)["data"]
            found += data[member]
            if not data["has_more"]:
                return found

    def served(self, server):
        """Returns the same from the server's responses."""
        time = datetime.datetime.fromisoformat
        dates = "from=2024-01-01&to=2024-12-31"
        found = {}
        for one in self.listed(server, f"/api/v1/progress?{dates}", "entries"):
            figures = [one[name] for name in ("quantity", "min", "max", "count")]
            found[one["source_id"]] = (one["day"], time(one["start"]), *figures)
        for one in self.listed(server, f"/api/v1/sleep?{dates}", "sessions"):
            stages = [(stage["stage"], time(stage["start_time"]), time(stage["end_time"])) for stage in one["stages"]]
            found[one["source_id"]] = (time(one["start_time"]), time(one["end_time"]), stages)
        for one in self.listed(server, f"/api/v1/snapshots?{dates}", "snapshots"):
            found[one["source_id"]] = (one["steps"], one["sleep_minutes"])
        return found

    def differences(self, server):
        """Returns the records that differ between the server and the local store, by id."""
        local, served = self.local_records(), self.served(server)
        self.assertGreater(len(local), 100)
        return {key: (served.get(key), local.get(key)) for key in local.keys() | served.keys() if served.get(key) != local.get(key)}

    def words(self, source, *others):
        return ("historical", "--source", source, "--data-dir", "data", "--allow-deletions", *others)

    def travel(self, chance, zone):
        """Writes the zone changes into the configuration."""
        stays = [{"from": "2024-03-26", "zone": zone}, {"from": "2024-03-28", "zone": "Europe/Paris"}]
        folder = self.folder / "config" / "healthsync"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps({"timeZones": stays if chance.random() < 0.5 else []}))

    def step(self, life, chance, zone, history):
        """Performs a random run; returns the server that has everything afterwards."""
        source = self.folder / "export.xml"
        if chance.random() < 0.8:
            life.change()
        life.export(source)
        if chance.random() < 0.2:
            self.travel(chance, chance.choice(ZONES))
            history.append("travel")
        others = ["--zone", zone] + (["--force"] if chance.random() < 0.15 else [])
        server, line = chance.choice(self.servers)
        if chance.random() < 0.3:
            self.succeed(*self.words(source, *others))
            history.append([*others, "no server"])
            return None
        if chance.random() < 0.3:
            line.cut_after(chance.randrange(1, 4))
            process = self.start(*self.words(source, *others, "--server", line.url))
            if line.is_cut(process):
                process.send_signal(signal.SIGKILL)
            process.communicate()
            line.restore()
            history.append("killed")
        history.append([*others, line.url])
        self.succeed(*self.words(source, *others, "--server", line.url))
        return server

    def test_the_server_converges_to_the_local_store(self):
        for seed in range(4):
            with self.subTest(seed=seed):
                self.begin(seed)
                chance, life, zone, history = random.Random(seed), Life(seed), ZONES[0], []
                for _ in range(10):
                    zone = chance.choice(ZONES) if chance.random() < 0.3 else zone
                    if server := self.step(life, chance, zone, history):
                        self.assertEqual(self.differences(server), {}, history)

    def test_a_restored_local_store_overrides_what_was_sent_later(self):
        self.begin("backup")
        life = Life(7)
        (server, line), source = self.servers[0], self.folder / "export.xml"
        words = ("--zone", ZONES[0], "--server", line.url)
        self.succeed(*self.words(life.export(source), *words))
        shutil.copytree(self.folder / "data", self.folder / "backup")
        for _ in range(3):
            life.samples = [(kind, who, start, minutes, value + 1 if kind != "sleep" else value, zone)
                            for kind, who, start, minutes, value, zone in life.samples]
            self.succeed(*self.words(life.export(source), *words))
        for keeps in (True, False):
            shutil.rmtree(self.folder / "data")
            if keeps:
                shutil.copytree(self.folder / "backup", self.folder / "data")
            life.samples = [(kind, who, start, minutes, value + 1 if kind != "sleep" else value, zone)
                            for kind, who, start, minutes, value, zone in life.samples]
            self.succeed(*self.words(life.export(source), *words))
            self.assertEqual(self.differences(server), {})


if __name__ == "__main__":
    unittest.main()
