"""A small export with the identifiers that apps and updates write: one `HKExternalUUID` on a night, a workout and a walk,
a watch update during a night, a restored phone, and versions of a sample. Times are UTC."""

import datetime
from xml.sax.saxutils import quoteattr

QUANTITY = "HKQuantityTypeIdentifier"
SLEEP = "HKCategoryTypeIdentifierSleepAnalysis"
UNITS = {"StepCount": "count", "HeartRate": "count/min", "ActiveEnergyBurned": "kcal"}
NIGHT, WALK, WORKOUT = (f"0BADCAFE-0000-4000-8000-00000000000{number}" for number in (1, 2, 3))


def device(name, hardware, software, created="", address=0x282E3A260):
    tail = f", creation date:{created}" if created else ""
    return (f"<<HKDevice: 0x{address:x}>, name:{name}, manufacturer:Apple Inc., model:{name}, hardware:{hardware},"
            f" software:{software}{tail}>")


OLD_WATCH = device("Apple Watch", "Watch7,2", "11.0", "2023-01-01 08:00:00 +0000")
NEW_WATCH = device("Apple Watch", "Watch7,2", "11.1", "2024-01-18 01:00:00 +0000", 0x282E3A261)
PHONE = device("iPhone", "iPhone14,5", "17.2", "2023-01-01 08:00:00 +0000")
RESTORED_PHONE = device("iPhone", "iPhone14,5", "17.2", "2024-01-19 08:00:00 +0000", 0x282E3A262)


def record(kind, minute, minutes, value, source="Watch", of=OLD_WATCH, **metadata):
    """Returns a record that begins `minute` minutes after 2024-01-15T00:00Z."""
    begin = datetime.datetime(2024, 1, 15) + datetime.timedelta(minutes=minute)
    end = begin + datetime.timedelta(minutes=minutes)
    attributes = {
        "type": SLEEP if kind == "Sleep" else QUANTITY + kind, "sourceName": source, **({"device": of} if of else {}),
        **({"unit": UNITS[kind]} if kind in UNITS else {}), "startDate": f"{begin:%Y-%m-%d %H:%M:%S} +0000",
        "endDate": f"{end:%Y-%m-%d %H:%M:%S} +0000",
        "value": f"HKCategoryValueSleepAnalysisAsleep{value}" if kind == "Sleep" else str(value)}
    entries = "".join(f"<MetadataEntry key={quoteattr(key)} value={quoteattr(str(entry))}/>" for key, entry in metadata.items())
    text = " ".join(f"{name}={quoteattr(member)}" for name, member in attributes.items())
    return f"<Record {text}>{entries}</Record>\n"


def versioned(kind, minute, minutes, value, identifier, version, source="Fit", of=""):
    return record(kind, minute, minutes, value, source, of, HKMetadataKeySyncIdentifier=identifier,
                  HKMetadataKeySyncVersion=version)


def write(path, records, day=22):
    path.write_text(f'<HealthData locale="en_US">\n<ExportDate value="2024-01-{day} 08:00:00 +0000"/>\n'
                    + "".join(records) + "</HealthData>\n", encoding="utf-8")
    return path


def day(number, hour=0):
    """Returns the minutes until an hour of a day in January 2024."""
    return (number - 15) * 1440 + hour * 60


def stamped_night():
    """Returns seven hours from 23:00 on the 15th, in fourteen stages with one UUID."""
    stages = ["Core", "Deep", "Core", "REM"]
    return [record("Sleep", day(15, 23) + 30 * n, 30, stages[n % 4], HKExternalUUID=NIGHT) for n in range(14)]


def stamped_energy():
    """Returns 379.9 kcal; a program that keeps one sample per UUID would have 335.9."""
    return [record("ActiveEnergyBurned", day(16, 10), 10, 44, "Coach", "", HKExternalUUID=WORKOUT),
            record("ActiveEnergyBurned", day(16, 10) + 10, 50, 335.9, "Coach", "", HKExternalUUID=WORKOUT)]


def stamped_walk():
    """Returns six samples with 615 steps in total."""
    return [record("StepCount", day(16, 8) + 10 * n, 10, 100 + n, HKExternalUUID=WALK) for n in range(6)]


def night_of_an_update():
    """Returns six hours from 23:00 on the 17th; the watch was updated at 2:00."""
    return [record("Sleep", day(17, 23) + 30 * n, 30, "Core" if n % 2 else "Deep", of=OLD_WATCH if n < 6 else NEW_WATCH)
            for n in range(12)]


def rates(of):
    """Returns sixty measurements on the 19th."""
    return [record("HeartRate", day(19, 9) + n, 0, 60 + n % 7, "iPhone", of) for n in range(60)]


def versions():
    """Returns three versions of a walk, on two days; the second version has 1,200 steps and precedes the first one."""
    return [versioned("StepCount", day(20, 8), 30, 700, "walk 1", 2**40 - 1),
            versioned("StepCount", day(21, 9), 20, 1200, "walk 1", 2**40, of=PHONE),
            versioned("StepCount", day(20, 10), 30, 1000, "walk 1", -5)]


def everything():
    return [*stamped_night(), *stamped_energy(), *stamped_walk(), *night_of_an_update(), *rates(PHONE),
            *rates(RESTORED_PHONE), *versions(),
            *[record("StepCount", day(number, 12), 10, 500 + number, "iPhone", PHONE) for number in range(15, 22)],
            *[record("StepCount", day(number, 12) + 15, 5, 50, of=OLD_WATCH if number < 18 else NEW_WATCH)
              for number in range(15, 22)]]


def feed():
    """Returns JSON Lines: a walk of the export with finer times and a UUID, a sample with a UUID, one with a version."""
    def line(begin, end, count, source, **members):
        return {"startDate": f"2024-01-{begin}Z", "endDate": f"2024-01-{end}Z", "count": count, "sourceBundleId": source, **members}
    return [line("15T12:00:00.250", "15T12:10:00.125", 515, "iPhone", uuid="0badcafe-0000-4000-8000-00000000000a"),
            line("16T18:00:00", "16T18:10:00", 77, "Pod", uuid="0badcafe-0000-4000-8000-00000000000b"),
            line("17T18:00:00", "17T18:10:00", 88, "Pod", externalID="lap", syncVersion=4)]
