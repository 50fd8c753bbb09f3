"""The log on standard error: levels, an id for each run, and no health values."""

import re
import unittest

from support.harness import ProgramTest

EVENT = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z (debug|info|warning|error) run=([0-9a-f]{8}) (.+)$")
EXPORT = """<?xml version="1.0" encoding="UTF-8"?>
<HealthData locale="en_US"><ExportDate value="2024-01-16 08:00:00 +0100"/>
<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count"
 startDate="2024-01-15 08:00:00 +0100" endDate="2024-01-15 09:00:00 +0100" value="98761"/>
</HealthData>
"""


class Log(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "export.xml").write_text(EXPORT)

    def events(self, *options):
        """Returns level, run and text of each event of a run."""
        words = ("historical", "--zone", "Europe/Paris", "--data-dir", "data", "--source", "export.xml", *options)
        result = self.run_program(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("98761", result.stderr)
        lines = [line for line in result.stderr.splitlines() if " run=" in line]
        found = [EVENT.match(line) for line in lines]
        self.assertNotIn(None, found, result.stderr)
        return [match.groups() for match in found]

    def test_verbose_and_debug_are_the_same_level(self):
        first = self.events("--verbose")
        self.assertEqual({level for level, _, _ in first}, {"debug"})
        self.assertTrue(any(text.startswith("steps: 4 of 4 days") for _, _, text in first), first)
        second = self.events("--log-level", "debug")
        runs = {run for _, run, _ in first}, {run for _, run, _ in second}
        self.assertEqual([len(ids) for ids in runs], [1, 1])
        self.assertNotEqual(*runs)

    def test_details_are_not_logged_above_their_level(self):
        for options in ((), ("--quiet",), ("--log-level", "info"), ("--verbose", "--log-level", "error")):
            self.assertEqual(self.events(*options, "--force"), [], options)


if __name__ == "__main__":
    unittest.main()
