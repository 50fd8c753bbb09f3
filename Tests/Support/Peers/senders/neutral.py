"""Measurements of one user, independent of any app, and the requests that carry them."""

import dataclasses
import datetime
import random
import uuid
import zoneinfo

UTC = datetime.timezone.utc
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
STAGES = ("core", "deep", "rem", "awake")


@dataclasses.dataclass(frozen=True)
class Sample:
    """A measurement. Instants are milliseconds since 1970. `value` is a number, or a stage for kind `sleep`.

    Units: steps count, distance m, energy kcal, heartRate and restingHeartRate per minute. `record` is the record of
    Health Connect that contains the sample: a series of heart rates or a sleep session.
    """
    kind: str
    source: str
    device: str
    start: int
    end: int
    value: float | str
    uuid: str
    record: str


@dataclasses.dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict
    body: bytes

    def with_headers(self, **more):
        return dataclasses.replace(self, headers={**self.headers, **more})


@dataclasses.dataclass(frozen=True)
class Sources:
    """The two sources of a user, the preferred one first."""
    watch: str
    phone: str
    watch_device: str
    phone_device: str


APPLE = Sources("Anna’s Watch", "Anna’s iPhone", "Apple Watch", "iPhone")
ANDROID = Sources("com.fitbit.FitbitMobile", "com.google.android.apps.fitness", "Pixel Watch", "Pixel 8")


def iso(at, zone=UTC):
    """Returns the instant as `java.time.Instant` and most apps write it: fractions only if there are any."""
    moment = datetime.datetime.fromtimestamp(at / 1000, zone)
    text = moment.isoformat(timespec="milliseconds" if at % 1000 else "seconds")
    return text.replace("+00:00", "Z") if zone is UTC else text


def iso_milliseconds(at):
    return datetime.datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at % 1000:03}Z"


def iso_seconds(at):
    return datetime.datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def local(at, zone, form="%Y-%m-%d %H:%M:%S %z"):
    """Returns `2024-03-01 08:00:00 +0100`."""
    return datetime.datetime.fromtimestamp(at // 1000, zoneinfo.ZoneInfo(zone)).strftime(form)


def to_seconds(samples):
    """Returns the samples as an app sends them whose times have no fractions."""
    return [dataclasses.replace(sample, start=sample.start // 1000 * 1000, end=sample.end // 1000 * 1000)
            for sample in samples]


class Person:
    """Generates the measurements of several days. Every walk is within a minute, so that sums by minute are exact."""

    def __init__(self, seed, sources=APPLE, days=3, zone="Europe/Paris", first=datetime.date(2024, 3, 1), whole=False):
        self.chance, self.sources, self.zone = random.Random(seed), sources, zone
        self.unit = 1000 if whole else 1
        self.days = [first + datetime.timedelta(number) for number in range(days)]
        self.samples = []
        for day in self.days:
            self.walks(day)
            self.rates(day)
            self.night(day)
        self.nap(self.days[0])
        self.samples.sort(key=lambda sample: (sample.start, sample.kind, sample.uuid))

    def midnight(self, day):
        zone = zoneinfo.ZoneInfo(self.zone)
        return int(datetime.datetime.combine(day, datetime.time(), zone).timestamp()) * 1000

    def identifier(self):
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))

    def add(self, kind, start, end, value, phone=False, record=None):
        source = self.sources.phone if phone else self.sources.watch
        device = self.sources.phone_device if phone else self.sources.watch_device
        start, end = (at // self.unit * self.unit for at in (start, end))
        own = self.identifier()
        self.samples.append(Sample(kind, source, device, start, end, value, own, record or own))

    def walks(self, day):
        midnight = self.midnight(day)
        for minute in self.chance.sample(range(420, 1260), 30):
            start = midnight + minute * MINUTE + self.chance.randrange(2_000, 9_000)
            end = start + self.chance.randrange(30_000, 45_000)
            if self.chance.random() < 0.75:
                self.add("steps", start, end, self.chance.randrange(5, 120))
                self.add("energy", start, end, round(self.chance.uniform(0.1, 9), 3))
                self.add("distance", start, end, round(self.chance.uniform(5, 90), 2))
                if self.chance.random() < 0.5:
                    self.add("steps", start + 2_000, end - 2_000, self.chance.randrange(5, 120), phone=True)
            else:
                self.add("steps", start, end, self.chance.randrange(5, 120), phone=True)

    def rates(self, day):
        """Adds heart rates, none of them at a full minute, in records of up to five."""
        midnight, record = self.midnight(day), None
        for number, minute in enumerate(sorted(self.chance.sample(range(1440), 50))):
            record = self.identifier() if number % 5 == 0 else record
            at = midnight + minute * MINUTE + self.chance.randrange(1_000, 59_000)
            self.add("heartRate", at, at, self.chance.randrange(48, 130), record=record)
        at = midnight + 9 * HOUR + 14 * MINUTE
        self.add("restingHeartRate", at, at, self.chance.randrange(48, 66))

    def night(self, day):
        """Adds the night that ends on the day."""
        at, session = self.midnight(day) - HOUR + self.chance.randrange(HOUR), self.identifier()
        for number in range(8):
            end = (at + self.chance.randrange(20 * MINUTE, 70 * MINUTE)) // self.unit * self.unit
            self.add("sleep", at, end, STAGES[(number + self.chance.randrange(3)) % 4], record=session)
            at = end

    def nap(self, day):
        at = self.midnight(day) + 14 * HOUR + self.chance.randrange(HOUR)
        self.add("sleep", at, at + 40 * MINUTE + 500, "asleep", record=self.identifier())
