"""Apple Shortcuts: "Find Health Samples", then "Get Contents of URL".

The user writes the body: JSON Lines with the members of `POST /steps` plus `type`, `value`, `unit`; plain lines
`type,start,end,value,unit`; or form fields. Source: `../shared/design/inputs.md`. Dates are formatted as ISO 8601 with the
local offset and without fractions. No identifiers.
"""

import datetime
import json
import urllib.parse
import zoneinfo

from senders.neutral import Request

TYPES = {"steps": ("stepCount", "count"), "distance": ("distanceWalkingRunning", "m"), "energy": ("activeEnergyBurned", "kcal"),
         "heartRate": ("heartRate", "count/min"), "restingHeartRate": ("restingHeartRate", "count/min")}
AGENT = "BackgroundShortcutRunner/3036.0.4.2 CFNetwork/1568.300.101 Darwin/24.2.0"


def date(at, zone):
    return datetime.datetime.fromtimestamp(at // 1000, zoneinfo.ZoneInfo(zone)).isoformat()


def rows(samples, zone):
    """Returns type, start, end, value and unit. Sleep is left out: the action returns its stage in the phone's language."""
    for one in samples:
        if one.kind in TYPES:
            kind, unit = TYPES[one.kind]
            yield one, kind, date(one.start, zone), date(one.end, zone), one.value, unit


def post(body, content_type, path):
    return Request("POST", path, {"Content-Type": content_type, "User-Agent": AGENT}, body.encode())


def plain(samples, zone, path="/shortcuts"):
    return post("".join(f"{','.join(map(str, row[1:]))}\n" for row in rows(samples, zone)), "text/plain", path)


def json_lines(samples, zone, path="/shortcuts"):
    lines = [json.dumps({"type": kind, "startDate": start, "endDate": end, "value": value, "unit": unit,
                         "sourceBundleId": one.source}, ensure_ascii=False)
             for one, kind, start, end, value, unit in rows(samples, zone)]
    return post("\n".join(lines), "application/json", path)


def form(samples, zone, path="/shortcuts"):
    """Returns one request for each sample, as a "Repeat with Each" does."""
    return [post(urllib.parse.urlencode({"type": kind, "start": start, "end": end, "value": value, "unit": unit}),
                 "application/x-www-form-urlencoded", path) for _, kind, start, end, value, unit in rows(samples, zone)]
