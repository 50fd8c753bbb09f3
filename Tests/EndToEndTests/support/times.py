"""Times as the program writes them: RFC 3339, with a fraction only if it is not zero. Compare them as instants, because as
text `10:00:00Z` comes after `10:00:00.021Z`."""

import datetime

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def instant(text):
    return datetime.datetime.fromisoformat(text)


def milliseconds(text):
    """Returns the time in milliseconds since 1970, rounded down."""
    return (instant(text) - EPOCH) // datetime.timedelta(milliseconds=1)
