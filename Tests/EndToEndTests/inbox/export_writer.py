"""Writes neutral samples as an Apple Health export, with whole seconds and without identifiers."""

import datetime
import zipfile
from xml.sax.saxutils import quoteattr

from senders import hozz
from senders.neutral import local

UNITS = {"steps": ("count", 1), "distance": ("km", 0.001), "energy": ("kcal", 1), "heartRate": ("count/min", 1),
         "restingHeartRate": ("count/min", 1)}
STAGES = {"asleep": "AsleepUnspecified", "awake": "Awake", "core": "AsleepCore", "deep": "AsleepDeep", "rem": "AsleepREM"}


def export_text(samples, zone, date):
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE HealthData [\n<!ELEMENT HealthData ANY>\n]>',
             '<HealthData locale="en_FR">', f' <ExportDate value="{date} 08:00:00 {local(samples[0].start, zone)[-5:]}"/>']
    for one in samples:
        device = quoteattr(f"<<HKDevice: 0x282e3a260>, name:{one.device}, manufacturer:Apple Inc., model:{one.device}>")
        if one.kind == "sleep":
            members = f' value="HKCategoryValueSleepAnalysis{STAGES[one.value]}"'
        else:
            unit, factor = UNITS[one.kind]
            value = one.value if factor == 1 else round(one.value * factor, 9)
            members = f' unit="{unit}" value="{value}"'
        name = quoteattr(one.source.replace(" ", "\u00a0"))
        lines.append(f' <Record type="{hozz.TYPES[one.kind]}" sourceName={name} device={device}'
                     f' startDate="{local(one.start, zone)}" endDate="{local(one.end, zone)}"{members}/>')
    return "\n".join([*lines, "</HealthData>", ""])


def write_zip(path, samples, zone="Europe/Paris", date="2024-04-01"):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        info = zipfile.ZipInfo("apple_health_export/export.xml", datetime.datetime(2024, 4, 1, 8).timetuple()[:6])
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, export_text(samples, zone, date))
    return path
