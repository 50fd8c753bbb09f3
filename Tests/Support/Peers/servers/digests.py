"""Digests of samples and records, as docs/server-api.md defines them."""

import struct

MASK = (1 << 64) - 1
FIELDS = {
    "progress": ["type", "granularity", "day", "start", "quantity", "min", "max", "count", "held_ms", "unit"],
    "sleep": ["start_time", "end_time", "source", "notes", "time_in_bed_minutes", "total_sleep_minutes",
              "awake_minutes", "rem_minutes", "core_minutes", "deep_minutes", "sleep_efficiency_percentage"],
    "snapshots": ["day", "active_energy_kcal", "exercise_minutes", "resting_heart_rate", "sleep_minutes", "steps",
                  "walking_distance_km"],
}


def mixed(word):
    """Returns the step of SplitMix64."""
    word = word + 0x9E3779B97F4A7C15 & MASK
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
    return word ^ word >> 31


def words(value):
    """Returns the words of a value; those of -0 are those of 0."""
    if value is None:
        return [MASK]
    if isinstance(value, str):
        data = value.encode()
        padded = data + bytes(-len(data) % 8)
        return [len(data), *(word for (word,) in struct.iter_unpack("<Q", padded))]
    return struct.unpack("<Q", struct.pack("<d", value or 0.0))


def fold(values, state=0):
    for value in values:
        for word in words(value):
            state = mixed(state ^ word)
    return state


def sample_content(row):
    """Returns the content digest of a sample; `id` is a UUID, times are milliseconds."""
    return fold([row["value"]], mixed(mixed(row["id"].int & MASK ^ row["start"] & MASK) ^ row["end"] & MASK))


COUNTED = ("time_in_bed_minutes", "asleep_minutes", "awake_minutes", "rem_minutes", "core_minutes", "deep_minutes")


def record_content(kind, identity, revision, body):
    """Returns the content digest of a record, or of a tombstone without a body."""
    state = mixed(fold([identity]) ^ revision)
    if body is None:
        return state
    state = fold([body.get(name) for name in FIELDS[kind]], state)
    if kind == "sleep":
        stages = body["stages"]
        inner = fold([stage[name] for stage in stages for name in ("stage", "start_time", "end_time")])
        state = mixed(mixed(state ^ len(stages)) ^ inner)
        state = place_content(body, state)
    return state


def place_content(session, state):
    """Adds what a session is a part of, if it states that."""
    if session.get("day") is None:
        return state
    state = fold([session[name] for name in ("day", "night_id", "role")], state)
    counted = session["counted"]
    if counted is None:
        return fold([None], state)
    state = fold([counted[name] for name in COUNTED], state)
    stretches = counted["stretches"]
    state = mixed(state ^ len(stretches))
    return fold([stretch[name] for stretch in stretches for name in ("start_time", "end_time")], state)
