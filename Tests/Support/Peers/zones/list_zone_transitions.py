#!/usr/bin/env python3
"""Prints when the clocks of each zone changed, according to zoneinfo.

    list_zone_transitions.py [FOLDER]

Prints one line `NAME start:offset start:offset …` for each zone of the system's time zone
database, or of the zone files in FOLDER: the offset on 1970-01-01 in seconds east of UTC,
then every change until the end of 2037, each with its instant in seconds since 1970.
"""

import datetime
import sys
import zoneinfo

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
END = 2_145_916_800
STEP = 14 * 86_400
NO_PLACES = {"localtime", "Factory", "posixrules"}


def offset(zone, seconds):
    moment = EPOCH + datetime.timedelta(seconds=seconds)
    return int(moment.astimezone(zone).utcoffset().total_seconds())


def transitions(zone):
    """Finds the offsets by bisection: all that lasted for two weeks or longer."""
    current = offset(zone, 0)
    found = [(0, current)]
    seconds = 0
    while seconds < END:
        if offset(zone, seconds + STEP) == current:
            seconds += STEP
            continue
        low, high = seconds, seconds + STEP
        while high - low > 1:
            middle = (low + high) // 2
            if offset(zone, middle) == current:
                low = middle
            else:
                high = middle
        seconds, current = high, offset(zone, high)
        found.append((seconds, current))
    return [pair for pair in found if pair[0] < END]


def main():
    if len(sys.argv) > 1:
        zoneinfo.reset_tzpath([sys.argv[1]])
    for name in sorted(zoneinfo.available_timezones() - NO_PLACES):
        pairs = transitions(zoneinfo.ZoneInfo(name))
        print(name, " ".join(f"{start}:{offset}" for start, offset in pairs))


if __name__ == "__main__":
    main()
