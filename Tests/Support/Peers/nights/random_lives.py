#!/usr/bin/env python3
"""Invents lives as sleep recorders see them, the same for one seed on every run.

    random_lives.py --seed N --out FILE      writes the Apple Health export of life N

`life(seed)` returns {zone, travel, samples, note}. Samples are described in night_rules.py;
`travel` lists configured stays ({"from": date, "zone": name}) and is mostly empty. Times are on
whole seconds. Seeds take their habit in turn: HABITS[seed % len(HABITS)].

A recorder never overlaps itself, except that InBed covers its whole night, and except in the
lives whose note says "overlaps itself".
"""

import argparse
import datetime
import os
import random
import sys
import zoneinfo
from xml.sax.saxutils import quoteattr

sys.dont_write_bytecode = True

IN_BED, UNSPECIFIED, AWAKE, CORE, DEEP, REM = range(6)
SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000
PRIORITIES = {"hand": 0, "watch": 1, "band": 2, "phone": 3, "app": 4}
ZONES = [
    "Europe/Berlin", "America/New_York", "America/Los_Angeles", "Asia/Kolkata", "Asia/Kathmandu",
    "Australia/Adelaide", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Auckland",
    "Pacific/Chatham", "Asia/Tokyo", "America/Santiago", "Europe/London", "UTC",
]
# Two dates about 15 days before a clock change, for the zones that have them.
CHANGES = [
    ("Europe/Berlin", (2024, 3, 14)), ("Europe/Berlin", (2023, 10, 14)),
    ("America/New_York", (2024, 2, 25)), ("America/New_York", (2023, 10, 21)),
    ("Australia/Lord_Howe", (2024, 3, 23)), ("Australia/Lord_Howe", (2023, 9, 17)),
    ("Australia/Adelaide", (2024, 3, 23)), ("Australia/Adelaide", (2023, 9, 17)),
    ("America/St_Johns", (2024, 2, 25)), ("America/St_Johns", (2023, 10, 21)),
    ("Pacific/Chatham", (2024, 3, 23)), ("America/Santiago", (2023, 8, 20)),
    ("Europe/London", (2023, 3, 12)), ("Africa/Cairo", (2024, 4, 12)),
]
JOURNEYS = [
    ("Pacific/Auckland", "Pacific/Honolulu"), ("America/Los_Angeles", "Australia/Sydney"),
    ("Pacific/Apia", "Pacific/Pago_Pago"), ("Europe/Berlin", "America/New_York"),
    ("Asia/Tokyo", "America/Los_Angeles"), ("Asia/Kolkata", "Europe/London"),
    ("Pacific/Kiritimati", "Pacific/Honolulu"),
]
NAMES = {
    "watch": ["Apple Watch", "Apple Watch Ultra", "Anna\u2019s Apple\u00a0Watch"],
    "band": ["Oura Ring", "Mi Smart Band", "RingConn Ring"],
    "phone": ["iPhone", "Anna\u2019s iPhone"],
    "app": ["AutoSleep", "Pillow", "Sleep Cycle & Co"],
}
DEVICES = {
    "watch": "<<HKDevice: 0x1>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, "
             "hardware:Watch7,2>",
    "band": "<<HKDevice: 0x2>, name:{}, manufacturer:Maker, model:Ring, hardware:1>",
    "phone": "<<HKDevice: 0x3>, name:iPhone, manufacturer:Apple Inc., model:iPhone, "
             "hardware:iPhone14,5>",
}
STAGE_NAMES = ["InBed", "AsleepUnspecified", "Awake", "AsleepCore", "AsleepDeep", "AsleepREM"]


class Recorder:
    """Something that writes sleep, and how it does so."""

    def __init__(self, kind, source, style, states_zone=False):
        self.kind, self.source, self.style = kind, source, style
        self.states_zone = states_zone
        self.busy_until = None

    @property
    def manual(self):
        return self.kind == "hand"


