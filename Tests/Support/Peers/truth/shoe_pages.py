"""Reads the stored samples of steps and distance from the database, by the layout in docs/database.md."""

import dataclasses
import pathlib
import re

from truth_rules import device_class

TYPES = {"steps": "HKQuantityTypeIdentifierStepCount", "walkingDistance": "HKQuantityTypeIdentifierDistanceWalkingRunning"}
DATABASE_GUIDE = pathlib.Path(__file__).resolve().parents[4] / "docs/database.md"


@dataclasses.dataclass(frozen=True)
class Recorder:
    """The properties of a recorder that determine its rank."""
    source: str
    device: str
    entered: bool


def page_reader():
    """Returns the function in docs/database.md."""
    code = re.search(r"```python\n(.*?)```", DATABASE_GUIDE.read_text(encoding="utf-8"), re.S).group(1)
    names = {}
    exec(code, names)  # This code of the documentation is tested here.
    return names["read_page"]


def samples(connection, metric):
    """Returns the samples as (rank, start, end, value), with instants in milliseconds; the preferred recorder has the lowest
    rank."""
    read_page, found = page_reader(), []
    query = """SELECT source_name, device, is_user_entered, is_pre_aggregated, columns FROM sample_page
        JOIN sample_type ON sample_type.id = type_id JOIN origin ON origin.id = origin_id WHERE identifier = ?"""
    for source, device, entered, is_sum, columns in connection.execute(query, (TYPES[metric],)):
        assert not is_sum, "pre-aggregated sums of a feed are merged by another rule"
        rank = device_class(Recorder(source, device or "", bool(entered))), source, device or ""
        for start, length, value, zone, _ in read_page(columns):
            assert zone is None, "a sample that states a zone counts on the days of that zone"
            found.append((rank, start, start + length, value))
    return sorted(found)
