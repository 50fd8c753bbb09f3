"""Exports of a life with journeys, whose records state their zones by name (HKTimeZone); zoneinfo is the only clock."""

import datetime
import random
from zoneinfo import ZoneInfo

UTC = datetime.timezone.utc
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)
# Pairs over the date line, with equal offsets in part of the year, with clock changes in both hemispheres, and with odd offsets.
ZONES = [
    "America/New_York", "America/Bogota", "America/Caracas", "America/Los_Angeles", "America/Phoenix", "Europe/London",
    "Europe/Berlin", "Africa/Lagos", "Europe/Istanbul", "Asia/Kathmandu", "Asia/Kolkata", "Asia/Tokyo", "Australia/Brisbane",
    "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Honolulu", "Pacific/Pago_Pago", "Pacific/Kiritimati",
    "Pacific/Apia", "America/Sao_Paulo", "America/St_Johns",
]
ALIASES = {
    "America/New_York": "US/Eastern", "America/Los_Angeles": "US/Pacific", "Asia/Kolkata": "Asia/Calcutta",
    "Pacific/Auckland": "Antarctica/McMurdo", "Australia/Brisbane": "Australia/Queensland", "Asia/Kathmandu": "Asia/Katmandu",
    "Pacific/Pago_Pago": "Pacific/Samoa", "Pacific/Honolulu": "US/Hawaii",
}


def record(start, end, zone, kind="heart"):
    """Returns a record that states `zone`; `None` states none."""
    times = f'startDate="{start.astimezone(UTC):%Y-%m-%d %H:%M:%S} +0000" endDate="{end.astimezone(UTC):%Y-%m-%d %H:%M:%S} +0000"'
    note = f'><MetadataEntry key="HKTimeZone" value="{zone}"/></Record>' if zone else "/>"
    if kind == "sleep":
        return ('<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" '
                f'{times} value="HKCategoryValueSleepAnalysisAsleepCore"{note}')
    return f'<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" {times} value="60"{note}'


def export(records, exported, zone="UTC"):
    """Returns an export of `records`, made at `exported` on a phone in `zone`."""
    date = exported.astimezone(ZoneInfo(zone))
    return (f'<?xml version="1.0" encoding="UTF-8"?><HealthData locale="en_US"><ExportDate value="{date:%Y-%m-%d %H:%M:%S %z}"/>'
            + "\n".join(records) + "</HealthData>")


