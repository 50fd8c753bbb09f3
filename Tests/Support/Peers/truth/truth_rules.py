"""The rules of days, merged sums and sleep, written as simply as possible."""

import bisect
import collections
import dataclasses
import datetime
import pathlib
import re
import sys
import zoneinfo

from truth_records import MERGED, RATE, RESTING, SLEEP

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "nights"))
import night_rules  # noqa: E402

STAGES = {
    "InBed": "in_bed", "Asleep": "asleep", "AsleepUnspecified": "asleep", "Awake": "awake", "AsleepCore": "core",
    "AsleepDeep": "deep", "AsleepREM": "rem",
}
STAGED = ("core", "deep", "rem")


@dataclasses.dataclass
class DayFigures:
    """The figures of one day; None for those without measurements."""
    steps: float | None = None
    walkingDistance: float | None = None
    activeEnergy: float | None = None
    exerciseMinutes: float | None = None
    restingHeartRate: float | None = None
    heartRate: dict | None = None
    main: dict | None = None
    naps: list = dataclasses.field(default_factory=list)


class Clock:
    """Maps instants to days, in one home zone with stays in other zones."""

    def __init__(self, home, stays, first, last):
        self.home, self.stays = home, sorted((s["from"], s["zone"]) for s in stays)
        self.days = [first + datetime.timedelta(n) for n in range(-1, (last - first).days + 3)]
        self.starts = [self.start(day) for day in self.days]

    def zone(self, day):
        names = [zone for since, zone in self.stays if since <= day.isoformat()]
        return zoneinfo.ZoneInfo(names[-1] if names else self.home)

    def at(self, day, hour):
        return int(datetime.datetime.combine(day, datetime.time(hour), self.zone(day)).timestamp())

    def start(self, day):
        """Returns the first instant whose local time is midnight or later; 00:00 may be skipped or occur twice."""
        zone, guess = self.zone(day), self.at(day, 0)
        for second in range(guess - 7200, guess + 7201, 900):
            if datetime.datetime.fromtimestamp(second, zone).date() >= day:
                return second
        raise ValueError(day)

    def day(self, instant):
        return self.days[bisect.bisect_right(self.starts, instant) - 1]

    def parts(self, start, end):
        """Yields the days that an interval covers, each with the number of covered seconds."""
        place = bisect.bisect_right(self.starts, start) - 1
        while start < end and place + 1 < len(self.starts):
            until = min(end, self.starts[place + 1])
            yield self.days[place], until - start
            start, place = until, place + 1


