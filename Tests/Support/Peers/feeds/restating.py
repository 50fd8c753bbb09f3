"""A model of feeds without identifiers, written from the rules of the product and not from the program.

A *statement* is what one post says about one start: `made` is the post's own time, or its arrival if it states none. For one
type, app and start, the entries of a later statement replace the earlier ones as a set. A smaller sum that ends no later, of
an interval that was over when the earlier statement was made, is ignored. An event without an end is never replaced. A
session of sleep is replaced as a whole by a later session of its app that overlaps it. What a post does not mention stays.
Equal events of one post are as many as it states; other equal entries are one.

Steps of one app that overlap are one measurement: the entry that starts first counts, of equal starts the longest, then the
largest; another one only the part after it.
"""

import collections
import dataclasses
import random

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
SUMS = ("steps", "water")
# HealthKit's numbers.
STAGES = {"core": 3, "deep": 4, "rem": 5, "awake": 2}


@dataclasses.dataclass(frozen=True, order=True)
class Entry:
    """Steps in counts, water in mL, a stage of sleep by HealthKit's number. Times are milliseconds since 1970."""
    kind: str
    app: str
    start: int
    end: int
    value: float


@dataclasses.dataclass(frozen=True)
class Post:
    """`sessions` are tuples of the stages of one session each."""
    made: int
    entries: tuple
    sessions: tuple = ()


def counting(posts, states_time):
    """Returns the entries that count after the posts, which are in the order of arrival, with how often each counts; and the
    number of clipped ones.

    Posts that state no time are made when they arrive, after everything in them.
    """
    order = sorted(range(len(posts)), key=lambda place: (posts[place].made if states_time else 0, place))
    current, events, sessions, clipped = {}, collections.Counter(), [], 0
    for place in order:
        post = posts[place]
        made = post.made if states_time else None
        stated = {}
        for entry, count in collections.Counter(post.entries).items():
            count = count if entry.kind == "water" else 1
            if entry.kind == "water" and entry.start == entry.end:
                events[entry] = max(events[entry], count)
            else:
                stated.setdefault((entry.kind, entry.app, entry.start), collections.Counter())[entry] = count
        for key, entries in stated.items():
            if key in current and is_clip(*current[key], entries, key[0] in SUMS):
                clipped += entries.total()
            else:
                current[key] = (made, entries)
        for session in post.sessions:
            sessions = [one for one in sessions if not overlap(one, session)] + [session]
    rows = events + collections.Counter(stage for session in sessions for stage in session)
    for _, entries in current.values():
        rows += entries
    return rows, clipped


def measured(rows):
    """Returns each entry with the time from which it counts, and how often."""
    found, covered = [], {}
    for one in sorted(rows, key=lambda one: (one.start, -one.end, -one.value)):
        begin = one.start
        if one.kind == "steps":
            begin = max(one.start, covered.get(one.app, one.start))
            covered[one.app] = max(one.end, begin)
        if begin < one.end or one.start == one.end:
            found.append((one, begin, rows[one]))
    return found


def is_clip(made, entries, later, is_sum):
    end = max(one.end for one in entries)
    was_over = made is None or end <= made
    return (is_sum and was_over and max(one.end for one in later) <= end
            and sum(one.value for one in later.elements()) < sum(one.value for one in entries.elements()))


def overlap(one, other):
    return (one[0].app == other[0].app and one[0].start < other[-1].end and other[0].start < one[-1].end)


