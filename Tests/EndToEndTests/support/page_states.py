"""Databases in every state that pages must handle, created by the program from generated files."""

import datetime
import json
import zoneinfo

from support.harness import Dashboard

PARIS = zoneinfo.ZoneInfo("Europe/Paris")
HOSTILE = {
    "script": "<script>window.hostile = 1</script><img src=x onerror=\"window.hostile = 1\">",
    "emoji": "👩🏽‍🦼👨‍👩‍👧‍👦🇫🇷🏴󠁧󠁢󠁳󠁣󠁴󠁿 ⌚️",
    "long": "ж" * 200,
    "right-to-left": "ساعة شركة א1 \u202eevil",
    "quotes": "\"'><b onclick=alert(1)>&lt;&amp;{{7*7}}%s",
}
SLEEP = "HKCategoryTypeIdentifierSleepAnalysis"
STAGES = ["Core", "Deep", "Core", "REM", "Awake", "Core", "Deep", "REM"]


def hours(day):
    """Returns the instants at which the hours of a day in Paris begin."""
    begin, end = (
        datetime.datetime.combine(day + datetime.timedelta(days=days), datetime.time(), PARIS).astimezone(datetime.timezone.utc)
        for days in (0, 1))
    return [begin + datetime.timedelta(hours=hour) for hour in range(int((end - begin) / datetime.timedelta(hours=1)))]


def sample(kind, start, minutes, value, unit, source, device):
    end = start + datetime.timedelta(minutes=minutes)
    return {
        "type": kind, "startDate": f"{start:%Y-%m-%dT%H:%M:%SZ}", "endDate": f"{end:%Y-%m-%dT%H:%M:%SZ}", "value": value,
        **({"unit": unit} if unit else {}), "sourceBundleId": source, "sourceDeviceName": device,
    }


def waking(day, source, device):
    """Returns the samples of a day: none between 3 and 5, and one walk across the middle of a repeated or skipped hour."""
    for index, start in enumerate(hours(day)):
        if index in (4, 5):
            continue
        yield sample("stepCount", start, 20, 100 + index, "count", source, device)
        yield sample("distanceWalkingRunning", start, 20, 0.08 + index / 1000, "km", source, device)
        yield sample("activeEnergyBurned", start, 20, 9.5, "kcal", source, device)
        for minute in (5, 35):
            yield sample("heartRate", start + datetime.timedelta(minutes=minute), 0, 60 + index + minute / 10, "count/min", source, device)
    yield sample("restingHeartRate", hours(day)[12], 0, 52, "count/min", source, device)
    yield sample("appleExerciseTime", hours(day)[15], 25, 25, "min", source, device)


def sleeping(day, source, device, stages=STAGES):
    """Returns the night that ends on a day, from 23:00 on."""
    start = hours(day)[0] - datetime.timedelta(hours=1)
    for index, stage in enumerate(stages):
        at = start + datetime.timedelta(minutes=55 * index)
        yield sample(SLEEP, at, 55, f"HKCategoryValueSleepAnalysis{'' if stage == 'Awake' else 'Asleep'}{stage}", None, source, device)


def sums_of_a_night(day):
    """Returns sums of a night, and of the night before by stage, from Health Auto Export, without times of stages."""
    start, end = f"{day - datetime.timedelta(days=1)} 23:00:00 +0200", f"{day} 06:30:00 +0200"
    return {"data": {"metrics": [{"name": "sleep_analysis", "units": "hr", "data": [{
        "date": f"{day} 00:00:00 +0200", "asleep": 6.75, "inBed": 7.5, "sleepSource": "Mattress", "inBedSource": "Mattress",
        "sleepStart": start, "sleepEnd": end, "inBedStart": start, "inBedEnd": end}, {
        "date": f"{day - datetime.timedelta(days=1)} 00:00:00 +0200", "asleep": 0, "core": 4.25, "deep": 1, "rem": 1.5, "awake": 0.5,
        "inBed": 7.25, "source": "Watch", "sleepStart": f"{day - datetime.timedelta(days=2)} 23:00:00 +0200",
        "sleepEnd": f"{day - datetime.timedelta(days=1)} 06:15:00 +0200"}]}]}}


def names(day):
    """Returns a day and a night from sources with malicious names."""
    for index, name in enumerate(HOSTILE.values()):
        yield from (line for line in waking(day, name, name) if int(line["startDate"][11:13]) % 5 == index)
        yield from sleeping(day, name, name, STAGES[:4 + index])


class State:
    """A local database with shoes, and the server that received it."""

    def __init__(self, test, name, day, zone="Europe/Paris"):
        self.test, self.name, self.day = test, name, day
        self.data = test.folder / f"{name}-data"
        self.configuration = test.folder / f"{name}.json"
        self.configuration.write_text(json.dumps({"zone": zone}))
        self.shoe = None

    def words(self, *words):
        return *words, "--config", self.configuration, "--data-dir", self.data

    def command(self, *words):
        return self.test.json_of(*self.words(*words))

    def lines(self, samples, name=None):
        """Writes a JSON Lines file with these samples."""
        path = self.test.folder / (name or f"{self.name}.jsonl")
        path.write_text("".join(json.dumps(line) + "\n" for line in samples))
        return path

    def read(self, source, server=None, status=0):
        result = self.test.run_program(
            *self.words("historical", "--source", source), *(("--server", server) if server else ()))
        self.test.assertEqual(result.returncode, status, result.stdout + result.stderr)

    def dashboard(self, server=None):
        return Dashboard(
            self.test, "--config", self.configuration, "--data-dir", self.data, *(("--server", server) if server else ()))

    def wear(self, brand, model, hours, *words):
        self.shoe = self.command("shoes", "add", brand, model, *words)["id"]
        if hours:
            self.test.succeed(*self.words("shoes", "assign", self.shoe, "--day", self.day, "--hours", hours))
