#!/usr/bin/env python3
"""Prints where each calendar day of a zone begins, according to zoneinfo.

    check_zone_days.py Europe/Paris 2024-03-30 2024-04-01

Prints `YYYY-MM-DD start_utc_seconds` for each day from FROM to TO, inclusive.
A day begins at the first instant at which the local time is 00:00 or later: at the
earlier of two midnights in autumn, at the transition if the clock skips midnight. A day
that the zone skipped (Pacific/Apia 2011-12-30) has the start of the next day: its length
is zero.

Exit status: 0, or 2 for an unknown zone, an impossible date, or FROM after TO.
"""

import argparse
import datetime
import sys
import zoneinfo

UTC = datetime.timezone.utc


def day_start(day, zone):
    """Returns the seconds since 1970 of the first instant whose local time is `day` 00:00 or later."""
    midnight = datetime.datetime.combine(day, datetime.time(), tzinfo=zone)
    first = whole_seconds(midnight)
    if wall_clock(first, zone) == midnight.replace(tzinfo=None):
        return first
    # Midnight is in a gap. With the offset before the gap it would be `first`, with the
    # offset after it `early`; the transition is in (early, first].
    early = whole_seconds(midnight.replace(fold=1))
    before = wall_clock(early, zone) - utc_clock(early)
    low, high = early, first
    while high - low > 1:
        middle = (low + high) // 2
        if wall_clock(middle, zone) - utc_clock(middle) == before:
            low = middle
        else:
            high = middle
    return high


def whole_seconds(moment):
    epoch = datetime.datetime(1970, 1, 1, tzinfo=UTC)
    return (moment.astimezone(UTC) - epoch) // datetime.timedelta(seconds=1)


def utc_clock(seconds):
    return datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)


def wall_clock(seconds, zone):
    return utc_clock(seconds).replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zone")
    parser.add_argument("first", metavar="FROM", type=datetime.date.fromisoformat)
    parser.add_argument("last", metavar="TO", type=datetime.date.fromisoformat)
    options = parser.parse_args(arguments)
    try:
        zone = zoneinfo.ZoneInfo(options.zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        parser.error(f"unknown zone {options.zone!r} (is tzdata installed?)")
    if options.first > options.last:
        parser.error("FROM is after TO")
    day = options.first
    while day <= options.last:
        print(day.isoformat(), day_start(day, zone))
        day += datetime.timedelta(days=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
