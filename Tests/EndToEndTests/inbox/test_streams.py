"""Change streams: deletions by identifier, corrections, gaps in a sequence, and windows that state everything in them."""

import dataclasses
import itertools
import json
import random
import unittest
import uuid

from senders import hcgateway, hozz, step_app
from senders.life_dashboard import LifeDashboard
from senders.neutral import ANDROID, DAY, HOUR, MINUTE, Person
from support.watch import InboxTest, eventually


def one_of_each(samples):
    """Returns the samples of one record of each kind."""
    records = {}
    for sample in samples:
        records.setdefault(sample.kind, sample.record)
    return [sample for sample in samples if sample.record in records.values()]


def other(sample):
    """Returns an identifier that no sample has."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, sample.uuid))


class Deletions(InboxTest):
    def replay(self, batches, samples, place="bearer", data="data", repeat=1):
        token, watch = self.pair(data=data), self.watch(data=data)
        for request in itertools.chain.from_iterable(itertools.repeat(batches, repeat)):
            watch.accept(request, token, place)
        self.settle(data)
        self.await_figures(samples, data=data)
        watch.kill()

    def test_hozz_tombstones_after_before_and_between_the_samples(self):
        person = Person(31, days=2)
        gone = random.Random(31).sample([one for one in person.samples if one.kind != "sleep"], 40)
        kept = [one for one in person.samples if one not in gone]
        additions = hozz.requests(person.samples)
        tombstones = hozz.deletions(gone, len(additions) + 1)
        for number, batches in enumerate(([*additions, tombstones], [tombstones, *additions],
                                          [*additions[:2], tombstones, *additions[2:]], [*additions, tombstones, *additions])):
            with self.subTest(number):
                self.replay(batches, kept, "raw", f"data{number}", repeat=1 + number % 2)

    def test_life_dashboard_deletions_remove_whole_records(self):
        """A deletion names a heart rate record and removes all its samples; a repetition keeps all."""
        self.prefer(ANDROID)
        person = Person(32, sources=ANDROID, days=2)
        gone = [one for one in one_of_each(person.samples) if one.kind != "restingHeartRate"]
        self.assertEqual(len([one for one in gone if one.kind == "heartRate"]), 5)
        kept = [one for one in person.samples if one not in gone]
        sender = LifeDashboard()
        requests = [*sender.syncs(person.samples), sender.sync([], gone)]
        self.replay(requests, kept)
        self.replay(requests, kept, data="again", repeat=2)
        self.replay(requests[::-1], kept, data="reversed")

    def test_hcgateway_deletions(self):
        self.prefer(ANDROID)
        person = Person(33, sources=ANDROID, days=2)
        gone = [one for one in one_of_each(person.samples) if one.kind != "restingHeartRate"]
        kept = [one for one in person.samples if one not in gone]
        kinds = {one.kind for one in gone}
        deletions = [hcgateway.delete(kind, sorted({one.record for one in gone if one.kind == kind})) for kind in sorted(kinds)]
        requests = hcgateway.requests(person.samples)
        self.replay([*requests, *deletions], kept)
        self.replay([*deletions, *requests], kept, data="before")

    def test_delete_steps_deletes_the_steps_of_this_device_only(self):
        person = Person(34, days=1)
        first, second = self.pair("first"), self.pair("second")
        watch = self.watch()
        others = [dataclasses.replace(one, start=one.start + DAY, end=one.end + DAY, uuid=other(one))
                  for one in person.samples if one.kind == "steps"]
        for request in step_app.requests(person.samples):
            answer = watch.accept(request, first, "path")
            self.assertEqual(json.loads(answer.body)["message"], "Success")
        for request in hozz.requests(others):
            watch.accept(request, second, "raw")
        self.settle()
        self.await_figures([one for one in person.samples if one.kind == "steps"] + others, only=("steps",))
        watch.accept(step_app.delete(), first, "path")
        self.settle()
        self.await_figures(others, only=("steps",))

    def test_a_device_does_not_delete_samples_of_another_device(self):
        person = Person(35, days=1)
        owner, stranger = self.pair("owner"), self.pair("stranger")
        watch = self.watch()
        for request in hozz.requests(person.samples):
            watch.accept(request, owner, "raw")
        watch.accept(hozz.deletions(person.samples[:10], 1), stranger, "raw")
        self.settle()
        self.await_figures(person.samples)


class Corrections(InboxTest):
    def setUp(self):
        super().setUp()
        self.prefer(ANDROID)
        self.person = Person(41, sources=ANDROID, days=1)
        self.step = next(one for one in self.person.samples if one.kind == "steps" and one.source == ANDROID.phone)
        self.corrected = dataclasses.replace(self.step, value=self.step.value + 500, end=self.step.end - 10_000)
        self.final = [self.corrected if one == self.step else one for one in self.person.samples]

    def test_a_record_with_a_known_uuid_replaces_the_former_one(self):
        sender = LifeDashboard()
        first, second = sender.sync([self.step]), sender.sync([self.corrected])
        for data, requests in {"in order": (first, second), "late": (second, first), "again": (first, second, first)}.items():
            with self.subTest(data):
                token, watch = self.pair(data=data), self.watch(data=data)
                for request in requests:
                    watch.accept(request, token)
                self.settle(data)
                self.await_figures([self.corrected], data=data)
                watch.kill()

    def test_a_late_payload_does_not_restore_a_deleted_record(self):
        sender = LifeDashboard()
        addition, deletion = sender.sync([self.step]), sender.sync([], [self.step])
        rest = sender.sync([one for one in self.person.samples if one != self.step])
        token, watch = self.pair(), self.watch()
        for request in (deletion, rest, addition, addition):
            watch.accept(request, token)
        self.settle()
        self.await_figures([one for one in self.person.samples if one != self.step])

    def test_hcgateway_updates_a_record(self):
        token, watch = self.pair(), self.watch()
        for request in (*hcgateway.requests(self.person.samples), *hcgateway.requests([self.corrected], modified=self.step.end + HOUR)):
            watch.accept(request, token)
        self.settle()
        self.await_figures(self.final)
        # A payload that was delayed does not undo the correction.
        for request in hcgateway.requests([self.step]):
            watch.accept(request, token)
        self.settle()
        self.await_figures(self.final)

    def test_an_edited_night_has_the_stages_of_its_latest_payload(self):
        """The app removed stages of a session and moved others; the payload before it arrives late and again."""
        night = [one for one in self.person.samples if one.kind == "sleep" and one.value != "asleep"]
        edited = [dataclasses.replace(one, end=one.end - 5 * MINUTE) for one in night[1:-1:2]]
        sender = LifeDashboard()
        pairs = {"companion": (sender.sync(night), sender.sync(edited))}
        gateway = [hcgateway.requests(night)[0], hcgateway.requests(edited, modified=night[-1].end + HOUR)[0]]
        for app, (first, second) in {**pairs, "gateway": gateway}.items():
            for number, requests in enumerate(((first, second), (second, first), (first, second, first))):
                with self.subTest(app, number=number):
                    data = f"{app}{number}"
                    token, watch = self.pair(data=data), self.watch(data=data)
                    for request in requests:
                        watch.accept(request, token)
                    self.settle(data)
                    self.await_figures(edited, data=data)
                    watch.kill()

    def test_a_record_that_is_written_again_counts(self):
        """Health Connect gives a record that an app deletes and writes again the same identifier."""
        sender = LifeDashboard()
        requests = [sender.sync([self.step]), sender.sync([], [self.step]), sender.sync([self.corrected])]
        for number, order in enumerate(itertools.permutations(requests)):
            with self.subTest(number):
                token, watch = self.pair(data=f"{number}"), self.watch(data=f"{number}")
                for request in order:
                    watch.accept(request, token)
                self.settle(f"{number}")
                self.await_figures([self.corrected], data=f"{number}")
                watch.kill()


class Windows(InboxTest):
    def setUp(self):
        super().setUp()
        self.prefer(ANDROID)
        self.person = Person(51, sources=ANDROID, days=2)
        self.sender = LifeDashboard()
        self.first = self.person.midnight(self.person.days[0]) - DAY // 2
        self.middle, self.end = self.boundary(self.first + DAY + DAY // 4), self.first + 3 * DAY
        self.gone = one_of_each(self.person.samples)
        self.kept = [one for one in self.person.samples if one not in self.gone]
        self.token, self.running = self.pair(), self.watch()

    def boundary(self, at):
        """Returns the first instant from `at` on that no record crosses."""
        records = {}
        for one in self.person.samples:
            records.setdefault(one.record, []).append(one)
        spans = [(min(one.start for one in own), max(one.end for one in own)) for own in records.values()]
        while crossing := [end for start, end in spans if start < at <= end]:
            at = max(crossing) + 1
        return at

    def send(self, requests, samples, **options):
        for request in requests:
            self.running.accept(request, self.token)
        self.settle()
        self.await_figures(samples, **options)

    def test_a_complete_window_deletes_what_it_lacks(self):
        self.send(self.sender.syncs(self.person.samples), self.person.samples)
        self.send(self.sender.backfill(self.kept, self.first, self.middle), self.kept)

    def test_a_window_in_parts_counts_as_a_whole(self):
        """The parts are imported together, and each on its own."""
        self.send(self.sender.syncs(self.person.samples), self.person.samples)
        self.send(self.sender.backfill(self.kept, self.first, self.end, limit=25), self.kept)
        self.send(self.sender.syncs(self.gone), self.person.samples)
        for part in self.sender.backfill(self.kept, self.first, self.end, limit=25):
            self.running.accept(part, self.token)
            self.settle()
        self.await_figures(self.kept)

    def test_an_incomplete_window_deletes_nothing(self):
        self.send(self.sender.syncs(self.person.samples), self.person.samples)
        parts = self.sender.backfill(self.kept, self.first, self.end, limit=25)
        self.send(parts[:-1], self.person.samples)

    def parts_of_dense_types(self):
        """Returns what a window lacks of the types that need several parts, and its parts. A type that is complete in the first
        part does not depend on a later one."""
        dense = [one for one in self.gone if one.kind in ("steps", "distance", "energy", "heartRate")]
        kept = [one for one in self.person.samples if one not in dense]
        parts = self.sender.backfill(kept, self.first, self.end, limit=20)
        names = ("steps", "distance", "active_calories", "heart_rate")
        self.assertTrue(all(json.loads(parts[1].body).get(name) for name in names))
        self.assertGreater(len(parts), 2)
        return kept, parts

    def test_a_window_with_a_lost_part_deletes_nothing(self):
        self.send(self.sender.syncs(self.person.samples), self.person.samples)
        _, parts = self.parts_of_dense_types()
        self.send([*parts[:1], *parts[2:]], self.person.samples)

    def test_a_window_with_a_lost_part_counts_when_the_part_arrives(self):
        self.send(self.sender.syncs(self.person.samples), self.person.samples)
        kept, parts = self.parts_of_dense_types()
        self.send([*parts[:1], *parts[2:]], self.person.samples)
        self.send(parts[1:2], kept)

    def test_a_late_window_leaves_what_a_newer_sync_added(self):
        """The window was made before the samples were recorded, and is delivered after them."""
        window = self.sender.backfill(self.kept, self.first, self.end, limit=25)
        self.send([*self.sender.syncs(self.gone), *window], self.person.samples)
        self.send(window, self.person.samples)

    def test_a_late_sync_does_not_restore_what_a_newer_window_lacked(self):
        syncs = self.sender.syncs(self.person.samples)
        self.send([*self.sender.backfill(self.kept, self.first, self.end, limit=25), *syncs], self.kept)

    def test_an_empty_complete_window_deletes_everything_in_it(self):
        self.send(self.sender.syncs(self.person.samples), self.person.samples)
        rest = [one for one in self.person.samples if one.start >= self.middle]
        self.assertTrue(0 < len(rest) < len(self.person.samples))
        self.send(self.sender.backfill([], self.first, self.middle), rest)

    def test_a_window_leaves_samples_of_other_devices_alone(self):
        second = self.pair("second")
        night = self.person.midnight(self.person.days[0]) + 3 * HOUR
        foreign = [dataclasses.replace(one, source=ANDROID.phone, start=night + number * MINUTE,
                                       end=night + number * MINUTE + 30_000, uuid=other(one), record=other(one))
                   for number, one in enumerate(self.person.samples[:40]) if one.kind == "steps"]
        self.assertTrue(foreign)
        self.running.accept(LifeDashboard().sync(foreign), second)
        self.settle()
        self.send(self.sender.syncs(self.kept), [*self.kept, *foreign])
        self.send(self.sender.backfill([], self.first, self.middle),
                  [one for one in self.kept if one.start >= self.middle] + foreign)


class Sequences(InboxTest):
    def missing(self):
        """Returns whether `status` reports deliveries that are missing."""
        return "missing" in self.succeed("status", "--data-dir", "data").stdout

    def check(self, requests, token, place):
        watch = self.watch()
        for number, request in enumerate(requests):
            if number != 2:
                watch.accept(request, token, place)
        self.settle()
        eventually(lambda: self.assertTrue(self.missing()))
        watch.accept(requests[2], token, place)
        self.settle()
        eventually(lambda: self.assertFalse(self.missing()))

    def test_a_missing_batch_of_hozz_is_reported_until_it_arrives(self):
        self.check(hozz.requests(Person(61, days=1).samples, size=25), self.pair(), "raw")

    def test_a_missing_payload_of_life_dashboard_is_reported_until_it_arrives(self):
        self.check(LifeDashboard().syncs(Person(62, sources=ANDROID, days=1).samples, size=30), self.pair(), "bearer")


if __name__ == "__main__":
    unittest.main()