class Life:
    """A random life: `records` are (start, stated zone, kind), `places` the zones one after the other with the day of arrival."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.home = self.random.choice(ZONES)
        self.records, self.places, self.gaps = [], [], set()
        now = datetime.datetime(self.random.randint(2018, 2024), self.random.randint(1, 12), self.random.randint(1, 28), 5, tzinfo=UTC)
        for zone in self.itinerary():
            now = self.stay(zone, now, self.random.randint(3, 24))
        self.end = now
        self.records = [item for item in self.records if not self.is_in_gap(item)]
        self.add_strays()
        self.random.shuffle(self.records)

    def itinerary(self):
        """Returns the zones one after the other: journeys from home, some to several places."""
        zones = [self.home]
        for _ in range(self.random.randint(1, 4)):
            for _ in range(self.random.randint(1, 2)):
                zones.append(self.random.choice([zone for zone in ZONES if zone not in (zones[-1], self.home)]))
            zones.append(self.home)
        return zones[:-1] if self.random.random() < 0.3 else zones

    def stay(self, zone, now, days):
        """Lives in `zone` from the instant of arrival, travels on, and returns the instant of the next arrival."""
        clock = ZoneInfo(zone)
        self.places.append((zone, now.astimezone(clock).date()))
        # A flight in the morning, in the evening or by night.
        leaves = (now.astimezone(clock) + days * DAY).replace(hour=self.random.choice([6, 9, 13, 18, 23]), minute=0)
        leaves = leaves.astimezone(UTC).replace(minute=0)
        arrives = leaves + self.random.randint(1, 14) * HOUR
        if self.random.random() < 0.3:
            # Days without records: at the start, where the stay is then not yet known, or within it.
            first = now.astimezone(clock).date() + self.random.choice([0, 1]) * DAY
            self.gaps |= {(zone, first + number * DAY) for number in range(self.random.randint(1, days - 2))}
        while now < arrives:
            local = now.astimezone(clock)
            # The watch of a traveller states the former place until the arrival.
            if 8 <= local.hour <= 22 and local.hour % 2 == 0:
                self.records.append((now, self.name(zone), "heart"))
            if local.hour in (23, 1, 3, 5):
                self.records.append((now, self.name(zone), "sleep"))
            now += HOUR
        return now

    def name(self, zone):
        return ALIASES[zone] if zone in ALIASES and self.random.random() < 0.3 else zone

    def is_in_gap(self, item):
        start, name, _ = item
        plain = {alias: zone for zone, alias in ALIASES.items()}.get(name, name)
        return (plain, start.astimezone(ZoneInfo(plain)).date()) in self.gaps

    def add_strays(self):
        """Adds a few records of other zones: a shared device, or one that was off and states the former place."""
        for _ in range(self.random.randint(0, 6)):
            start = self.random.choice(self.records)[0] + self.random.randint(0, 3) * 20 * datetime.timedelta(minutes=1)
            zone = self.random.choice([zone for zone, _ in self.places] + ZONES)
            for _ in range(self.random.randint(1, 2)):
                self.records.append((start, zone, "heart"))
                start += datetime.timedelta(minutes=5)

    def text(self):
        return export([record(start, start + (HOUR if kind == "sleep" else 0 * HOUR), zone, kind)
                       for start, zone, kind in self.records], self.end)


COMPARED = {}


def same_time(one, other, since):
    """Whether both zones have the same offset at each noon and midnight of the twelve years from `since` on."""
    key = (*sorted((one, other)), since)
    if key not in COMPARED:
        moments = (datetime.datetime.combine(since, datetime.time(), UTC) + number * 12 * HOUR for number in range(2 * 366 * 12))
        left, right = ZoneInfo(one), ZoneInfo(other)
        COMPARED[key] = one == other or all(
            moment.astimezone(left).utcoffset() == moment.astimezone(right).utcoffset() for moment in moments)
    return COMPARED[key]


def stays(records, home):
    """Returns the stays by the rule of docs/configuration.md: (day, zone), for a configuration with the zone `home` only."""
    dated = sorted((start.astimezone(ZoneInfo(name)).date(), start, name) for start, name, _ in records)
    since = dated[0][0]
    kinds = []
    for name in sorted({name for _, _, name in dated}):
        for kind in kinds:
            if same_time(kind[0], name, since):
                kind.append(name)
                break
        else:
            kinds.append([name])
    number = {name: index for index, kind in enumerate(kinds) for name in kind}
    days = {}
    for day, start, name in dated:
        days.setdefault(day, []).append((start, name))
    blocks, before = [], None
    for day, found in sorted(days.items()):
        counts = {}
        for _, name in found:
            counts[number[name]] = counts.get(number[name], 0) + 1
        best = [kind for kind, count in counts.items() if count == max(counts.values())]
        if len(best) > 1:
            best = [before] if before in best else [number[max(item for item in found if number[item[1]] in best)[1]]]
        before = best[0]
        blocks.append([before, [day], counts[before]])

    def joined(blocks):
        result = []
        for kind, found, count in blocks:
            if result and result[-1][0] == kind:
                result[-1] = [kind, result[-1][1] + found, result[-1][2] + count]
            else:
                result.append([kind, found, count])
        return result

    blocks = joined([block for block in joined(blocks) if len(block[1]) > 1 or block[2] > 3])
    result, present = [], home
    for kind, found, _ in blocks:
        if same_time(kinds[kind][0], present, since):
            continue
        if same_time(kinds[kind][0], home, since):
            present = home
        else:
            names = [name for day in found for _, name in days[day] if number[name] == kind]
            present = min(set(names), key=lambda name: (-names.count(name), name))
        result.append((found[0].isoformat(), present))
    return result