def device_class(sample):
    """Returns the rank of a recorder: manual entries, watch, band or ring, phone, other. The kind is detected by whole words in
    the device, else in the source."""
    if sample.entered:
        return -1
    for text in (sample.device, sample.source):
        text = re.sub(r"\b[A-Za-z]+['\u2019][sS]\b", " ", text)
        words = {word.lower() for word in re.findall(r"[A-Za-z]+", text)}
        words |= {word.lower() for word in re.findall(r"[A-Za-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text))}
        for names, rank in (("watch smartwatch", 0), ("fitbit whoop oura garmin", 1), ("iphone ipod", 2),
                            ("band smartband ring", 1), ("phone smartphone", 2)):
            if words & set(names.split()):
                return rank
    return 3


def subtract(span, taken):
    """Returns the parts of `span` that no interval in `taken` (disjoint, ascending) covers."""
    start, end = span
    free = []
    for low, high in taken[max(0, bisect.bisect_left(taken, (start, start)) - 1):]:
        if low >= end:
            break
        if high <= start:
            continue
        if low > start:
            free.append((start, low))
        start = max(start, high)
    if start < end:
        free.append((start, end))
    return free


def union(spans):
    whole = []
    for start, end in sorted(spans):
        if whole and start <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(whole[-1][1], end))
        else:
            whole.append((start, end))
    return whole


def length(spans):
    return sum(end - start for start, end in spans)


def merge(samples, clock):
    """Returns the sums by day. Time that a device of a better rank covers does not count for others."""
    ranks = collections.defaultdict(list)
    for sample in samples:
        ranks[device_class(sample), sample.source].append(sample)
    sums, taken = collections.defaultdict(float), []
    for rank in sorted(ranks):
        for sample in ranks[rank]:
            amount = float(sample.value)
            if sample.start == sample.end:
                if sample.entered or not any(low <= sample.start < high for low, high in taken):
                    sums[clock.day(sample.start)] += amount
                continue
            for free in subtract((sample.start, sample.end), taken):
                for day, seconds in clock.parts(*free):
                    sums[day] += amount * seconds / (sample.end - sample.start)
        taken = union(taken + [(s.start, s.end) for s in ranks[rank] if s.end > s.start])
    return sums


def sessions(samples):
    """Returns the sessions of one recorder: samples with gaps of at most an hour."""
    found = []
    for sample in sorted(samples, key=lambda s: (s.start, s.end)):
        if found and sample.start - found[-1]["end"] <= 3600:
            found[-1]["samples"].append(sample)
            found[-1]["end"] = max(found[-1]["end"], sample.end)
        else:
            found.append({"start": sample.start, "end": sample.end, "samples": [sample]})
    return found


def measure(session, source):
    """Returns the figures of a session. Each stage counts as the union of its samples; sleep without a stage counts only
    outside the stages."""
    spans = collections.defaultdict(list)
    for sample in session["samples"]:
        name = STAGES[sample.value.removeprefix("HKCategoryValueSleepAnalysis")]
        spans[name].append((sample.start, sample.end))
    whole = {name: union(found) for name, found in spans.items()}
    staged = union(sum((whole.get(name, []) for name in STAGED), []))
    seconds = {name: length(whole[name]) for name in whole}
    if "asleep" in whole:
        seconds["asleep"] = sum(length(subtract(span, staged)) for span in whole["asleep"])
    asleep = union(staged + whole.get("asleep", []))
    if "awake" in whole:
        seconds["awake"] = sum(length(subtract(span, asleep)) for span in whole["awake"])
    bed = session["end"] - session["start"]
    return {
        "source": source, "start": session["start"], "end": session["end"],
        "stages": {name: value for name, value in seconds.items() if value},
        "totalSleep": length(asleep), "timeInBed": bed, "awake": seconds.get("awake", 0),
        "efficiency": min(100, length(asleep) / bed * 100) if bed else 0, "hasStages": bool(staged),
        "night": session["samples"][0].zone,
    }


def sleep_days(samples, clock, figures):
    """Adds the main sleep and the naps of each day to `figures`, by the rules of nights/night_rules.py."""
    numbers = {name: number for number, name in enumerate(("in_bed", "asleep", "awake", "core", "deep", "rem"))}
    stated = [{
        "source": sample.source, "manual": sample.entered, "priority": device_class(sample),
        "start": sample.start * 1000, "end": sample.end * 1000, "zone": sample.zone,
        "stage": numbers[STAGES[sample.value.removeprefix("HKCategoryValueSleepAnalysis")]],
    } for sample in samples]
    stays = [{"from": since, "zone": zone} for since, zone in clock.stays]
    for day in night_rules.expected(stated, clock.home, stays)["days"]:
        own = figures[datetime.date.fromisoformat(day["day"])]
        own.main = day["main"] and sleep_figures(day["main"])
        own.naps = [sleep_figures(nap) for nap in day["naps"]]


def sleep_figures(sleep):
    names = {"asleep": "unspecified", "awake": "awake", "core": "core", "deep": "deep", "rem": "rem"}
    stages = {name: sleep[own] // 1000 for name, own in names.items() if sleep[own]}
    if not sleep["asleep"]:
        stages["in_bed"] = sleep["time_in_bed"] // 1000
    return {
        "source": sleep["sessions"][0].split("|")[0], "start": sleep["start"] // 1000, "end": sleep["end"] // 1000,
        "stages": stages, "totalSleep": sleep["asleep"] // 1000, "timeInBed": sleep["time_in_bed"] // 1000,
        "awake": sleep["awake"] // 1000, "efficiency": sleep["efficiency"] or 0,
    }


def figures_of_export(samples, clock):
    """Returns the `DayFigures` by day, computed from the records."""
    figures = collections.defaultdict(DayFigures)
    by_type = collections.defaultdict(list)
    for sample in samples:
        by_type[sample.type].append(sample)
    for kind, name in MERGED.items():
        for day, amount in merge(by_type[kind], clock).items():
            setattr(figures[day], name, amount)
    rates = collections.defaultdict(list)
    for sample in by_type[RATE]:
        rates[clock.day(sample.start)].append(float(sample.value))
    for day, values in rates.items():
        figures[day].heartRate = {
            "min": min(values), "mean": sum(values) / len(values), "max": max(values), "count": len(values)}
    for sample in by_type[RESTING]:
        figures[clock.day(sample.start)].restingHeartRate = float(sample.value)
    sleep_days(by_type[SLEEP], clock, figures)
    return figures
