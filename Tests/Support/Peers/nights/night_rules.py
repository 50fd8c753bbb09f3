#!/usr/bin/env python3
"""The rules of sleep, written as simply as possible from the section "Sleep" of domain.md.

    night_rules.py --seed N      prints what life N of random_lives.py must give, as JSON

`expected(samples, zone)` takes samples as dicts with `source`, `kind`, `priority` (lower is
preferred), `start` and `end` (UTC milliseconds), `stage` (0 in bed, 1 asleep, 2 awake, 3 core,
4 deep, 5 REM), `zone` (a name or None) and `manual`. It returns

    days      [{day, main (or null), naps, additional}], each sleep with `start` and `end`
              (first to last counting moment), `asleep` (all sleep), `unspecified`, `core`, `deep`,
              `rem`, `awake`, `time_in_bed` in milliseconds, `efficiency` in percent or null,
              and `sessions`, the ids of those that count
    sessions  [{id, source, manual, start, end, day, night, role, counted, asleep}]; `night` is the
              id of the first session of the night, `counted` lists the stretches that count

Readings, where the specification leaves a choice

Samples and sessions
 1. A recorder is a source name together with `manual`. What is entered by hand is a recorder
    of its own even if it carries the name of a device. `priority` decides, `kind` does not.
 2. Samples without length, or that end before they start, are dropped. So are an InBed of more
    than 16:00:00 and an Awake of more than 3:00:00, before sessions are formed: they neither
    connect sessions nor lengthen one. Exactly 16 and 3 hours stay.
 3. All stages connect a session, InBed and Awake too. A gap of exactly 60 minutes connects;
    it is measured from the latest end so far, not from the end of the sample before.
 4. Overlapping samples of one session: deep before REM before core before unspecified sleep
    before Awake before InBed. This is settled over the whole session, then cut to what counts,
    so that core + deep + REM + unspecified = asleep.
Periods
 5. Only sessions with sleep form periods, by the interval from first to last moment asleep.
    Exactly 60 minutes apart is one period. All sessions chain, also those that count nothing.
 6. Order in a period: with any core, deep or REM first, then priority, then start of the session
    (InBed included), then source name, then what is not entered by hand.
 7. A session of whose interval no earlier one covers a millisecond counts whole, however short
    (else a nap of 40 minutes would be nothing, and so would the short rest of a night on
    another watch). Of any other session only the uncovered stretches of more than 60 minutes
    count; exactly 60 do not.
 8. What counts of an earlier session covers, holes and wakes included; where it does not count
    itself, it covers nothing.
 9. Within a stretch that counts, its recorder decides what is Awake. Elsewhere Awake counts
    whichever session that counts states it, once, and nowhere where sleep counts.
10. A session counts if a stretch of it with sleep does. The time in bed of a period is from the earliest
    start to the latest end of the whole sessions that count (InBed and edges of Awake included).
    InBed is no figure of its own. Sessions that do not count, or have no sleep, add nothing.
11. A period begins and ends with its first and last moment asleep that counts, and its sleep is
    what counts.
Nights
12. Hours are half-open: 21:00:00 begins a night and 9:00:00 does not; likewise 18:00 to 12:00, and
    9:00 to 21:00 for naps. 90 minutes and three hours are met by exactly that much sleep.
13. Each period is judged by its own clock (16). Those that do not qualify stay alone and are
    left out; then those that qualify and follow each other within 180 minutes (inclusive) are
    one night. So a doze that does not qualify neither joins nor parts those around it.
14. The figures of a night are sums over its periods. A moment in bed counts once, also where a
    session reaches into the next period. `start` and `end` are the earliest and latest moment
    in bed. Efficiency is asleep / time in bed, at most 100.
Day and clock
15. The last moment asleep is the end of its sample, so sleep until 24:00 ends on the new date.
    "The next date" is the next that the clock's zone has (Apia had no 30 December 2011).
16. The clock of a period or night: of all samples (any stage) of its sessions that count, the
    zone of the one that ends last and states a zone (of equal ends the later start, then the
    later name); else the configured zone at the last moment asleep. Unknown names state none.
    A configured stay holds from the midnight, in its own zone, that begins its first date.
Roles
17. "Less than three hours that begin from 9:00 to 21:00 and end before 22:00 of that date": the
    date on which they begin, from first to last moment asleep, 22:00:00 is too late. Judged for
    the night as a whole. Such a nap does not compete for the main sleep.
18. Every nap is listed on the date on which it ends, also if it began at 18:00 or later. One that
    lost against a main sleep competed on the day of rule "Day", and is then listed on its end.
19. The main sleep is the night with most sleep; of equal ones the one that begins first.
20. Sessions that count nothing have the day, night and role of the night around them.
Without sleep
21. A session without sleep (InBed, Awake, or both) belongs to the local date of its end, or the
    next if it began at 18:00 or later of that date; begin and end are those of the session.
22. It counts only if no night, nap or additional sleep is listed on that day: the longest, then
    the earliest, then by priority and source. It is the main sleep whatever its length or
    hour, alone: nothing is merged. `asleep` is 0, efficiency null. Others have no night and role.
"""

