"""What stands in the cells of pages, as values."""

import calendar
import datetime
import re


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def value(cell):
    """The exact figure of a cell; None where a dash says that there is none."""
    assert cell["values"] or cell["text"] in ("–", ""), cell
    return cell["values"][0] if cell["values"] else None


def shown(name):
    """A name as pages write it: characters that turn the direction of writing are replaced."""
    return re.sub("[\u202a-\u202e\u2066-\u2069]", "\ufffd", name)


def clock_times(hours):
    """What the clocks show when hours begin; with the offset where they show it twice."""
    times = [hour["start"][11:16] for hour in hours]
    return [time if times.count(time) == 1 else f"{time} {hour['start'][-6:]}" for time, hour in zip(times, hours)]


def period_days(name):
    """First and last day of what a table names: `Wed 2024-01-17`, `2024-W03`, `2024-01` or `2024`."""
    if week := re.fullmatch(r"(\d{4})-W(\d\d)", name):
        monday = datetime.date.fromisocalendar(int(week[1]), int(week[2]), 1)
        return monday, monday + datetime.timedelta(6)
    numbers = [int(part) for part in name.split()[-1].split("-")]
    if len(numbers) == 3:
        return datetime.date(*numbers), datetime.date(*numbers)
    first, last = (numbers[1:] or [1])[0], (numbers[1:] or [12])[0]
    return datetime.date(numbers[0], first, 1), datetime.date(numbers[0], last, calendar.monthrange(numbers[0], last)[1])
