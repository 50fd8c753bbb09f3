"""Builds the text of a small export together with its expected records."""

import datetime

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
STEPS = "HKQuantityTypeIdentifierStepCount"
HEART = "HKQuantityTypeIdentifierHeartRate"
SLEEP = "HKCategoryTypeIdentifierSleepAnalysis"
MINDFUL = "HKCategoryTypeIdentifierMindfulSession"
EPOCH = datetime.datetime(1970, 1, 1)


def date(moment, compact=False):
    """Returns a local time at offset +0200 in the format of an export."""
    return moment.strftime("%Y%m%d%H%M%S+0200" if compact else "%Y-%m-%d %H:%M:%S +0200")


def milliseconds(moment):
    return (moment - datetime.timedelta(hours=2) - EPOCH) // datetime.timedelta(milliseconds=1)


class Export:
    """An export that grows piece by piece: `data` is the file, the other attributes are the expected report."""

    def __init__(self, head=HEAD, root='<HealthData locale="fr_FR">\n', compact=False):
        self.data = (head + root).encode()
        self.compact = compact
        self.records, self.refused, self.tolerated, self.skipped = [], {}, {}, []
        self.clock = datetime.datetime(2024, 1, 15, 8, 0, 0)

    def add(self, text):
        """Adds text that is not a record, or a record that does not count separately."""
        self.data += text if isinstance(text, bytes) else text.encode()
        return self

    def record(self, kind=STEPS, value="120", unit="count", source="iPhone", extra="", inside=None, refused=None,
               tolerated=None, start=None, end=None, aggregate=None, metadata=None):
        """Adds a record of ten minutes, which is used unless `refused` has a reason."""
        first = self.clock if start is None else start
        last = first + datetime.timedelta(minutes=10) if end is None else end
        self.clock += datetime.timedelta(minutes=10)
        texts = [moment if isinstance(moment, str) else date(moment, self.compact) for moment in (first, last)]
        name = "source" if self.compact else "sourceName"
        tag = f'<Record type="{kind}" {name}="{source}"' + (f' unit="{unit}"' if unit else "")
        tag += f' startDate="{texts[0]}" endDate="{texts[1]}"' + (f' value="{value}"' if value is not None else "") + extra
        self.add(f" {tag}>\n{inside}\n </Record>\n" if inside is not None else f" {tag}/>\n")
        if tolerated:
            self.tolerated[tolerated] = self.tolerated.get(tolerated, 0) + 1
        if refused:
            self.refused[refused] = self.refused.get(refused, 0) + 1
        else:
            expected = {"type": kind, "sourceName": source, "device": "", "start": milliseconds(first),
                        "end": milliseconds(last), "value": value, "unit": unit or None, "metadata": metadata or {}}
            self.records.append({**expected, **({"aggregate": aggregate} if aggregate else {})})
        return self

    def garbage(self, data):
        """Adds bytes that no reader can use; their range must be reported."""
        self.skipped.append({"offset": len(self.data), "length": len(data)})
        return self.add(data)

    def cut(self, text):
        """Adds the last bytes of a truncated file."""
        return self.garbage(text if isinstance(text, bytes) else text.encode())

    def close(self):
        return self.add("</HealthData>\n")


def ordinary(count=3, head=HEAD):
    """Returns a small export without faults."""
    export = Export(head)
    for number in range(count):
        export.record(value=str(100 + number))
    return export.close()


def case(file, about, export=None, error=None, incomplete=False, certain=True, expat=False, loose=(), at_least=None, **more):
    """Returns an entry of the manifest and the bytes to write."""
    records = export.records if export and not error else []
    refused = export.refused if export and not error else {}
    entry = {
        "file": file, "about": about, "certain": certain, "expat": expat, "error": error, "incomplete": incomplete,
        "read": len(records) + sum(refused.values()), "used": len(records),
        "usedAtLeast": len(records) if at_least is None else at_least, "refused": refused,
        "tolerated": export.tolerated if export and not error else {},
        "skipped": export.skipped if export and not error else [],
        "loose": list(loose), "records": records, **more,
    }
    return entry, (export.data if export else b"")