import argparse
import dataclasses
import datetime
import json
import sys
import zoneinfo

sys.dont_write_bytecode = True

IN_BED, UNSPECIFIED, AWAKE, CORE, DEEP, REM = range(6)
STAGED = (CORE, DEEP, REM)
SLEEP = (UNSPECIFIED, *STAGED)
RANK = {DEEP: 0, REM: 1, CORE: 2, UNSPECIFIED: 3, AWAKE: 4, IN_BED: 5}
NAMES = {UNSPECIFIED: "unspecified", AWAKE: "awake", CORE: "core", DEEP: "deep", REM: "rem"}
MINUTE = 60_000
HOUR = 60 * MINUTE
LONGEST = {IN_BED: 16 * HOUR, AWAKE: 3 * HOUR}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


# Spans are pairs (start, end), lists of them ascending and disjoint.

def union(spans):
    whole = []
    for start, end in sorted(spans):
        if whole and start <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(whole[-1][1], end))
        else:
            whole.append((start, end))
    return whole


def subtract(span, taken):
    """Returns the parts of `span` that `taken` leaves."""
    start, end = span
    free = []
    for low, high in taken:
        if high <= start or low >= end:
            continue
        if low > start:
            free.append((start, low))
        start = max(start, high)
    if start < end:
        free.append((start, end))
    return free


def intersect(spans, others):
    both = [(max(a, c), min(b, d)) for a, b in spans for c, d in others]
    return sorted((low, high) for low, high in both if low < high)


def length(spans):
    return sum(end - start for start, end in spans)


# Clocks

def local(instant, zone):
    """Returns the wall time, without a zone, so that hours compare as a clock on a wall shows."""
    moment = EPOCH + datetime.timedelta(milliseconds=instant)
    return moment.astimezone(zone).replace(tzinfo=None)


def named_zone(name):
    try:
        return zoneinfo.ZoneInfo(name) if name else None
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_at(instant, zone, travel):
    """Returns the configured zone: that of the last stay whose first local date has begun."""
    found = zoneinfo.ZoneInfo(zone)
    for stay in sorted(travel, key=lambda stay: stay["from"]):
        there = zoneinfo.ZoneInfo(stay["zone"])
        if local(instant, there).date().isoformat() >= stay["from"]:
            found = there
    return found


def next_date(date, zone):
    """Returns the next date that the zone did not skip."""
    date += datetime.timedelta(1)
    noon = datetime.datetime.combine(date, datetime.time(12), zone)
    exists = noon.astimezone(datetime.timezone.utc).astimezone(zone).date() == date
    return date if exists else next_date(date, zone)


def day_of(begin, end, zone):
    """Returns the date of the end; the next one for what began in its evening."""
    date = local(end, zone).date()
    evening = datetime.datetime.combine(date, datetime.time(18))
    return next_date(date, zone) if local(begin, zone) >= evening else date


# Sessions

@dataclasses.dataclass(eq=False)
class Session:
    """What one recorder wrote without a gap of more than an hour."""
    samples: list
    counted: list = dataclasses.field(default_factory=list)
    day: object = None
    night: object = None
    role: object = None

    def __post_init__(self):
        first = self.samples[0]
        self.source, self.manual = first["source"], first["manual"]
        self.priority = min(sample["priority"] for sample in self.samples)
        self.start = min(sample["start"] for sample in self.samples)
        self.end = max(sample["end"] for sample in self.samples)
        self.id = f"{self.source}|{self.start}" + ("|hand" if self.manual else "")
        self.stages = settle(self.samples)
        self.asleep = union(sum((self.stages[stage] for stage in SLEEP), []))
        self.staged = any(sample["stage"] in STAGED for sample in self.samples)

    @property
    def interval(self):
        return self.asleep[0][0], self.asleep[-1][1]

    @property
    def order(self):
        return not self.staged, self.priority, self.start, self.source, self.manual

    def counting(self, stage):
        return intersect(self.stages[stage], self.counted)


