"""One generated life as an Apple Health export with six significant digits or all, and as the files of feeds, each in any
unit. Units are converted with fractions, independently of the program."""

import dataclasses
import datetime
import fractions
import json
import uuid

UTC = datetime.timezone.utc
FIRST = datetime.datetime(2024, 3, 5, 8, tzinfo=UTC)
QUANTITY = "HKQuantityTypeIdentifier"
SOURCE = "Anna’s\u00a0iPhone"
F = fractions.Fraction

# By type: the metric of the program, the name in Health Auto Export, and its units, the canonical one first, as factor
# and offset to that one. HealthKit's kilocalorie is 4184 J.
KINDS = {
    "DistanceWalkingRunning": ("walkingDistance", "walking_running_distance", {
        "km": (F(1), F(0)), "mi": (F("1.609344"), F(0)), "m": (F("0.001"), F(0))}),
    "ActiveEnergyBurned": ("activeEnergy", "active_energy", {
        "kcal": (F(1), F(0)), "Cal": (F(1), F(0)), "kJ": (1 / F("4.184"), F(0))}),
    "DietaryWater": ("dietaryWater", "dietary_water", {
        "mL": (F(1), F(0)), "fl_oz_us": (F("29.5735295625"), F(0)), "L": (F(1000), F(0))}),
    "BodyMass": ("bodyMass", "weight_body_mass", {"kg": (F(1), F(0)), "lb": (F("0.45359237"), F(0))}),
    "BodyTemperature": ("bodyTemperature", "body_temperature", {
        "degC": (F(1), F(0)), "degF": (F(5, 9), F(-160, 9))}),
    "BloodGlucose": ("bloodGlucose", "blood_glucose", {
        "mg/dL": (F(1), F(0)), "mmol<180.1558800000541>/L": (F("18.015588"), F(0))}),
}
METRICS = ",".join(metric for metric, _, _ in KINDS.values())
RANGES = {"DistanceWalkingRunning": (0.0005, 1.9), "ActiveEnergyBurned": (0.01, 90), "DietaryWater": (20, 700),
          "BodyMass": (60, 90), "BodyTemperature": (35, 40), "BloodGlucose": (60, 200)}


@dataclasses.dataclass(frozen=True)
class Measurement:
    kind: str
    start: int
    end: int
    value: float
    uuid: str


def life(chance, each=6):
    """Generates measurements of each kind; instants are milliseconds since 1970, values in the canonical unit."""
    found = []
    for kind, (least, most) in RANGES.items():
        at = int(FIRST.timestamp() * 1000)
        for _ in range(each):
            at += chance.randrange(60_000, 1_800_000)
            length = chance.randrange(5_000, 50_000) if kind in ("DistanceWalkingRunning", "ActiveEnergyBurned") else 0
            value = chance.choice([chance.uniform(least, most), round(chance.uniform(least, most), chance.randrange(3))])
            number = uuid.UUID(int=chance.getrandbits(128), version=4)
            found.append(Measurement(kind, at, at + length, value or least, str(number)))
    return found


def units(kind, number):
    names = list(KINDS[kind][2])
    return names[number % len(names)]


def written(item, unit):
    """Returns the value in `unit` as a double, rounded once."""
    factor, offset = KINDS[item.kind][2][unit]
    return float((fractions.Fraction(item.value) - offset) / factor)


def seconds(at):
    return f"{datetime.datetime.fromtimestamp(at // 1000, UTC):%Y-%m-%d %H:%M:%S} +0000"


def instant(at):
    return datetime.datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


def export(path, items, number, digits=6, date="2024-04-01", name=SOURCE):
    """Writes an export in the unit with that number of each kind, with `digits` significant digits or, for None, all."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<HealthData locale="en_US">',
             f' <ExportDate value="{date} 08:00:00 +0000"/>']
    for item in items:
        unit = units(item.kind, number)
        value = written(item, unit)
        text = f"{value:.{digits}g}" if digits else repr(value)
        lines.append(f' <Record type="{QUANTITY}{item.kind}" sourceName="{name}" unit="{unit.replace("<", "&lt;")}"'
                     f' startDate="{seconds(item.start)}" endDate="{seconds(item.end)}" value="{text}"/>')
    path.write_text("\n".join([*lines, "</HealthData>", ""]), encoding="utf-8")
    return path


def hozz(path, items, number):
    lines = []
    for item in items:
        unit = units(item.kind, number)
        lines.append({"schemaVersion": 1, "kind": "quantity", "id": item.uuid, "type": QUANTITY + item.kind,
                      "startDate": instant(item.start), "endDate": instant(item.end), "source": {"name": SOURCE},
                      "quantity": {"value": written(item, unit), "unit": unit}})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def json_lines(path, items, number):
    lines = []
    for item in items:
        unit = units(item.kind, number)
        lines.append({"type": QUANTITY + item.kind, "startDate": instant(item.start), "endDate": instant(item.end),
                      "value": written(item, unit), "unit": unit, "sourceBundleId": SOURCE.replace("\u00a0", " "),
                      "uuid": item.uuid})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def health_auto_export(path, items, number):
    metrics = []
    for kind, (_, name, _) in KINDS.items():
        unit = units(kind, number)
        entries = [{"date": seconds(item.start), "start": seconds(item.start), "end": seconds(item.end),
                    "qty": written(item, unit), "source": SOURCE} for item in items if item.kind == kind]
        metrics.append({"name": name, "units": unit, "data": entries})
    path.write_text(json.dumps({"data": {"metrics": metrics}}))
    return path


FEEDS = {"hozz.ndjson": hozz, "lines.jsonl": json_lines, "HealthAutoExport-2024-03-05.json": health_auto_export}
