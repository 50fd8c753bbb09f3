"""Prints the ISO week, month and year of each day of some years, each with name, first and last day, one line per day."""

import calendar
import datetime
import sys


def periods(day):
    year, week, weekday = day.isocalendar()
    monday = day - datetime.timedelta(days=weekday - 1)
    yield f"{year:04}-W{week:02}", monday, monday + datetime.timedelta(days=6)
    length = calendar.monthrange(day.year, day.month)[1]
    yield f"{day:%Y-%m}", day.replace(day=1), day.replace(day=length)
    yield f"{day:%Y}", day.replace(month=1, day=1), day.replace(month=12, day=31)


first, last = (datetime.date.fromisoformat(word) for word in sys.argv[1:3])
for offset in range((last - first).days + 1):
    day = first + datetime.timedelta(days=offset)
    print(day, *(word for period in periods(day) for word in period))
