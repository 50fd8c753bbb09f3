"""Values of table cells on pages."""

import calendar
import datetime
import re


def value(cell):
    """Returns the exact value of a cell; None for a dash."""
    assert cell["values"] or cell["text"] in ("–", ""), cell
    return cell["values"][0] if cell["values"] else None


def shown(name):
    """Returns a name as pages show it, with characters that change the writing direction replaced."""
    return re.sub("[\u202a-\u202e\u2066-\u2069]", "\ufffd", name)


def clock_times(hours):
    """Returns the local times at which hours begin, with the offset if a time occurs twice."""
    times = [hour["start"][11:16] for hour in hours]
    return [time if times.count(time) == 1 else f"{time} {hour['start'][-6:]}" for time, hour in zip(times, hours)]


def in_words(day):
    """Returns a date as pages show it: `17 Jan 2024`."""
    day = datetime.date.fromisoformat(str(day))
    return f"{day.day} {day:%b %Y}"


def period_name(text):
    """Returns the name of a period in commands: `2024-01-17` for `Wed 17 Jan 2024`, `2024-01` for `Jan 2024`."""
    for shown, name in (("%a %d %b %Y", "%Y-%m-%d"), ("%b %Y", "%Y-%m")):
        try:
            return f"{datetime.datetime.strptime(text, shown):{name}}"
        except ValueError:
            pass
    return text


def period_days(name):
    """Returns the first and last day of a period: `2024-01-17`, `2024-W03`, `2024-01` or `2024`."""
    if week := re.fullmatch(r"(\d{4})-W(\d\d)", name):
        monday = datetime.date.fromisocalendar(int(week[1]), int(week[2]), 1)
        return monday, monday + datetime.timedelta(6)
    numbers = [int(part) for part in name.split("-")]
    if len(numbers) == 3:
        return datetime.date(*numbers), datetime.date(*numbers)
    first, last = (numbers[1:] or [1])[0], (numbers[1:] or [12])[0]
    return datetime.date(numbers[0], first, 1), datetime.date(numbers[0], last, calendar.monthrange(numbers[0], last)[1])
