"""Values that no device measures are rejected one by one and counted; the rest of the source is imported."""

import datetime
import json
import unittest

from support.harness import ProgramTest
from support.records import COUNT, RATE, record, write

# Finite numbers, of which a few hundred make an infinite sum; the smallest is just beyond 2^53.
EXTREME = ("1e308", "-1.7976931348623157e308", "1e300", "9007199254740994", "-1e16")
FIRST = datetime.datetime(2024, 3, 4, 8, tzinfo=datetime.timezone.utc)


class ExtremeValues(ProgramTest):
    def assert_rejects(self, source, rejected, stored):
        run = self.succeed(
            "historical", "--zone", "UTC", "--data-dir", "data", "--source", source, "--metrics", "steps,heartRate",
            "--json")
        sources = json.loads(run.stdout)["sources"]
        self.assertEqual(sum(sum(one["rejected"].values()) for one in sources), rejected, sources)
        self.assertEqual(sum(one["stored"] for one in sources), stored, sources)

    def moments(self, number):
        return [FIRST + datetime.timedelta(minutes=minute) for minute in range(number)]

    def test_apple_export(self):
        records = [record(kind, 3, 8 + minute / 60, 1, value, unit) for kind, unit in ((COUNT, "count"), (RATE, "count/min"))
                   for minute, value in enumerate(EXTREME * 200)]
        good = [record(COUNT, 4, 9, 10, 100, "count"), record(RATE, 4, 9, 0, 61, "count/min")]
        self.assert_rejects(write(self.folder / "export.xml", records + good), 2000, 2)

    def test_json_lines(self):
        lines = [f'{{"type":"heartRate","startDate":"{moment:%Y-%m-%dT%H:%M:%SZ}","endDate":"{moment:%Y-%m-%dT%H:%M:%SZ}",'
                 f'"value":{value},"unit":"count/min","sourceBundleId":"a"}}'
                 for moment, value in zip(self.moments(1000), EXTREME * 200)]
        good = lines[0].replace(EXTREME[0], "61")
        source = self.folder / "samples.jsonl"
        source.write_text("\n".join([*lines, good, ""]))
        self.assert_rejects(source, 1000, 1)

    def test_health_auto_export(self):
        data = [{"date": f"{moment:%Y-%m-%d %H:%M:%S} +0000", "qty": 7, "source": "Watch"} for moment in self.moments(1001)]
        text = json.dumps({"data": {"metrics": [{"name": "step_count", "units": "count", "data": data}]}})
        for value in EXTREME * 200:
            text = text.replace('"qty": 7,', f'"qty": {value},', 1)
        source = self.folder / "feed.json"
        source.write_text(text)
        self.assert_rejects(source, 1000, 1)


if __name__ == "__main__":
    unittest.main()