def settle(samples):
    """Returns the spans of each stage; every moment has at most one stage (reading 4)."""
    stages, taken = {stage: [] for stage in RANK}, []
    for sample in sorted(samples, key=lambda s: (RANK[s["stage"]], s["start"], s["stage"])):
        span = (sample["start"], sample["end"])
        stages[sample["stage"]] += subtract(span, taken)
        taken = union(taken + [span])
    return {stage: union(spans) for stage, spans in stages.items()}


def counts_at_all(sample):
    span = sample["end"] - sample["start"]
    return 0 < span <= LONGEST.get(sample["stage"], span)


def sessions_of(samples, gap):
    recorders = {}
    for sample in filter(counts_at_all, samples):
        recorders.setdefault((sample["source"], sample["manual"]), []).append(sample)
    found = []
    for own in recorders.values():
        spans = [(sample["start"], sample["end"], sample) for sample in own]
        found += [Session(group) for group in chain(spans, gap)]
    return sorted(found, key=lambda session: (session.start, session.order))


def chain(items, gap):
    """Groups (start, end, item) wherever the next starts at most `gap` after all ends so far."""
    groups, latest = [], None
    for start, end, item in sorted(items, key=lambda entry: entry[:2]):
        if groups and start - latest <= gap:
            groups[-1].append(item)
            latest = max(latest, end)
        else:
            groups.append([item])
            latest = end
    return groups


# Periods

class Period:
    """Sessions whose sleep overlaps or nearly does, and what counts of each."""

    def __init__(self, sessions, gap):
        self.sessions = sorted(sessions, key=lambda session: session.order)
        covered = []
        for session in self.sessions:
            free = uncovered(session.interval, covered, gap)
            session.counted = [span for span in free if intersect(session.asleep, [span])]
            covered = union(covered + session.counted)
        self.counting = [session for session in self.sessions if session.counted]
        asleep = [span for s in self.counting for stage in SLEEP for span in s.counting(stage)]
        self.asleep = length(union(asleep))
        self.first = min(start for start, _ in asleep)
        self.last = max(end for _, end in asleep)
        self.start = min(session.start for session in self.counting)
        self.end = max(session.end for session in self.counting)

    def stage(self, stage):
        if stage == AWAKE:
            return length(self.awake())
        return sum(length(session.counting(stage)) for session in self.counting)

    def awake(self):
        found = []
        for session in self.counting:
            others = union([
                span for other in self.counting if other is not session for span in other.counted])
            stated = [(s["start"], s["end"]) for s in session.samples if s["stage"] == AWAKE]
            found += [part for span in stated for part in subtract(span, others)]
        asleep = union([
            span for s in self.counting for stage in SLEEP for span in s.counting(stage)])
        return [part for span in union(found) for part in subtract(span, asleep)]


def uncovered(interval, covered, gap):
    """Returns what counts: all if nothing is covered (reading 7), else the long stretches."""
    free = subtract(interval, covered)
    return free if free == [interval] else [s for s in free if s[1] - s[0] > gap]


def periods_of(sessions, gap):
    asleep = [(*session.interval, session) for session in sessions if session.asleep]
    return [Period(group, gap) for group in chain(asleep, gap)]


# Nights

class Night:
    """One or several periods, with the clock that decides for all of them."""

    def __init__(self, periods, home):
        self.periods = periods
        self.sessions = [session for period in periods for session in period.sessions]
        self.counting = [session for period in periods for session in period.counting]
        self.first, self.last = periods[0].first, max(period.last for period in periods)
        self.asleep = sum(period.asleep for period in periods)
        self.zone = clock(self.counting, self.last, home)
        self.id = min(self.counting, key=lambda session: (session.start, session.order)).id
        self.day = day_of(self.first, self.last, self.zone)
        self.ends_on = local(self.last, self.zone).date()

    def figures(self):
        stages = {NAMES[s]: sum(p.stage(s) for p in self.periods) for s in NAMES}
        bed = length(union([(period.start, period.end) for period in self.periods]))
        stages[NAMES[AWAKE]] = min(stages[NAMES[AWAKE]], bed - self.asleep)
        return {
            "start": min(period.start for period in self.periods),
            "end": max(period.end for period in self.periods),
            "asleep": self.asleep, **stages, "time_in_bed": bed,
            "efficiency": min(100.0, self.asleep / bed * 100),
            "sessions": [s.id for s in sorted(self.counting, key=lambda s: (s.start, s.order))],
        }


