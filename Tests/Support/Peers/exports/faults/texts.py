"""Faulty and unusual XML: generations, escapes, truncation, garbage, dates and numbers."""

import datetime
import random

from faults.export_text import HEAD, HEART, MINDFUL, SLEEP, STEPS, Export, case, ordinary

MALFORMED_DTD = """<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 12 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Me EMPTY>
<!ATTLIST Me
  HKCharacteristicTypeIdentifierDateOfBirth CDATA #REQUIRED
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
  HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse CDATA #REQUIRED
>
<!ATTLIST Record type CDATA #REQUIRED
]>
"""


def generations():
    old = Export(root="<HealthData>\n", compact=True).record(value="123").record(value="77", source="Anna\u2019s iPhone").close()
    yield case("ios8-source-and-compact-dates.xml", "before the DTD: `source`, dates without separators", old, expat=True)
    aggregate = {"min": "1.1", "max": "1.5", "average": "1.25", "recordCount": "12"}
    extra = ' min="1.1" max="1.5" average="1.25" recordCount="12"'
    sums = Export(root="<HealthData>\n", compact=True)
    sums.record(HEART, None, "count/s", extra=extra, aggregate=aggregate).record(HEART, "1.2", "count/s").close()
    yield case("ios8-aggregates.xml", "hourly aggregates without value, heart rate in count/s (1.25 is 75 per minute)", sums,
               expat=True)
    spaced = Export(root="<HealthData>\n", compact=True).record(value="5")
    spaced.record(HEART, None, "count/s", extra=extra.replace("recordCount", "record count"), aggregate=aggregate,
                  tolerated="attribute-name")
    yield case("ios8-attribute-names-with-spaces.xml", "attribute names with spaces: not well-formed but unambiguous",
               spaced.record(value="6").close())
    numbers = Export()
    for number in range(6):
        numbers.record(SLEEP, str(number), None)
    numbers.record(SLEEP, "HKCategoryValueSleepAnalysisAsleepREM", None).record(MINDFUL, None, None).close()
    yield case("category-values.xml", "category values as numbers, as names, and missing", numbers, expat=True)
    yield case("malformed-dtd-ios16.xml", "the DTD of iOS 16.0 is malformed: start at `<HealthData`",
               ordinary(head=HEAD + MALFORMED_DTD), expat=True)
    twin = ' <Record type="{0}" sourceName="cuff" unit="mmHg" startDate="2024-01-15 08:00:00 +0200" ' \
        'endDate="2024-01-15 08:10:00 +0200" value="120"/>\n'.format("HKQuantityTypeIdentifierBloodPressureSystolic")
    nested = Export().add(' <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="cuff" '
                          'startDate="2024-01-15 08:00:00 +0200" endDate="2024-01-15 08:10:00 +0200">\n')
    nested.add(twin + " </Correlation>\n")
    nested.record("HKQuantityTypeIdentifierBloodPressureSystolic", "120", "mmHg", "cuff").close()
    yield case("correlation.xml", "a record inside a correlation and again at top level: once", nested, expat=True)


def characters():
    vertical = Export().record(value="1").record(value="2", source="i&#x0B;Phone", tolerated="illegal-reference")
    yield case("illegal-reference.xml", "`&#x0B;` names no XML character", vertical.record(value="3").close(),
               loose=["sourceName"])
    more = Export()
    for reference in ("&#0;", "&#xFFFE;", "&#xD800;", "&#x110000;", "&#99999999999999999999;", "&#x;", "&#;", "&nbsp;", "&"):
        more.record(source=f"a{reference}b", tolerated="illegal-reference")
    yield case("illegal-references-more.xml", "references to no character", more.close(), certain=False, loose=["sourceName"])
    raw = Export().record(value="1", source="i\x0bPhone", tolerated="control-character")
    raw.record(value="2", inside=' <MetadataEntry key="a" value="x\x01\x1fy"/>', tolerated="control-character").close()
    yield case("raw-control-characters.xml", "control characters inside values", raw, loose=["sourceName", "metadata"])
    badbytes = ordinary()
    badbytes.data = badbytes.data.replace(b"iPhone", b"i\xff\xc3Phone", 1)
    yield case("not-utf8.xml", "a source name that is not UTF-8", badbytes, certain=False, loose=["sourceName"], at_least=2)
    twice = Export().record(value="1")
    twice.record(value="2", extra=' startDate="2024-01-15 08:10:00 +0200"', tolerated="attribute-twice")
    yield case("start-twice-same.xml", "startDate twice with the same value", twice.record(value="3").close())
    differ = Export().record(value="1")
    differ.record(value="2", extra=' startDate="2024-01-15 08:01:00 +0200"', refused="attribute-twice")
    yield case("start-twice-different.xml", "startDate twice with different values: ambiguous",
               differ.record(value="3").close(), certain=False)
    bare = Export().record(value="1").record(value="2", source="A & B < C", tolerated="unescaped").record(value="3").close()
    yield case("unescaped-in-value.xml", "bare & and < inside a value", bare, certain=False, loose=["sourceName"], at_least=2)


