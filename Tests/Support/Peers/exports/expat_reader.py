#!/usr/bin/env python3
"""The reference implementation of the scanner: prints the records of an Apple Health export, read with expat.

    expat_reader.py FILE.xml [--types HKQuantityTypeIdentifierStepCount,...]

Prints one JSON object per line, in document order, for each `Record` directly below
`HealthData` (a record inside a Correlation also occurs at the top level, so it counts
once):

    type        raw identifier
    sourceName  `sourceName`, in the oldest exports `source`; "" without either
    device      name, manufacturer, model and hardware in `device`; "" without one
    start, end  UTC milliseconds since 1970
    value       the string in the file, or null
    unit        the string in the file, or null
    metadata    {key: value} of the MetadataEntry children; of equal keys the last counts

A DTD is read but not used for validation; if it is malformed (iOS 16.0), reading starts
at `<HealthData`. A record without a type or with an invalid date is counted instead of
printed. One summary line goes to stderr: {"printed": n, "refused": {reason: n}}.

Exit status: 0 read to the end; 1 not well-formed (the records before are printed, stderr
states the byte offset); 2 no such file, or invalid arguments.
"""

import argparse
import calendar
import collections
import datetime
import json
import re
import sys
import xml.parsers.expat as expat

CHUNK = 1 << 20
SPACED = re.compile(r"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)", re.ASCII)
COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)([+-])(\d\d)(\d\d)", re.ASCII)
ADDRESS = re.compile(r"<<HKDevice: 0x[0-9A-Fa-f]+>(?:, )?(.*)", re.DOTALL)
STABLE = ["name", "manufacturer", "model", "hardware"]
CHANGING = ["firmware", "software", "localIdentifier", "local identifier", "UDIDeviceIdentifier", "UDI device identifier",
            "FDA UDI", "creation date"]
LABEL = re.compile(f"(?:^|, )((?:{'|'.join(STABLE + CHANGING)}):)")


def milliseconds(text):
    """Returns the instant of a date in an export, or None if the date is invalid."""
    match = SPACED.fullmatch(text) or COMPACT.fullmatch(text)
    if not match:
        return None
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    sign, offset_hours, offset_minutes = match.group(7), int(match.group(8)), int(match.group(9))
    if offset_hours > 23 or offset_minutes > 59:
        return None
    try:
        local = datetime.datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    offset = (offset_hours * 60 + offset_minutes) * 60
    seconds = calendar.timegm(local.timetuple()) - (offset if sign == "+" else -offset)
    return seconds * 1000


def stable_device(text):
    """Returns name, manufacturer, model and hardware; text before the first label, or without labels, is kept."""
    text = text or ""
    match = ADDRESS.fullmatch(text)
    if match:
        text = match.group(1)
        text = text[:-1] if text.endswith(">") else text
    parts = LABEL.split(text)
    kept = [parts[0]] if parts[0] else []
    kept += [label + rest for label, rest in zip(parts[1::2], parts[2::2]) if label[:-1] in STABLE]
    return ", ".join(kept)


class Reader:
    """Reads the records of one document."""

    def __init__(self, types=None):
        self.types = types
        self.refused = collections.Counter()
        self.root = None
        self._depth = 0
        self._attributes = None
        self._metadata = {}
        self._ready = []

    def read(self, path):
        """Yields the records of a file; raises ExpatError if it is not well-formed."""
        try:
            yield from self._feed(path, 0, None)
        except expat.ExpatError:
            start = find_root(path) if self.root is None else -1
            if start < 0:
                raise
            self._depth = 0
            yield from self._feed(path, start, "UTF-8")

    def _feed(self, path, start, encoding):
        parser = expat.ParserCreate(encoding)
        parser.specified_attributes = True
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        with open(path, "rb") as file:
            file.seek(start)
            try:
                while chunk := file.read(CHUNK):
                    parser.Parse(chunk, False)
                    yield from self._take()
                parser.Parse(b"", True)
            except expat.ExpatError as error:
                yield from self._take()
                error.byte_offset = start + max(parser.ErrorByteIndex, 0)
                raise

    def _take(self):
        ready, self._ready = self._ready, []
        return ready

    def _start(self, name, attributes):
        self._depth += 1
        if self._depth == 1:
            self.root = name
        elif self._depth == 2 and name == "Record" and self.root == "HealthData":
            self._attributes, self._metadata = attributes, {}
        elif self._depth == 3 and name == "MetadataEntry" and self._attributes is not None:
            self._metadata[attributes.get("key")] = attributes.get("value")

    def _end(self, _name):
        if self._depth == 2 and self._attributes is not None:
            self._finish(self._attributes)
            self._attributes = None
        self._depth -= 1

    def _finish(self, attributes):
        kind = attributes.get("type")
        if not kind:
            self.refused["type"] += 1
            return
        if self.types and kind not in self.types:
            return
        start = milliseconds(attributes.get("startDate", ""))
        end = milliseconds(attributes.get("endDate", ""))
        if start is None or end is None:
            self.refused["date"] += 1
            return
        self._ready.append({
            "type": kind,
            "sourceName": attributes.get("sourceName", attributes.get("source", "")),
            "device": stable_device(attributes.get("device")),
            "start": start,
            "end": end,
            "value": attributes.get("value"),
            "unit": attributes.get("unit"),
            "metadata": self._metadata,
        })


def find_root(path):
    """Returns the offset of the first `<HealthData` in a file, or -1."""
    needle, offset, tail = b"<HealthData", 0, b""
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            found = (tail + chunk).find(needle)
            if found >= 0:
                return offset - len(tail) + found
            offset += len(chunk)
            tail = (tail + chunk)[-(len(needle) - 1):]
    return -1


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--types", default="", help="raw identifiers, separated by commas")
    options = parser.parse_args(arguments)
    reader = Reader({name for name in options.types.split(",") if name} or None)
    printed, status = 0, 0
    try:
        for record in reader.read(options.file):
            sys.stdout.write(json.dumps(record, sort_keys=True) + "\n")
            printed += 1
    except expat.ExpatError as error:
        offset = getattr(error, "byte_offset", 0)
        print(f"{options.file}: not well-formed at byte {offset}: {error}", file=sys.stderr)
        status = 1
    except OSError as error:
        print(f"{options.file}: {error.strerror}", file=sys.stderr)
        return 2
    sys.stdout.flush()
    print(json.dumps({"printed": printed, "refused": dict(reader.refused)}), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
