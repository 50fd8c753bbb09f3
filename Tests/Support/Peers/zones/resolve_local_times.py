#!/usr/bin/env python3
"""Prints which instants local times of a zone mean, according to zoneinfo.

    resolve_local_times.py Europe/Paris 2024 2025

Prints `YYYY-MM-DDTHH:MM seconds` for every quarter of an hour of the days around each
change of the clocks in the years from FIRST to LAST. Of two instants it is the earlier
one; for a time that the clock skips, the offset before the change applies.

Exit status: 0, or 2 for an unknown zone or a year that is not a number.
"""

import argparse
import datetime
import sys
import zoneinfo

UTC = datetime.timezone.utc
DAY = datetime.timedelta(days=1)


def local(day, zone):
    return datetime.datetime.combine(day, datetime.time(), tzinfo=zone)


def days_of_change(zone, first, last):
    """Returns the days on which the offset changes, with the day before and the day after."""
    days = set()
    day = datetime.date(first, 1, 1)
    while day < datetime.date(last + 1, 1, 1):
        if local(day, zone).utcoffset() != local(day + DAY, zone).utcoffset():
            days |= {day - DAY, day, day + DAY}
        day += DAY
    return sorted(days)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zone")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    options = parser.parse_args(arguments)
    try:
        zone = zoneinfo.ZoneInfo(options.zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        parser.error(f"unknown zone {options.zone!r} (is tzdata installed?)")
    for day in days_of_change(zone, options.first, options.last):
        for quarter in range(96):
            time = local(day, zone) + datetime.timedelta(minutes=15 * quarter)
            # Arithmetic within a zone is that of the wall clock; fold=0 is the earlier instant.
            print(f"{time:%Y-%m-%dT%H:%M}", int(time.replace(fold=0).astimezone(UTC).timestamp()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