def cuts():
    half = ' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count" ' \
        'startDate="2024-01-15 09:00:00 +0200"'
    full = half + ' endDate="2024-01-15 09:10:00 +0200" value="12'
    ends = {
        "in-type": " <Record type=\"HKQuantityTy", "in-value": full, "after-value": full + '34"', "in-slash": full + '34"/',
        "in-tag-name": " <Rec", "after-open-tag": full + '34">\n  <MetadataEntry key="HKTimeZone" value="Europe/Paris"/>\n',
        "in-end-tag": full + '34"></Recor', "in-comment": " <!-- and then", "in-utf8": half[:60].encode() + b'" device="\xe2\x80',
        "in-root-end": "</Healt",
    }
    for name, text in ends.items():
        export = Export().record(value="1").record(value="2").cut(text)
        yield case(f"truncated-{name}.xml", "truncated: incomplete, and never a partial record", export, incomplete=True)
    bare = Export().record(value="1").record(value="2")
    yield case("truncated-without-root-end.xml", "cut off between two records", bare, incomplete=True)
    yield case("truncated-in-dtd.xml", "cut off before the root", Export(HEAD + MALFORMED_DTD[:300], ""), error="not-an-export")


def stretches():
    noise = random.Random(1)
    binary = bytes(noise.choice([byte for byte in range(256) if byte not in b"<>\"'&"]) for _ in range(700))
    pieces = {"binary": binary, "zeros": bytes(4096), "angle-brackets": b"<<<<>>>> < > <1 <= <> </ >\n"}
    for name, data in pieces.items():
        export = Export().record(value="1").garbage(data).add("\n").record(value="2").record(value="3").close()
        yield case(f"garbage-{name}.xml", "garbage in the middle: the rest is read, the range is reported", export,
                   incomplete=True, at_least=2 if name == "angle-brackets" else None, certain=name != "angle-brackets")
    half = Export().record(value="1").garbage(b' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPh\n')
    yield case("garbage-half-record.xml", "a record that ends in the middle of a value; the next ones are complete",
               half.record(value="2").record(value="3").close(), incomplete=True, certain=False, at_least=2)


def dates_and_numbers():
    wrong = ["2024-02-30 08:00:00 +0200", "2023-02-29 08:00:00 +0200", "2024-13-01 08:00:00 +0200", "2024-01-15 25:00:00 +0200",
             "2024-01-15 08:61:00 +0200", "2024-00-10 08:00:00 +0200", "2024-01-15 08:00:00", "2024-01-15", "", "yesterday",
             "2024-01-15 08:00:00 +02", "20240230080000+0200", "٢٠٢٤-01-15 08:00:00 +0200"]
    refused = Export()
    for text in wrong:
        refused.record(start=text, end=datetime.datetime(2024, 1, 15, 9), refused="date")
    yield case("impossible-dates.xml", "30 February and other invalid dates", refused.record().close(), expat=True)
    far = Export()
    for year in (1970, 1975, 1999, 2031, 2038, 2099):
        far.record(start=datetime.datetime(year, 3, 1, 12, 0, 0))
    yield case("past-and-future.xml", "dates in the 1970s and in the future occur", far.close(), expat=True)
    edges = Export()
    for moment in (datetime.datetime(1, 1, 1, 12), datetime.datetime(1601, 1, 1), datetime.datetime(9999, 12, 31, 20)):
        start = f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d} {moment:%H:%M:%S} +0200"
        edges.record(start=start, end=start, refused="date")
    yield case("years-1-and-9999.xml", "years at the limits: used or refused, but counted", edges.close(), certain=False)
    back = Export().record(start=datetime.datetime(2024, 1, 15, 9), end=datetime.datetime(2024, 1, 15, 8), refused="date")
    yield case("end-before-start.xml", "an end before its start", back.record().close(), certain=False)
    numbers = Export()
    for value in ("nan", "NaN", "inf", "-Infinity", "1e999", "", " ", "12,5", "0x10", "twelve", "1.2.3", "--1"):
        numbers.record(value=value, refused="value")
    yield case("not-numbers.xml", "values of a quantity that are not numbers", numbers.record(value="7").close())
    huge = Export()
    for value in ("9223372036854775808", "99999999999999999999999999", "1e300", "-5", "0." + "0" * 400 + "1", "1" * 400):
        huge.record(value=value)
    yield case("huge-numbers.xml", "numbers beyond the range of integers: used or refused, but counted", huge.close(), certain=False,
               at_least=0)
    small = Export().record("HKQuantityTypeIdentifierDistanceWalkingRunning", "4.5e-05", "km").record(value="0").close()
    yield case("small-numbers.xml", "an exponent, and zero", small, expat=True)
    heart = Export().record(HEART, "12", "count/min").record(HEART, "450", "count/min").record(HEART, "72", "count/min").close()
    yield case("heart-rate-out-of-range.xml", "outside 20 to 300 a minute: refused by the metric, and counted", heart,
               certain=False, at_least=1)
    lone = Export().add(f' <Record type="{STEPS}" sourceName="iPhone" unit="count" value="3"/>\n <Record/>\n')
    lone.refused = {"date": 1, "type": 1}
    yield case("missing-attributes.xml", "records without dates or type", lone.record().close(), expat=True)


def not_exports():
    yield case("empty.xml", "an empty file", error="not-an-export")
    html = Export("<!DOCTYPE html><html>", "<body>Record</body></html>")
    yield case("web-page.xml", "a web page", html, error="not-an-export")
    clinical = Export(HEAD, '<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Health Data Export</title></ClinicalDocument>')
    yield case("export_cda.xml", "the clinical document of an export", clinical, error="not-an-export")
    yield case("no-records.xml", "an export without records", Export().close(), expat=True)
    yield case("self-closing-root.xml", "an export without records", Export(HEAD, "<HealthData/>"), expat=True)


def cases():
    for group in (generations, characters, cuts, stretches, dates_and_numbers, not_exports):
        yield from group()
