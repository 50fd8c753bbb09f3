"""The stored samples of steps and distance, read from the database alone by the layout that docs/database.md gives."""

import dataclasses
import pathlib
import re

from truth_rules import device_class

TYPES = {"steps": "HKQuantityTypeIdentifierStepCount", "walkingDistance": "HKQuantityTypeIdentifierDistanceWalkingRunning"}
DATABASE_GUIDE = pathlib.Path(__file__).resolve().parents[4] / "docs/database.md"


@dataclasses.dataclass(frozen=True)
class Recorder:
    """What says how far a recorder is believed."""
    source: str
    device: str
    entered: bool


def page_reader():
    """The function of the guide."""
    code = re.search(r"```python\n(.*?)```", DATABASE_GUIDE.read_text(encoding="utf-8"), re.S).group(1)
    names = {}
    exec(code, names)  # The project's own text, which is under test.
    return names["read_page"]


def samples(connection, metric):
    """Samples as (rank of the recorder, start, end, value), instants in milliseconds; the most believed have the least rank."""
    read_page, found = page_reader(), []
    query = """SELECT source_name, device, is_user_entered, is_pre_aggregated, columns FROM sample_page
        JOIN sample_type ON sample_type.id = type_id JOIN origin ON origin.id = origin_id WHERE identifier = ?"""
    for source, device, entered, is_sum, columns in connection.execute(query, (TYPES[metric],)):
        assert not is_sum, "sums that a feed made are merged by another rule"
        rank = device_class(Recorder(source, device or "", bool(entered))), source, device or ""
        for start, length, value, zone, _ in read_page(columns):
            assert zone is None, "a sample of a zone of its own counts by the clocks of that zone"
            found.append((rank, start, start + length, value))
    return sorted(found)
