"""Figures of days, computed from neutral samples in the plainest way, without the program."""

import collections
import datetime
import pathlib
import sys
import zoneinfo

from senders.neutral import MINUTE

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "nights"))
import night_rules  # noqa: E402

HOLD = 10 * MINUTE


def day_of(at, zone):
    return datetime.datetime.fromtimestamp(at / 1000, zoneinfo.ZoneInfo(zone)).date()


def without(span, taken):
    """Returns the parts of `span` that no span of `taken` covers."""
    parts = [span]
    for low, high in taken:
        parts = [piece for start, end in parts for piece in ((start, min(end, low)), (max(start, high), end))
                 if piece[0] < piece[1]]
    return parts


def sums(samples, priority, zone):
    """Merges a cumulative quantity: a source counts only where no preferred one has a sample. Sums by day."""
    found, taken = collections.Counter(), []
    for source in priority:
        own = [sample for sample in samples if sample.source == source]
        for sample in own:
            near = [span for span in taken if span[0] < sample.end and sample.start < span[1]]
            for start, end in without((sample.start, sample.end), near):
                if day_of(start, zone) != day_of(end - 1, zone):
                    raise ValueError("a sample crosses midnight")
                found[day_of(start, zone)] += sample.value * (end - start) / (sample.end - sample.start)
        taken += [(sample.start, sample.end) for sample in own]
    return found


def rates(samples, zone):
    """Returns minimum, maximum, count and time-weighted mean by day, of one source."""
    ordered = sorted((sample.start, sample.value) for sample in samples)
    values, held = collections.defaultdict(list), collections.defaultdict(list)
    for number, (at, value) in enumerate(ordered):
        until = min([at + HOLD] + [later for later, _ in ordered[number + 1:number + 2]])
        values[day_of(at, zone)].append(value)
        while at < until:
            day = day_of(at, zone)
            next_midnight = datetime.datetime.combine(
                day + datetime.timedelta(1), datetime.time(), zoneinfo.ZoneInfo(zone)).timestamp() * 1000
            stop = min(until, int(next_midnight))
            held[day].append((stop - at, value))
            at = stop
    return {day: {"minimum": min(found), "maximum": max(found), "count": len(found),
                  "mean": sum(length * value for length, value in held[day]) / sum(length for length, _ in held[day])}
            for day, found in values.items()}


def sleep(samples, zone):
    """Returns the main sleep and the naps of each day, of one source, by the rules of nights/night_rules.py. Minutes."""
    numbers = {name: number for number, name in enumerate(("inBed", "asleep", "awake", "core", "deep", "rem"))}
    stated = [{"source": sample.source, "manual": False, "priority": 0, "zone": None, "start": sample.start,
               "end": sample.end, "stage": numbers[sample.value]} for sample in samples]
    found = {}
    for day in night_rules.expected(stated, zone)["days"]:
        main = day["main"] and minutes(day["main"])
        found[datetime.date.fromisoformat(day["day"])] = {"main": main, "naps": [minutes(nap) for nap in day["naps"]]}
    return found


def minutes(sleep):
    names = {"timeInBed": "time_in_bed", "totalSleep": "asleep", "awake": "awake", "rem": "rem", "core": "core", "deep": "deep"}
    return {"start": sleep["start"], "end": sleep["end"], **{name: sleep[own] / MINUTE for name, own in names.items()}}


def figures(samples, priority, zone):
    """Returns the figures of each day; a figure that does not exist is missing."""
    kinds = collections.defaultdict(list)
    for sample in samples:
        kinds[sample.kind].append(sample)
    found = collections.defaultdict(dict)
    for kind, name, factor in (("steps", "steps", 1), ("distance", "kilometres", 0.001), ("energy", "kilocalories", 1)):
        for day, amount in sums(kinds[kind], priority, zone).items():
            found[day][name] = amount * factor
    for day, rate in rates(kinds["heartRate"], zone).items():
        found[day]["heartRate"] = rate
    for sample in sorted(kinds["restingHeartRate"], key=lambda one: one.start):
        found[day_of(sample.start, zone)]["restingHeartRate"] = sample.value
    for day, night in sleep(kinds["sleep"], zone).items():
        found[day]["sleep"] = night
    return {day.isoformat(): dict(value) for day, value in sorted(found.items())}
