"""Exports of a few explicit records, whose results are calculated by hand."""

import datetime

DAY_ONE = datetime.datetime(2024, 3, 1, tzinfo=datetime.timezone.utc)
COUNT = "HKQuantityTypeIdentifierStepCount"
RATE = "HKQuantityTypeIdentifierHeartRate"
SLEEP = "HKCategoryTypeIdentifierSleepAnalysis"


def record(kind, day, hour, minutes, value, unit):
    start = DAY_ONE + datetime.timedelta(days=day, hours=hour)
    end = start + datetime.timedelta(minutes=minutes)
    return kind, start, end, value, unit


def ordinary_days(number):
    records = []
    for day in range(number):
        records += [record(COUNT, day, hour, 10, 500 + day + hour, "count") for hour in (8, 12, 18)]
        records += [record(RATE, day, hour, 0, 60 + hour % 5, "count/min") for hour in (9, 15)]
        records += [
            record(SLEEP, day, 22, 120, "HKCategoryValueSleepAnalysisAsleepCore", None),
            record(SLEEP, day, 24, 180, "HKCategoryValueSleepAnalysisAsleepDeep", None),
        ]
    return records


def write(path, records, export_date="2024-04-01"):
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<HealthData locale="en_US">',
             f' <ExportDate value="{export_date} 08:00:00 +0000"/>']
    for kind, start, end, value, unit in records:
        lines.append(
            f' <Record type="{kind}" sourceName="Watch"' + (f' unit="{unit}"' if unit else "")
            + f' startDate="{start:%Y-%m-%d %H:%M:%S} +0000" endDate="{end:%Y-%m-%d %H:%M:%S} +0000" value="{value}"/>'
        )
    path.write_text("\n".join([*lines, "</HealthData>", ""]))
    return path