class Life:
    """Collects samples; `here` is the zone in which the person is."""

    def __init__(self, rng):
        self.rng = rng
        self.samples, self.notes, self.travel = [], [], []
        self.zone = self.here = rng.choice(ZONES)
        self.first = datetime.date(2023, 1, 5) + datetime.timedelta(rng.randrange(500))
        self.length = rng.randint(20, 60)
        self.recorders = []
        self.overlaps = False

    def dates(self):
        return [self.first + datetime.timedelta(n) for n in range(self.length)]

    def at(self, date, hour, minute=0, second=0):
        """Returns the instant of a wall time of the present zone; hours beyond 24 are allowed."""
        date += datetime.timedelta(hour // 24)
        wall = datetime.datetime(date.year, date.month, date.day, hour % 24, minute, second,
                                 tzinfo=zoneinfo.ZoneInfo(self.here))
        return int(wall.timestamp()) * SECOND

    def add(self, recorder, start, end, stage):
        if end <= start:
            return
        self.samples.append({
            "source": recorder.source, "kind": "app" if recorder.manual else recorder.kind,
            "priority": PRIORITIES[recorder.kind], "start": start, "end": end, "stage": stage,
            "zone": self.here if recorder.states_zone else None, "manual": recorder.manual,
        })

    # How recorders write one sleep

    def write(self, recorder, start, end):
        """Writes a sleep in the recorder's style, after everything that it wrote before."""
        if recorder.busy_until is not None:
            start = max(start, recorder.busy_until)
        if end - start < 2 * MINUTE:
            return
        recorder.busy_until = end
        style = recorder.style
        if style == "mixed":
            style = self.rng.choice(["stages", "covered", "asleep", "pieces", "bed"])
        getattr(self, "write_" + style)(recorder, start, end)

    def write_asleep(self, recorder, start, end):
        self.add(recorder, start, end, UNSPECIFIED)

    def write_bed(self, recorder, start, end):
        self.add(recorder, start, end, IN_BED)

    def write_pieces(self, recorder, start, end):
        """Unspecified sleep with wakes and holes between."""
        while start < end:
            until = min(end, start + self.minutes(10, 150))
            self.add(recorder, start, until, UNSPECIFIED)
            pause = self.minutes(1, self.rng.choice([10, 30, 70]))
            if self.rng.random() < 0.4:
                self.add(recorder, until, min(end, until + pause), AWAKE)
            start = until + pause

    def write_stages(self, recorder, start, end):
        """Stages that abut, some awake, now and then a hole."""
        begun = start
        while start < end:
            stage = self.rng.choice([CORE, CORE, CORE, DEEP, DEEP, REM, REM, AWAKE])
            longest = 12 if stage == AWAKE and self.rng.random() < 0.9 else 60
            until = min(end, start + self.minutes(2, longest))
            self.add(recorder, start, until, stage)
            start = until + (self.minutes(1, 75) if self.rng.random() < 0.03 else 0)
        if self.overlaps:
            self.overlap(recorder, begun, end)

    def write_covered(self, recorder, start, end):
        """InBed over the whole, with the sleep inside."""
        self.add(recorder, start, end, IN_BED)
        inner = start + self.minutes(0, 40), end - self.minutes(0, 30)
        if inner[1] - inner[0] > 5 * MINUTE:
            self.rng.choice([self.write_stages, self.write_pieces])(recorder, *inner)

    def overlap(self, recorder, start, end):
        for _ in range(self.rng.randint(1, 4)):
            low = start + self.rng.randrange(max(1, (end - start) // SECOND)) * SECOND
            high = min(end, low + self.minutes(3, 90))
            self.add(recorder, low, high, self.rng.choice([UNSPECIFIED, AWAKE, CORE, DEEP, REM]))

    def minutes(self, low, high):
        """Returns a random time of whole seconds, in milliseconds."""
        return self.rng.randint(low * 60, high * 60) * SECOND

    # How recorders see one sleep

    def sleep(self, start, end, seen=0.85):
        """A sleep that each recorder sees or misses, some minutes off, some only in part."""
        for recorder in self.recorders:
            if self.rng.random() > seen:
                continue
            low, high = start + self.jitter(), end + self.jitter()
            if recorder.manual and self.rng.random() < 0.7:
                continue
            if recorder.kind in ("watch", "band") and self.rng.random() < 0.12:
                high = low + int((high - low) // SECOND * self.rng.random()) * SECOND
            elif self.rng.random() < 0.05:
                low = high - int((high - low) // SECOND * self.rng.random()) * SECOND
            self.write(recorder, low, high)

    def jitter(self):
        return self.rng.choice([0, 0, 1, -1, 3, -7, 11, -20, 45]) * self.rng.randint(1, 60) * SECOND

    def finish(self):
        self.samples.sort(key=lambda s: (s["start"], s["source"], s["end"], s["stage"]))
        if self.rng.random() < 0.5:
            self.rng.shuffle(self.samples)
        return {"zone": self.zone, "travel": self.travel, "samples": self.samples,
                "note": "; ".join(self.notes)}


def choose_recorders(life, kinds=None):
    """One to four recorders; sometimes a user who also enters sleep by hand."""
    rng = life.rng
    kinds = kinds or rng.sample(["watch", "band", "phone", "app"], rng.randint(1, 4))
    styles = {
        "watch": ["stages", "stages", "covered", "asleep"], "phone": ["bed", "bed", "asleep"],
        "band": ["stages", "covered", "pieces"], "app": ["asleep", "pieces", "covered", "mixed"],
    }
    states = rng.random() < 0.4
    for kind in kinds:
        states_zone = states and kind in ("watch", "phone")
        source, style = rng.choice(NAMES[kind]), rng.choice(styles[kind])
        life.recorders.append(Recorder(kind, source, style, states_zone))
    if rng.random() < 0.25:
        source = rng.choice(["Health", *(r.source for r in life.recorders if r.kind == "phone")])
        life.recorders.append(Recorder("hand", source, rng.choice(["asleep", "bed"])))
        life.notes.append("some sleep entered by hand")
    life.overlaps = rng.random() < 0.15
    if life.overlaps:
        life.notes.append("overlaps itself")
    life.notes.append("recorders: " + ", ".join(f"{r.source} ({r.style})" for r in life.recorders))


# Habits: each writes the whole life.

def regular(life):
    """Nights, and naps at any hour."""
    choose_recorders(life)
    for date in life.dates():
        regular_day(life, date)


def regular_day(life, date):
    if life.rng.random() < 0.35:
        start = life.at(date, life.rng.randint(8, 20)) + life.minutes(0, 59)
        life.sleep(start, start + life.minutes(10, life.rng.choice([40, 100, 200])), 0.7)
    if life.rng.random() < 0.93:
        night(life, date)


def night(life, date):
    start = life.at(date, life.rng.randint(21, 25)) + life.minutes(0, 59)
    end = start + life.minutes(240, 560)
    if life.rng.random() < 0.2:
        wake = start + life.minutes(60, 240)
        life.sleep(start, wake)
        back = wake + life.minutes(30, life.rng.choice([100, 179, 220]))
        life.sleep(back, max(back + life.minutes(20, 120), end))
    else:
        life.sleep(start, end)


def shifts(life):
    """Blocks of early, late and night shifts; the sleep after a night shift is by day."""
    choose_recorders(life)
    life.notes.append("shift work")
    shift, left = "night", 4
    for date in life.dates():
        if left == 0:
            shift, left = life.rng.choice(["early", "late", "night"]), life.rng.randint(2, 6)
        left -= 1
        hour = {"early": 20, "late": 25, "night": life.rng.randint(6, 13)}[shift]
        start = life.at(date, hour) + life.minutes(0, 119)
        life.sleep(start, start + life.minutes(200, 520))
        if shift == "night" and life.rng.random() < 0.5:
            evening = life.at(date, 18) + life.minutes(0, 150)
            life.sleep(evening, evening + life.minutes(20, 120), 0.6)


def newborn(life):
    """Many short stretches at all hours."""
    choose_recorders(life)
    life.notes.append("newborn")
    moment, over = life.at(life.first, 20), life.at(life.dates()[-1], 20)
    while moment < over:
        hour = datetime.datetime.fromtimestamp(moment // SECOND, zoneinfo.ZoneInfo(life.here)).hour
        by_night = hour >= 21 or hour < 9
        end = moment + life.minutes(15, 150 if by_night else 70)
        life.sleep(moment, end)
        moment = end + (life.minutes(15, 190) if by_night else life.minutes(50, 320))


def anytime(life):
    """No rhythm at all."""
    choose_recorders(life)
    life.notes.append("no rhythm")
    moment, over = life.at(life.first, 3), life.at(life.dates()[-1], 20)
    while moment < over:
        end = moment + life.minutes(15, life.rng.choice([95, 185, 400, 700]))
        life.sleep(moment, end)
        rested = end - moment > 3 * HOUR and life.rng.random() < 0.85
        moment = end + life.minutes(181 if rested else 20, life.rng.choice([190, 300, 600, 900]))


def dying_watch(life):
    """A watch that dies in the night; another one, of a new name, or a ring has the rest."""
    rng = life.rng
    first = Recorder("watch", "Apple Watch A", rng.choice(["stages", "asleep"]))
    second = Recorder("watch", "Apple Watch B", rng.choice(["stages", "asleep"]))
    ring = Recorder("band", "Oura Ring", rng.choice(["stages", "pieces", "covered"]))
    has_ring = rng.random() < 0.6
    life.notes.append("watch replaced in the night" + (", ring beside it" if has_ring else ""))
    for date in life.dates():
        start = life.at(date, 21) + life.minutes(0, 200)
        end = start + life.minutes(300, 560)
        dead = start + life.minutes(20, 290)
        life.write(first, start, dead)
        if rng.random() < 0.7:
            pause = rng.choice([0, SECOND, life.minutes(1, 70), 60 * MINUTE])
            life.write(second, dead + pause, end)
        if has_ring and rng.random() < 0.8:
            life.write(ring, start + life.jitter(), end + life.jitter())


def in_bed(life):
    """A phone that knows only time in bed, days of it, and some sleep between."""
    rng = life.rng
    kinds = rng.choice([["phone"], ["phone", "app"], ["phone", "watch"]])
    choose_recorders(life, kinds)
    life.recorders[0].style = "bed"
    long_app = Recorder("app", "Bed Clock", "bed")
    life.notes.append("time in bed only, some for days")
    seldom = rng.random() < 0.5
    for date in life.dates():
        start = life.at(date, rng.randint(12, 25)) + life.minutes(0, 59)
        for recorder in life.recorders:
            if recorder.style != "bed" and seldom and rng.random() < 0.6:
                continue
            life.write(recorder, start + life.jitter(), start + life.minutes(100, 600))
        if rng.random() < 0.15:
            begin = life.at(date, rng.randint(0, 23))
            span = rng.choice([58 * HOUR, 16 * HOUR, 16 * HOUR + SECOND, 15 * HOUR, 30 * HOUR])
            life.write(long_app, begin, begin + span)
        elif rng.random() < 0.05:
            begin = life.at(date, rng.randint(0, 23))
            for n in range(4):  # 58 hours in parts that each may count
                life.write(long_app, begin + n * 52_200 * SECOND, begin + (n + 1) * 52_200 * SECOND)


def long_wakes(life):
    """Awake of about three hours between two sleeps."""
    rng = life.rng
    choose_recorders(life, rng.choice([["watch"], ["band"], ["watch", "app"]]))
    life.notes.append("awake for hours")
    for date in life.dates():
        recorder = rng.choice(life.recorders)
        start = max(life.at(date, rng.randint(19, 26)), recorder.busy_until or 0)
        wake = start + life.minutes(30, 200)
        span = rng.choice([3 * HOUR, 3 * HOUR + SECOND, life.minutes(60, 300), life.minutes(1, 59)])
        life.write(recorder, start, wake)
        life.add(recorder, wake, wake + span, AWAKE)
        recorder.busy_until = wake + span
        life.write(recorder, wake + span, wake + span + life.minutes(10, 240))


def traveller(life):
    """Journeys, mostly over the date line, with the zone stated by the watch."""
    rng = life.rng
    home, away = rng.choice(JOURNEYS)
    if rng.random() < 0.5:
        home, away = away, home
    life.zone = life.here = home
    choose_recorders(life, rng.choice([["watch"], ["watch", "band"], ["watch", "phone", "app"]]))
    configured = rng.random() < 0.3
    for recorder in life.recorders:
        recorder.states_zone = not configured and recorder.kind in ("watch", "phone")
    life.notes.append(f"travels from {home} to {away}" + (", configured" if configured else ""))
    leave, back = sorted(rng.sample(range(3, life.length - 2), 2))
    if configured:
        for number, zone in ((leave, away), (back, home)):
            date = life.first + datetime.timedelta(number)
            life.travel.append({"from": date.isoformat(), "zone": zone})
    for number, date in enumerate(life.dates()):
        life.here = away if leave <= number < back else home
        if number in (leave, back) and rng.random() < 0.6:
            start = life.at(date, rng.randint(0, 14))  # asleep on the plane
            life.sleep(start, start + life.minutes(60, 400))
        regular_day(life, date)


def clock_changes(life):
    """Regular nights and naps around a change of the clocks, with some exactly in its hour."""
    life.zone, first = life.rng.choice(CHANGES)
    life.here, life.first = life.zone, datetime.date(*first)
    life.length = life.rng.randint(25, 40)
    choose_recorders(life)
    life.notes.append("clock change")
    for date in life.dates():
        regular_day(life, date)
        if life.rng.random() < 0.3:
            start = life.at(date, 24 + life.rng.randint(0, 4))
            life.sleep(start, start + life.minutes(30, 200), 0.5)


def close_recorders(life):
    """Several recorders that see each night, minutes or about an hour apart."""
    rng = life.rng
    choose_recorders(life, rng.choice([["watch", "band", "app"], ["watch", "band"],
                                       ["band", "phone", "app"], ["watch", "app"]]))
    life.notes.append("recorders differ by minutes")
    offsets = [0, 1, -60, 3_599, 3_600, 3_601, -3_599, -3_600, -3_601]
    for date in life.dates():
        start = life.at(date, rng.randint(21, 25))
        end = start + rng.randint(2, 8) * HOUR
        for recorder in life.recorders:
            life.write(recorder, start + rng.choice(offsets) * SECOND,
                       end + rng.choice(offsets) * SECOND)


# Scenes: one exact boundary each, within a day or two from a date. `more` is 0 or 1 second.

def scene_gap(life, date, one, other, more):
    """Two sleeps of one recorder 60 minutes apart."""
    start = life.at(date, life.rng.choice([10, 13, 22]))
    life.add(one, start, start + HOUR, UNSPECIFIED)
    life.add(one, start + 2 * HOUR + more, start + 3 * HOUR, CORE)


def scene_gap_of_two(life, date, one, other, more):
    """Two sleeps of two recorders 60 minutes apart."""
    start = life.at(date, life.rng.choice([11, 22]))
    life.add(one, start, start + 2 * HOUR, UNSPECIFIED)
    life.add(other, start + 3 * HOUR + more, start + 5 * HOUR, UNSPECIFIED)


def scene_night_gap(life, date, one, other, more):
    """Two periods 180 minutes apart."""
    start = life.at(date, 21)
    second = life.rng.choice([one, other])
    life.add(one, start, start + 2 * HOUR, CORE)
    life.add(second, start + 5 * HOUR + more, start + 9 * HOUR, DEEP)


def scene_bed(life, date, one, other, more):
    """An InBed of 16 hours around two short sleeps."""
    start = life.at(date, 19)
    life.add(one, start, start + 16 * HOUR + more, IN_BED)
    life.add(one, start + 3 * HOUR, start + 5 * HOUR, UNSPECIFIED)
    life.add(one, start + 11 * HOUR, start + 14 * HOUR, UNSPECIFIED)


def scene_wake(life, date, one, other, more):
    """An Awake of three hours between two sleeps."""
    start = life.at(date, 21)
    life.add(one, start, start + HOUR, CORE)
    life.add(one, start + HOUR, start + 4 * HOUR + more, AWAKE)
    life.add(one, start + 4 * HOUR + more, start + 8 * HOUR, CORE)


def scene_begin(life, date, one, other, more):
    """A short sleep that begins at an hour that matters, within reach of a longer one."""
    hour = life.rng.choice([9, 12, 18, 21])
    start = life.at(date, hour) - more
    span = life.rng.choice([30 * MINUTE, 90 * MINUTE, 90 * MINUTE - SECOND, 3 * HOUR,
                            3 * HOUR - SECOND])
    life.add(one, start, start + span, UNSPECIFIED)
    if hour in (9, 12):
        life.add(other, start - 6 * HOUR, start - 2 * HOUR, CORE)
    else:
        life.add(other, start + span + 2 * HOUR, start + span + 7 * HOUR, CORE)


def scene_end(life, date, one, other, more):
    """A sleep of less than three hours that ends at 22:00."""
    end = life.at(date, 22) - more
    span = life.rng.choice([80 * MINUTE, 170 * MINUTE, 3 * HOUR, 3 * HOUR - SECOND])
    life.add(one, end - span, end, UNSPECIFIED)


def scene_midnight(life, date, one, other, more):
    """A sleep that ends at midnight."""
    end = life.at(date, 24) - more
    span = life.rng.choice([2, 4, 6, 8, 10]) * HOUR
    life.add(one, end - span, end, UNSPECIFIED)


def scene_stretch(life, date, one, other, more):
    """A recorder that goes on for 60 minutes after a better one."""
    start = life.at(date, 23)
    life.add(one, start, start + 5 * HOUR, CORE)
    side = life.rng.choice([0, 1])
    life.add(other, start - (HOUR + more) * side, start + 6 * HOUR + more, UNSPECIFIED)


def scene_short_rest(life, date, one, other, more):
    """A short sleep that nothing covers, in the period of a longer one."""
    start = life.at(date, 23)
    life.add(one, start, start + 5 * HOUR, CORE)
    life.add(other, start + 5 * HOUR + more, start + 5 * HOUR + 40 * MINUTE, CORE)


def scene_tie(life, date, one, other, more):
    """Two equal sleeps of one day, or equal times in bed."""
    stage = life.rng.choice([UNSPECIFIED, IN_BED])
    start = life.at(date, 0)
    second = life.rng.choice([one, other])
    life.add(one, start, start + 4 * HOUR, stage)
    life.add(second, start + 10 * HOUR, start + 14 * HOUR + more, stage)


def scene_doze_between(life, date, one, other, more):
    """A doze that does not qualify between two sleeps that do."""
    start = life.at(date, 3)
    life.add(one, start, start + 330 * MINUTE, CORE)
    life.add(one, start + 391 * MINUTE, start + 400 * MINUTE, CORE)
    life.add(one, start + 500 * MINUTE, start + 590 * MINUTE - more, CORE)


def scene_overlap(life, date, one, other, more):
    """Stages of one recorder over each other."""
    start = life.at(date, 23)
    life.add(one, start, start + 8 * HOUR, IN_BED)
    life.add(one, start + HOUR, start + 7 * HOUR, UNSPECIFIED)
    life.add(one, start + 2 * HOUR, start + 4 * HOUR, CORE)
    life.add(one, start + 3 * HOUR, start + 5 * HOUR, DEEP)
    life.add(one, start + 3 * HOUR, start + 6 * HOUR, REM)
    life.add(one, start + 30 * MINUTE, start + 90 * MINUTE + more, AWAKE)


def scene_bed_around(life, date, one, other, more):
    """Time in bed and awake around the sleep, and a second recorder inside it."""
    start = life.at(date, 22)
    life.add(one, start, start + 9 * HOUR, IN_BED)
    life.add(one, start, start + HOUR, AWAKE)
    life.add(one, start + HOUR, start + 3 * HOUR, CORE)
    life.add(other, start + 5 * HOUR + more, start + 8 * HOUR, CORE)


SCENES = [
    scene_gap, scene_gap_of_two, scene_night_gap, scene_bed, scene_wake, scene_begin, scene_end,
    scene_midnight, scene_stretch, scene_short_rest, scene_tie, scene_doze_between, scene_overlap,
    scene_bed_around,
]


def boundaries(life):
    """Every third day one exact boundary, alone or before a plain night of the next evening."""
    one = Recorder("watch", "Apple Watch", "stages")
    other = life.rng.choice([Recorder("band", "Oura Ring", "stages"),
                             Recorder("app", "AutoSleep", "asleep"),
                             Recorder("watch", "Apple Watch B", "stages"),
                             Recorder("hand", "Health", "asleep")])
    life.notes.append(f"boundaries, overlaps itself, beside {other.source}")
    scenes = []
    for date in life.dates()[::3]:
        scenes = scenes or life.rng.sample(SCENES, len(SCENES))
        pair = [one, other] if life.rng.random() < 0.7 else [other, one]
        scenes.pop()(life, date, *pair, life.rng.choice([0, 0, SECOND]))
        if life.rng.random() < 0.4:
            start = life.at(date, 46, 30)  # 22:30 of the next date
            life.add(one, start, start + life.minutes(240, 420), CORE)


HABITS = [
    regular, boundaries, shifts, close_recorders, newborn, dying_watch, clock_changes, boundaries,
    in_bed, traveller, anytime, long_wakes,
]


def life(seed):
    """Returns the life of a seed."""
    rng = random.Random(f"life {seed}")
    made = Life(rng)
    habit = HABITS[seed % len(HABITS)]
    made.notes.append(habit.__name__)
    habit(made)
    return made.finish()


# The export

def export_date(life):
    """Returns an instant after every sample, at noon of the configured zone."""
    zone = zoneinfo.ZoneInfo(life["zone"])
    last = max((sample["end"] for sample in life["samples"]), default=0) // SECOND
    day = datetime.datetime.fromtimestamp(last, zone).date() + datetime.timedelta(2)
    return datetime.datetime(day.year, day.month, day.day, 12, tzinfo=zone)


def record(sample, offset):
    """Returns the lines of one sample, with its dates in the offset of the export."""
    def date(instant):
        moment = datetime.datetime.fromtimestamp(instant // SECOND, offset)
        return moment.strftime("%Y-%m-%d %H:%M:%S %z")

    attributes = [("type", "HKCategoryTypeIdentifierSleepAnalysis"),
                  ("sourceName", sample["source"])]
    if not sample["manual"] and sample["kind"] in DEVICES:
        attributes.append(("device", DEVICES[sample["kind"]].format(sample["source"])))
    attributes += [
        ("startDate", date(sample["start"])), ("endDate", date(sample["end"])),
        ("value", "HKCategoryValueSleepAnalysis" + STAGE_NAMES[sample["stage"]])]
    metadata = []
    if sample["zone"]:
        metadata.append(("HKTimeZone", sample["zone"]))
    if sample["manual"]:
        metadata.append(("HKWasUserEntered", "1"))
    head = " <Record " + " ".join(f"{name}={quoteattr(text)}" for name, text in attributes)
    if not metadata:
        return head + "/>\n"
    inner = "".join(f"  <MetadataEntry key={quoteattr(key)} value={quoteattr(text)}/>\n"
                    for key, text in metadata)
    return head + ">\n" + inner + " </Record>\n"


def write_export(life, path):
    """Writes the life as export.xml; all dates have the offset of the export date."""
    exported = export_date(life)
    offset = datetime.timezone(exported.utcoffset())
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_US">\n')
        file.write(f' <ExportDate value="{exported.strftime("%Y-%m-%d %H:%M:%S %z")}"/>\n')
        for sample in life["samples"]:
            file.write(record(sample, offset))
        file.write("</HealthData>\n")


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Writes the export of a random life.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args(arguments)
    os.makedirs(os.path.dirname(os.path.abspath(options.out)), exist_ok=True)
    made = life(options.seed)
    write_export(made, options.out)
    print(f"zone {made['zone']}, travel {made['travel']}, {len(made['samples'])} samples: "
          f"{made['note']}")


if __name__ == "__main__":
    main()