def clock(sessions, last, home):
    """Returns the zone of the sample that ends last and states one, else that at the end."""
    samples = [s for session in sessions for s in session.samples if named_zone(s["zone"])]
    if not samples:
        return home(last)
    return named_zone(max((s["end"], s["start"], s["zone"]) for s in samples)[2])


def qualifies(period, home):
    """Whether a period may be a part of a longer night."""
    hour = local(period.first, clock(period.counting, period.last, home)).hour
    if period.asleep >= 3 * HOUR or hour >= 21 or hour < 9:
        return True
    return period.asleep >= 90 * MINUTE and (hour >= 18 or hour < 12)


def nights_of(periods, home, night_gap):
    able = [(p.first, p.last, p) for p in periods if qualifies(p, home)]
    alone = [[p] for p in periods if not qualifies(p, home)]
    return [Night(group, home) for group in chain(able, night_gap) + alone]


# Roles

def always_nap(night):
    begin, end = local(night.first, night.zone), local(night.last, night.zone)
    late = datetime.datetime.combine(begin.date(), datetime.time(22))
    return night.asleep < 3 * HOUR and 9 <= begin.hour < 21 and end < late


def give_roles(nights):
    """Sets `role` and `listed`, the day on which a night or nap is shown."""
    rivals = {}
    for night in sorted(nights, key=lambda night: night.first):
        night.role, night.listed = "nap", night.ends_on
        if not always_nap(night):
            rivals.setdefault(night.day, []).append(night)
    for day, found in rivals.items():
        main = max(found, key=lambda night: night.asleep)
        for night in found:
            if night is main or night.asleep >= 3 * HOUR:
                night.role = "main" if night is main else "additional"
                night.listed = day


def lone_in_bed(sessions, home, taken):
    """Returns {day: session} for days without sleep, and gives every such session its day."""
    best = {}
    for session in sessions:
        session.day = day_of(session.start, session.end, clock([session], session.end, home))
        rank = (session.start - session.end, session.start, session.priority, session.source,
                session.manual)
        if session.day not in taken and (session.day not in best or rank < best[session.day][0]):
            best[session.day] = rank, session
    return {day: session for day, (_, session) in best.items()}


def bed_figures(session):
    stages = {name: 0 for name in NAMES.values()}
    stages["awake"] = length(session.stages[AWAKE])
    return {
        "start": session.start, "end": session.end, "asleep": 0, **stages,
        "time_in_bed": session.end - session.start, "efficiency": None, "sessions": [session.id],
    }


# Everything

def expected(samples, zone, travel=(), gap_minutes=60, night_gap_minutes=180):
    gap = gap_minutes * MINUTE
    sessions = sessions_of(samples, gap)

    def home(instant):
        return zone_at(instant, zone, travel)

    nights = nights_of(periods_of(sessions, gap), home, night_gap_minutes * MINUTE)
    give_roles(nights)
    days = {}
    for night in sorted(nights, key=lambda night: night.first):
        add_night(days, night)
    sleepless = [session for session in sessions if not session.asleep]
    for day, session in lone_in_bed(sleepless, home, set(days)).items():
        session.night, session.role = session.id, "main"
        session.counted = [(session.start, session.end)]
        days[day] = {"main": bed_figures(session), "naps": [], "additional": []}
    return {
        "days": [{"day": day.isoformat(), **days[day]} for day in sorted(days)],
        "sessions": [describe(session) for session in sessions],
    }


def add_night(days, night):
    entry = days.setdefault(night.listed, {"main": None, "naps": [], "additional": []})
    if night.role == "main":
        entry["main"] = night.figures()
    else:
        entry["naps" if night.role == "nap" else "additional"].append(night.figures())
    for session in night.sessions:
        session.day, session.night, session.role = night.listed, night.id, night.role


def describe(session):
    return {
        "id": session.id, "source": session.source, "manual": session.manual,
        "start": session.start, "end": session.end, "day": session.day.isoformat(),
        "night": session.night, "role": session.role,
        "counted": [list(span) for span in session.counted],
        "asleep": sum(length(session.counting(stage)) for stage in SLEEP),
    }


def expected_of_life(life):
    return expected(life["samples"], life["zone"], life.get("travel", ()))


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Prints the expected nights of a life.")
    parser.add_argument("--seed", type=int, required=True)
    seed = parser.parse_args(arguments).seed
    import random_lives  # only here: the rules need no generator
    life = random_lives.life(seed)
    answer = {"seed": seed, "zone": life["zone"], "travel": life["travel"], "note": life["note"]}
    print(json.dumps({**answer, **expected_of_life(life)}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
