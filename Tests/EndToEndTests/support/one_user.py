"""Synthetic measurements of one user as the inputs state them: an Apple export with whole seconds, Health Auto Export files
by minute, hour and day, JSON Lines with milliseconds and UUIDs. Every walk lies within a minute, so that sums of buckets
are exact."""

import collections
import dataclasses
import datetime
import json
import uuid
from xml.sax.saxutils import quoteattr

UTC = datetime.timezone.utc
FIRST = datetime.datetime(2024, 3, 1, tzinfo=UTC)
QUANTITY, SLEEP = "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifierSleepAnalysis"
UNITS = {"StepCount": "count", "ActiveEnergyBurned": "kcal", "HeartRate": "count/min"}
WATCH, PHONE = "Anna’s Watch", "Anna’s iPhone"
STAGES = ("Core", "Deep", "REM", "Awake")


@dataclasses.dataclass(frozen=True)
class Measurement:
    kind: str
    source: str
    start: int
    end: int
    value: float | str
    uuid: str


def person(random, days=3):
    """Generates measurements; instants are milliseconds since 1970."""
    found = []

    def add(kind, source, start, end, value):
        number = uuid.UUID(int=random.getrandbits(128), version=4)
        found.append(Measurement(kind, source, start, end, value, str(number)))

    for day in range(days):
        midnight = int(FIRST.timestamp() * 1000) + day * 86_400_000
        for minute in random.sample(range(420, 1260), 40):
            start = midnight + minute * 60_000 + random.randrange(2_000, 9_000)
            end = start + random.randrange(30_000, 45_000)
            if random.random() < 0.8:
                add("StepCount", WATCH, start, end, random.randrange(5, 120))
                add("ActiveEnergyBurned", WATCH, start, end, round(random.uniform(0.1, 9), 6))
                if random.random() < 0.5:
                    add("StepCount", PHONE, start + 2_000, end - 2_000, random.randrange(5, 120))
            else:
                add("StepCount", PHONE, start, end, random.randrange(5, 120))
        for minute in random.sample(range(1440), 60):
            start = midnight + minute * 60_000 + random.randrange(60_000)
            add("HeartRate", WATCH, start, start, random.randrange(50, 120))
        start = midnight + 82_800_000 + random.randrange(3_600_000)
        for _ in range(6):
            end = start + random.randrange(1_200_000, 5_400_000)
            add(SLEEP, WATCH, start, end, random.choice(STAGES))
            start = end
    return found


def rounded(item):
    """Returns the measurement with the six significant digits of the export."""
    return dataclasses.replace(item, value=float(f"{item.value:.6g}")) if isinstance(item.value, float) else item


def write_export(path, measurements):
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<HealthData locale="en_US">',
             ' <ExportDate value="2024-04-01 08:00:00 +0000"/>']
    for item in map(rounded, measurements):
        kind, unit, value = QUANTITY + item.kind, f' unit="{UNITS.get(item.kind)}"', item.value
        if item.kind == SLEEP:
            kind, unit, value = SLEEP, "", "HKCategoryValueSleepAnalysisAsleep" + item.value
            value = value.replace("AsleepAwake", "Awake")
        name = quoteattr(item.source.replace(" ", "\u00a0"))
        model = "Watch" if item.source == WATCH else "iPhone"
        device = quoteattr(f"<<HKDevice: 0x1>, name:{model}, manufacturer:Apple Inc., model:{model}>")
        start, end = (datetime.datetime.fromtimestamp(at // 1000, UTC) for at in (item.start, item.end))
        lines.append(f' <Record type="{kind}" sourceName={name} device={device}{unit}'
                     f' startDate="{start:%Y-%m-%d %H:%M:%S} +0000" endDate="{end:%Y-%m-%d %H:%M:%S} +0000"'
                     f' value="{value}"/>')
    path.write_text("\n".join([*lines, "</HealthData>", ""]), encoding="utf-8")
    return path


def write_lines(path, measurements):
    def instant(at):
        return datetime.datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")

    rows = []
    for item in measurements:
        kind, value = QUANTITY + item.kind, item.value
        if item.kind == SLEEP:
            kind = SLEEP
            value = ("HKCategoryValueSleepAnalysisAsleep" + value).replace("AsleepAwake", "Awake")
        row = {"type": kind, "startDate": instant(item.start), "endDate": instant(item.end), "value": value,
               "sourceBundleId": item.source, "uuid": item.uuid}
        if item.kind in UNITS:
            row["unit"] = UNITS[item.kind]
        rows.append(json.dumps(row, ensure_ascii=False))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def write_buckets(path, measurements, seconds):
    """Returns sums as the app computes them: for each minute the watch if it was worn, else the phone."""
    watched = {item.start // 60_000 for item in measurements if item.kind == "StepCount" and item.source == WATCH}
    sums = {"StepCount": collections.Counter(), "ActiveEnergyBurned": collections.Counter()}
    rates = collections.defaultdict(list)
    for item in measurements:
        bucket = item.start // (seconds * 1000) * seconds
        if item.kind == "HeartRate":
            rates[bucket].append(item.value)
        elif item.kind in sums and (item.source == WATCH or item.start // 60_000 not in watched):
            sums[item.kind][bucket] += item.value

    def date(bucket):
        return f"{datetime.datetime.fromtimestamp(bucket, UTC):%Y-%m-%d %H:%M:%S} +0000"

    metrics = [
        {"name": name, "units": UNITS[kind], "data": [
            {"date": date(bucket), "qty": quantity, "source": f"{WATCH}|{PHONE}"}
            for bucket, quantity in sorted(sums[kind].items())]}
        for name, kind in (("step_count", "StepCount"), ("active_energy", "ActiveEnergyBurned"))]
    if seconds > 60:
        metrics.append({"name": "heart_rate", "units": "count/min", "data": [
            {"date": date(bucket), "Min": min(found), "Avg": sum(found) / len(found), "Max": max(found), "source": WATCH}
            for bucket, found in sorted(rates.items())]})
    path.write_text(json.dumps({"data": {"metrics": metrics}}), encoding="utf-8")
    return path