class Life:
    """Posts of one phone over a few days: intervals that grow, are corrected, clipped and repeated."""

    def __init__(self, seed, midnight, days=3, has_sleep=True, until_now=True, may_overlap=True):
        self.chance = random.Random(seed)
        self.midnight, self.days, self.seed = midnight, days, seed
        # Of an interval that is posted before its end, the app states the planned end, or the time of the post.
        self.states_now = until_now and self.chance.random() < 0.5
        self.posts = []
        self.slots = self.intervals(may_overlap)
        self.nights = [self.night(day) for day in range(days)] if has_sleep else []
        self.instants = []
        times = sorted(self.chance.sample(range(HOUR, (days + 2) * DAY, 7_000), self.chance.randrange(5, 12)))
        for time in times:
            self.posts.append(self.post(midnight + time))

    def intervals(self, may_overlap):
        """Returns [kind, app, start, end, value or None] of intervals; steps of one app may overlap within an hour."""
        found = []
        for day in range(self.days):
            for hour in sorted(self.chance.sample(range(24), self.chance.randrange(2, 7))):
                start = self.midnight + day * DAY + hour * HOUR + self.chance.randrange(1, 600) * 1000
                length = self.chance.randrange(61, 3000) * 1000
                kind = self.chance.choice(("steps", "steps", "water"))
                app = f"com.{kind}.{self.chance.randrange(2)}.{self.seed}"
                found.append([kind, app, start, start + length, None])
                if may_overlap and kind == "steps" and self.chance.random() < 0.3:
                    later = start + self.chance.randrange(1, length // 1000) * 1000
                    full_hour = self.midnight + day * DAY + (hour + 1) * HOUR
                    found.append([kind, app, later, self.chance.randrange(later + 1000, full_hour, 1000), None])
        return found

    def night(self, day):
        app = f"com.sleep.{self.seed}"
        return [app, self.midnight + day * DAY + self.chance.randrange(20, 23) * HOUR, self.chance.randrange(4, 9)]

    def post(self, made):
        entries = []
        for slot in self.slots:
            kind, app, start, end, value = slot
            if made <= start or self.chance.random() < 0.3:
                continue
            is_over, stated_end = end <= made, end
            if not is_over and self.states_now:
                stated_end = made
            if value is None:
                new = self.chance.randrange(50, 900)
            elif not is_over:
                # It grows, or is corrected downward.
                new = max(1, value + self.chance.randrange(-40, 300))
            else:
                new = value + self.chance.choice((0, 0, 0, 25))
            slot[4] = new
            if is_over and self.chance.random() < 0.25:
                # The window of the post contains only a part of it.
                entries.append(Entry(kind, app, start, stated_end, max(1, new // 3)))
            elif kind == "water" and new > 100 and self.chance.random() < 0.5:
                # Two glasses.
                glass = new / 2 if new % 4 == 0 else 60
                entries += [Entry(kind, app, start, stated_end, glass), Entry(kind, app, start, stated_end, new - glass)]
            else:
                entries.append(Entry(kind, app, start, stated_end, new))
        if self.chance.random() < 0.5:
            at = made - self.chance.randrange(1, 50) * MINUTE
            self.instants.append(Entry("water", f"com.water.0.{self.seed}", at, at, self.chance.randrange(1, 9) * 50))
        for one in self.chance.sample(self.instants, min(len(self.instants), 2)):
            entries += [one] * self.chance.choice((1, 1, 1, 2))
        sessions = [self.session(*night) for night in self.nights if night[1] + 10 * HOUR < made and self.chance.random() < 0.7]
        return Post(made, tuple(entries), tuple(sessions))

    def session(self, app, start, stages):
        """Returns the session as the app understands it now: its edges and stages differ from post to post."""
        at, found = start + self.chance.randrange(-30, 30) * MINUTE, []
        for _ in range(max(1, stages + self.chance.randrange(-1, 2))):
            end = at + self.chance.randrange(10, 70) * MINUTE
            found.append(Entry("sleep", app, at, end, STAGES[self.chance.choice(tuple(STAGES))]))
            at = end
        return tuple(found)

    def arrivals(self):
        """Returns the posts in an order of arrival, some of them repeated."""
        posts = self.posts + self.chance.sample(self.posts, len(self.posts) // 3)
        if self.chance.random() < 0.8:
            self.chance.shuffle(posts)
        return posts
