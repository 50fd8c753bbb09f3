"""An export of ten years with planted trends, written without the program, and the answers that follow from it.

The export has the steps of a watch and of a phone that counts most of the same walks, distance, heart rate, resting heart
rate and nights with stages. All times of the file have the offset of the phone on the day of the export, as in Apple's
exports. The answers are computed from the plan of the days, never from what the program reports.
"""

import collections
import dataclasses
import datetime
import statistics
import zipfile
import zoneinfo

PARIS = zoneinfo.ZoneInfo("Europe/Paris")
UTC = datetime.timezone.utc
YEARS = 10
WATCH, PHONE = "Anna’s\u00a0Apple Watch", "Anna’s iPhone"
DEVICES = {
    WATCH: "&lt;&lt;HKDevice: 0x282e3a260&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,9, "
           "software:11.6.1&gt;",
    PHONE: "&lt;&lt;HKDevice: 0x282e3b000&gt;, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone16,1, "
           "software:18.6&gt;",
}
# Steps of the hours of an ordinary day. 17:00 is the hour with the most steps.
HOURS = {8: 900, 9: 400, 12: 1_100, 13: 350, 15: 300, 17: 2_300, 18: 700, 20: 250}
WEEKEND_WALK = (5, 11, 3_400)  # Saturdays, at 11:00
HIKE = {10: 9_000, 11: 8_500, 13: 9_200, 14: 8_800, 15: 7_400}
FALL = 0.6  # beats per minute in a year
GAIN = 23  # minutes of sleep of this month more than of the month before
METERS = 0.76  # per step
STAGES = (("Core", 70), ("Deep", 55), ("Core", 95), ("REM", 40), ("Awake", 9), ("Core", 80), ("REM", None))


@dataclasses.dataclass
class Plan:
    """A day: steps by local hour, resting heart rate, and minutes of sleep of the night that ends on it."""

    steps: dict
    resting: float
    asleep: int


