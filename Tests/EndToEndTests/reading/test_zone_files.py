"""Days follow the system's time zone files, also after an update; the oracle is zoneinfo with the same files."""

import datetime
import importlib.util
import sqlite3
import unittest
import zoneinfo
from contextlib import closing

from support.harness import PEERS, ProgramTest

UTC = datetime.timezone.utc
LOADED = importlib.util.spec_from_file_location("write_odd_zones", PEERS / "zones/write_odd_zones.py")
odd_zones = importlib.util.module_from_spec(LOADED)
LOADED.loader.exec_module(odd_zones)

# Possible future rules of Vancouver: permanent daylight saving time from 8 March 2026, 10:00 UTC.
CHANGE = int(datetime.datetime(2026, 3, 8, 10, tzinfo=UTC).timestamp())


class ZoneFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.zones = self.folder / "zoneinfo"
        self.addCleanup(zoneinfo.reset_tzpath)
        self.addCleanup(zoneinfo.ZoneInfo.clear_cache)

    def install(self, name, content, version):
        path = self.zones / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        (self.zones / "+VERSION").write_text(version + "\n")
        self.environment["TZDIR"] = str(self.zones)
        zoneinfo.reset_tzpath([str(self.zones)])
        zoneinfo.ZoneInfo.clear_cache()

    def install_older_rules(self):
        """Installs rules for Vancouver with clock changes, regardless of the system's current rules."""
        self.install("America/Vancouver", odd_zones.zone_file(2, [], "PST8PDT,M3.2.0,M11.1.0"), "2025b")

    def export(self, extra=""):
        """Writes 100 steps in each half hour of two weeks in July and November 2026."""
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<HealthData locale="en_US">',
                 ' <ExportDate value="2026-11-20 08:00:00 -0700"/>']
        self.records = []
        for month in (7, 11):
            start = datetime.datetime(2026, month, 3, tzinfo=UTC)
            for number in range(14 * 48):
                begin = start + datetime.timedelta(minutes=30 * number)
                self.records.append(begin)
                lines.append(
                    ' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count" value="100"'
                    f' startDate="{begin:%Y-%m-%d %H:%M:%S} +0000"'
                    f' endDate="{begin + datetime.timedelta(minutes=30):%Y-%m-%d %H:%M:%S} +0000"/>')
        path = self.folder / "export.xml"
        path.write_text("\n".join([*lines, extra, "</HealthData>", ""]))
        return path

    def days(self, zone):
        """Returns steps by local day according to zoneinfo."""
        days = {}
        for begin in self.records:
            day = begin.astimezone(zoneinfo.ZoneInfo(zone)).date().isoformat()
            days[day] = days.get(day, 0) + 100
        return days

    def stored(self):
        with closing(sqlite3.connect(self.folder / "share/healthsync/healthsync.sqlite")) as connection:
            return dict(connection.execute("SELECT day, quantity FROM daily_progress WHERE metric = 'steps'"))

    def finding(self, subject, *words):
        findings = self.json_of("doctor", *words)["findings"]
        return [item["finding"] for item in findings if item["subject"] == subject]

    def test_newer_rules_apply_in_the_next_run(self):
        self.install_older_rules()
        source = self.export()
        self.succeed("historical", "--source", source, "--zone", "America/Vancouver", "--metrics", "steps")
        before = self.stored()
        self.assertEqual(before, self.days("America/Vancouver"))
        self.install("America/Vancouver", odd_zones.zone_file(
            2, [(CHANGE, (-25_200, 0))], "MST7", first=(-28_800, 0)), "2026z")
        self.assertNotEqual(before, self.days("America/Vancouver"))
        self.assertEqual(
            self.finding("zone rules", "--zone", "America/Vancouver"), [f"{self.zones}, version 2026z"])
        run = self.succeed("daily", "--days", "1", "--source", source, "--metrics", "steps")
        self.assertEqual(self.stored(), self.days("America/Vancouver"))
        self.assertIn("time zone rules changed", run.stderr)
        self.assertNotIn("rules", self.succeed("daily", "--days", "1", "--source", source, "--metrics", "steps").stderr)

    def test_a_new_database_uses_the_files(self):
        self.install("Europe/Lisbon", odd_zones.zone_file(3, [], "AAA-5BBB,J1/0,J300/25"), "2030a")
        source = self.export()
        self.succeed("historical", "--source", source, "--zone", "Europe/Lisbon", "--metrics", "steps")
        self.assertEqual(self.stored(), self.days("Europe/Lisbon"))

    def test_newer_rules_of_a_zone_in_samples_move_their_nights(self):
        night = (' <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch"'
                 ' startDate="2026-11-11 01:00:00 +0000" endDate="2026-11-11 07:30:00 +0000"'
                 ' value="HKCategoryValueSleepAnalysisAsleepCore">\n'
                 '  <MetadataEntry key="HKTimeZone" value="America/Vancouver"/>\n </Record>')
        source = self.export(night)

        def nights():
            with closing(sqlite3.connect(self.folder / "share/healthsync/healthsync.sqlite")) as connection:
                return connection.execute("SELECT day FROM sleep_session").fetchall()

        self.install_older_rules()
        words = ("--source", source, "--metrics", "steps,sleep")
        self.succeed("historical", *words, "--zone", "UTC")
        # It ends at 23:30 in the older rules, and at 0:30 of the next day in the newer ones.
        self.assertEqual(nights(), [("2026-11-10",)])
        self.install("America/Vancouver", odd_zones.zone_file(
            2, [(CHANGE, (-25_200, 0))], "MST7", first=(-28_800, 0)), "2026z")
        self.succeed("daily", "--days", "1", *words)
        self.assertEqual(nights(), [("2026-11-11",)])

    def test_no_zone_name_escapes_the_folder(self):
        self.install("Europe/Lisbon", odd_zones.zone_file(2, [], "AAA-5"), "2030a")
        (self.folder / "outside").write_bytes(odd_zones.zone_file(2, [], "AAA-5"))
        for name in ("../outside", "Europe/../../outside", str(self.folder / "outside"), "/etc/localtime"):
            result = self.run_program("status", "--zone", name)
            self.assertEqual(result.returncode, 64, name)
            self.assertIn("unknown time zone", result.stderr)

    def test_tz_sets_the_system_zone(self):
        self.environment["TZ"] = ":/usr/share/zoneinfo/Asia/Tokyo"
        self.assertTrue(self.finding("time zone")[0].startswith("Asia/Tokyo"))


if __name__ == "__main__":
    unittest.main()
