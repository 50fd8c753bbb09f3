"""Figures of days, computed from neutral samples in the plainest way, without the program."""

import collections
import datetime
import zoneinfo

from senders.neutral import DAY, HOUR, MINUTE

HOLD = 10 * MINUTE
ASLEEP = ("core", "deep", "rem", "asleep")


def day_of(at, zone):
    return datetime.datetime.fromtimestamp(at / 1000, zoneinfo.ZoneInfo(zone)).date()


def night_of(at, zone):
    """Returns the day whose night, noon to noon, contains the instant."""
    return day_of(at + DAY // 2, zone)


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


def length(spans):
    whole = []
    for start, end in sorted(spans):
        if whole and start <= whole[-1][1]:
            whole[-1][1] = max(whole[-1][1], end)
        else:
            whole.append([start, end])
    return sum(end - start for start, end in whole)


def sleep(samples, zone):
    """Returns the main sleep and the naps of each night, of one source. Minutes."""
    sessions = []
    for sample in sorted(samples, key=lambda one: (one.start, one.end)):
        if sessions and sample.start - max(one.end for one in sessions[-1]) <= HOUR:
            sessions[-1].append(sample)
        else:
            sessions.append([sample])
    found = collections.defaultdict(lambda: {"main": None, "naps": []})
    for session in sessions:
        start, end = session[0].start, max(sample.end for sample in session)
        spans = collections.defaultdict(list)
        for sample in session:
            spans[sample.value].append((sample.start, sample.end))
        figures = {"start": start, "end": end, "timeInBed": (end - start) / MINUTE,
                   "totalSleep": length([span for stage in ASLEEP for span in spans[stage]]) / MINUTE}
        figures |= {stage: length(spans[stage]) / MINUTE for stage in ("awake", "rem", "core", "deep")}
        night = found[night_of(start, zone)]
        if night["main"] is None or figures["timeInBed"] > night["main"]["timeInBed"]:
            figures, night["main"] = night["main"], figures
        if figures and figures["totalSleep"] < 180:
            night["naps"].append(figures)
    return dict(found)


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