class PlantedYears:
    """The plan of ten years that end on `last`, and its answers."""

    def __init__(self, last):
        self.last = last
        self.first = last.replace(year=last.year - YEARS, day=1)
        days = (last - self.first).days + 1
        # The hike is on a Tuesday in May of the sixth year, so that the best day is not on the best weekday.
        hike = datetime.date(last.year - 5, 5, 11)
        self.hike = hike + datetime.timedelta((1 - hike.weekday()) % 7)
        self.days = {}
        for number in range(days):
            day = self.first + datetime.timedelta(number)
            self.days[day] = Plan(self.walked(day, number), self.resting(number), self.slept(day))

    def walked(self, day, number):
        if day == self.hike:
            return dict(HIKE)
        steps = {hour: count + (number * 37 + hour * 11) % 120 for hour, count in HOURS.items()}
        weekday, hour, more = WEEKEND_WALK
        if day.weekday() == weekday:
            steps[hour] = steps.get(hour, 0) + more
        return steps

    def resting(self, number):
        return round(64 - FALL * number / 365.2425 + (number % 7 - 3) * 0.4, 2)

    def slept(self, day):
        """Returns minutes that average 7 h 5 min in each month, and `GAIN` more in the last one."""
        end = self.last.day if self.month(day) == self.month(self.last) else self.length(day)
        # Deviations of the same size before and after the middle of the month cancel each other out.
        middle = (end + 1) / 2
        deviation = 0 if day.day == middle else (6 + 9 * (abs(day.day * 2 - end - 1) % 5)) * (1 if day.day > middle else -1)
        return 425 + deviation + (GAIN if self.month(day) == self.month(self.last) else 0)

    @staticmethod
    def month(day):
        return day.year, day.month

    @staticmethod
    def length(day):
        return ((day.replace(day=28) + datetime.timedelta(4)).replace(day=1) - datetime.timedelta(1)).day

    # Answers

    def since(self, first):
        return {day: plan for day, plan in self.days.items() if day >= first}

    def month_before(self):
        """Returns the last day of the month before the last one."""
        return self.last.replace(day=1) - datetime.timedelta(1)

    def sleep_of(self, year, month):
        """Returns the average minutes of sleep and the number of nights of a month."""
        nights = [plan.asleep for day, plan in self.days.items() if self.month(day) == (year, month)]
        return statistics.fmean(nights), len(nights)

    def total(self, day):
        return sum(self.days[day].steps.values())

    def best_day(self):
        return max(self.days, key=self.total)

    def best_weekday(self, first):
        """Returns the name of the weekday with the largest average from `first` on, and the average."""
        groups = collections.defaultdict(list)
        for day in self.since(first):
            groups[day.weekday()].append(self.total(day))
        weekday = max(groups, key=lambda one: statistics.fmean(groups[one]))
        return ("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()[weekday], statistics.fmean(groups[weekday]))

    def best_hour(self, first):
        """Returns the local hour with the largest average over all days from `first` on, and the average."""
        sums, days = collections.Counter(), self.since(first)
        for plan in days.values():
            sums.update(plan.steps)
        hour, most = sums.most_common(1)[0]
        return hour, most / len(days)

    def slope(self, first):
        """Returns the change of the resting heart rate in a year, by least squares, from `first` on."""
        days = self.since(first)
        found = statistics.linear_regression(
            [day.toordinal() for day in days], [plan.resting for plan in days.values()])
        return found.slope * 365.2425

    # The file

    def write(self, path, first=None):
        """Writes the export, or its days from `first` on, as a zip archive like that of the Health app."""
        days = self.since(first or self.first)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            with archive.open("apple_health_export/export.xml", "w") as file:
                exported = local(self.last, 23, 55)
                file.write((
                    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData ANY>\n]>\n'
                    f'<HealthData locale="en_FR">\n <ExportDate value="{written(exported)}"/>\n').encode())
                for rows in (self.step_rows, self.distance_rows, self.heart_rows, self.resting_rows, self.sleep_rows):
                    file.write("".join(
                        record(*row, offset=exported.utcoffset()) for day in days for row in rows(day)).encode())
                file.write(b"</HealthData>\n")

    def step_rows(self, day):
        for hour, count in self.days[day].steps.items():
            start, end = local(day, hour, 5), local(day, hour, 45)
            yield "QuantityTypeIdentifierStepCount", WATCH, "count", start, end, count
            # The phone counts the same walk with another result; it does not count again.
            if hour % 4:
                yield "QuantityTypeIdentifierStepCount", PHONE, "count", start, end, count - 25

    def distance_rows(self, day):
        for hour, count in self.days[day].steps.items():
            yield ("QuantityTypeIdentifierDistanceWalkingRunning", WATCH, "km", local(day, hour, 5), local(day, hour, 45),
                   f"{count * METERS / 1000:.5f}")

    def heart_rows(self, day):
        for hour in range(1, 24, 5):
            at = local(day, hour, 30)
            yield "QuantityTypeIdentifierHeartRate", WATCH, "count/min", at, at, 58 + 5 * (hour % 7) + day.day % 3

    def resting_rows(self, day):
        at = local(day, 22, 0)
        yield "QuantityTypeIdentifierRestingHeartRate", WATCH, "count/min", at, at, self.days[day].resting

    def sleep_rows(self, day):
        left = self.days[day].asleep
        at = local(day - datetime.timedelta(1), 22, 50).astimezone(UTC)
        for stage, minutes in STAGES:
            minutes = left if minutes is None else minutes
            left -= 0 if stage == "Awake" else minutes
            end = at + datetime.timedelta(minutes=minutes)
            value = "HKCategoryValueSleepAnalysis" + ("" if stage == "Awake" else "Asleep") + stage
            yield "CategoryTypeIdentifierSleepAnalysis", WATCH, None, at, end, value
            at = end


def local(day, hour, minute):
    return datetime.datetime.combine(day, datetime.time(hour, minute), PARIS)


def written(instant):
    return f"{instant:%Y-%m-%d %H:%M:%S %z}"


def record(kind, source, unit, start, end, value, offset):
    zone = datetime.timezone(offset)
    times = [written(instant.astimezone(zone)) for instant in (end, start, end)]
    return (
        f' <Record type="HK{kind}" sourceName="{source}" sourceVersion="11.6" device="{DEVICES[source]}"'
        + (f' unit="{unit}"' if unit else "")
        + f' creationDate="{times[0]}" startDate="{times[1]}" endDate="{times[2]}" value="{value}"/>\n')
