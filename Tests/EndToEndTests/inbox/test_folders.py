"""Watched folders: a file is imported once it is complete, however it arrives."""

import os
import random
import shutil
import threading
import unittest

from inbox.export_writer import write_zip
from senders import hozz
from senders.health_auto_export import HealthAutoExport
from senders.neutral import APPLE, Person, to_seconds
from support.watch import ZONE, InboxTest


class Folders(InboxTest):
    def setUp(self):
        super().setUp()
        self.drop, self.aside = self.folder / "drop", self.folder / "aside"
        self.drop.mkdir()
        self.aside.mkdir()
        self.person = Person(111, days=2)
        self.seconds = to_seconds(self.person.samples)

    def watch_folder(self, **options):
        return self.watch("--source", self.drop, **options)

    def feed(self, days):
        """Returns the file that Health Auto Export puts into a synced folder after these days."""
        own = [one for one in self.person.samples if one.end < self.person.midnight(days[-1]) + 86_400_000
               and one.start >= self.person.midnight(days[0]) - 43_200_000]
        return self.post_of(own)

    def post_of(self, samples):
        sender = HealthAutoExport(APPLE, ZONE)
        return sender.post({"metrics": sender.metrics(samples), "workouts": []}).body

    def copy_slowly(self, source, target, parts=12):
        """Copies as a slow sync client does; the pauses are the stimulus of the test."""
        data = source.read_bytes()
        with open(target, "wb") as file:
            for number in range(parts):
                file.write(data[len(data) * number // parts:len(data) * (number + 1) // parts])
                file.flush()
                os.fsync(file.fileno())
                threading.Event().wait(0.2)

    def test_an_export_that_was_there_before(self):
        write_zip(self.drop / "export.zip", self.person.samples)
        self.watch_folder()
        self.await_figures(self.seconds)

    def test_an_export_copied_slowly(self):
        source = write_zip(self.aside / "export.zip", self.person.samples)
        watch = self.watch_folder()
        self.copy_slowly(source, self.drop / "export.zip")
        self.await_figures(self.seconds)
        self.assertEqual([event for event in watch.events if event["event"] == "failed"], [])

    def test_an_export_renamed_into_the_folder(self):
        source = write_zip(self.aside / "export.zip", self.person.samples)
        self.watch_folder()
        os.rename(source, self.drop / "export.zip")
        self.await_figures(self.seconds)

    def test_a_truncated_archive_is_not_imported_and_its_complete_copy_is(self):
        source = write_zip(self.aside / "export.zip", self.person.samples)
        watch = self.watch_folder()
        half = source.read_bytes()[: source.stat().st_size // 2]
        (self.drop / "export.zip").write_bytes(half)
        other = [one for one in self.seconds if one.start < self.person.midnight(self.person.days[1])]
        (self.aside / "other.json").write_bytes(self.post_of(other))
        os.rename(self.aside / "other.json", self.drop / "HealthAutoExport-2024-03-01.json")
        self.await_figures(other)
        shutil.copy(source, self.drop / "export.zip")
        self.await_figures(self.seconds)
        self.assertIsNone(watch.process.poll())

    def test_a_replaced_export_is_imported_again(self):
        kept = [one for one in self.person.samples if one.kind != "steps" or random.Random(one.uuid).random() < 0.9]
        self.assertLess(len(kept), len(self.person.samples))
        write_zip(self.drop / "export.zip", self.person.samples, date="2024-04-01")
        newer = write_zip(self.aside / "newer.zip", kept, date="2024-04-08")
        self.watch_folder()
        self.await_figures(self.seconds)
        os.replace(newer, self.drop / "export.zip")
        self.await_figures(to_seconds(kept))

    def test_files_of_health_auto_export_that_grow_during_the_day(self):
        first, second = self.person.days
        self.watch_folder()
        for name, days in (("1", [first]), ("2", [first, second])):
            temporary = self.aside / name
            temporary.write_bytes(self.feed(days))
            os.replace(temporary, self.drop / f"HealthAutoExport-{first}-{second}.json")
            own = [one for one in self.seconds if one.start < self.person.midnight(days[-1]) + 86_400_000]
            if days == [first, second]:
                self.await_figures(own)

    def test_batches_of_hozz_in_a_folder(self):
        self.watch_folder()
        gone = [one for one in self.person.samples if one.kind == "steps"][:10]
        batches = hozz.requests(self.person.samples, size=40)
        batches.append(hozz.deletions(gone, len(batches) + 1))
        random.Random(112).shuffle(batches)
        for batch in batches:
            name = hozz.file_name(batch.headers["Hozz-Batch-Sequence"])
            (self.aside / name).write_bytes(batch.body)
            os.rename(self.aside / name, self.drop / name)
        self.await_figures([one for one in self.person.samples if one not in gone])

    def import_back_dated_samples(self):
        """A feed "since last sync" never sends back-dated samples; a later export contains them."""
        person = Person(113, days=4)
        steps = [one for one in person.samples if one.kind == "steps" and one.source == APPLE.watch]
        late = [one for day in person.days[1:] for one in [
            step for step in steps if person.midnight(day) <= step.start < person.midnight(day) + 86_400_000][:4]]
        self.assertEqual(len(late), 12)
        token, watch = self.pair(), self.watch_folder()
        for request in hozz.requests([one for one in steps if one not in late]):
            watch.accept(request, token, "raw")
        self.settle()
        write_zip(self.aside / "export.zip", steps)
        os.rename(self.aside / "export.zip", self.drop / "export.zip")
        self.await_figures(steps, only=("steps",))
        return token, watch, late

    def test_samples_that_the_app_never_sent_are_imported_from_a_later_export(self):
        self.import_back_dated_samples()

    def test_samples_that_the_app_never_sent_are_reported(self):
        token, watch, late = self.import_back_dated_samples()
        finding = "12 back-dated samples of 3 days were not sent by the phone app: 2024-03-02, 2024-03-03, 2024-03-04"
        self.assertIn(finding, " ".join(self.succeed("status", "--data-dir", "data").stdout.split()))
        self.assertIn(finding, " ".join(self.run_program("doctor", "--data-dir", "data").stdout.split()))
        days = [{"day": f"2024-03-0{day}", "samples": 4} for day in (2, 3, 4)]
        self.assertEqual(self.json_of("status", "--data-dir", "data")["unsentSamples"],
                         {"samples": 12, "byDay": days, "days": days})
        # The app sends some of them after all, then the others.
        for request in hozz.requests(late[:5], first=90):
            watch.accept(request, token, "raw")
        self.settle()
        self.assertEqual(self.json_of("status", "--data-dir", "data")["unsentSamples"]["samples"], 7)
        for request in hozz.requests(late[5:], first=95):
            watch.accept(request, token, "raw")
        self.settle()
        self.assertNotIn("back-dated", self.succeed("status", "--data-dir", "data").stdout)

    def test_other_files_are_left_alone(self):
        watch = self.watch_folder()
        for name, data in {"notes.txt": b"hello", ".export.zip.part": b"PK\x03\x04", "export.zip.crdownload": b"PK",
                           "picture.jpg": b"\xff\xd8"}.items():
            (self.drop / name).write_bytes(data)
        os.rename(write_zip(self.aside / "export.zip", self.person.samples), self.drop / "export.zip")
        self.await_figures(self.seconds)
        self.assertIsNone(watch.process.poll())
        self.assertEqual(sorted(path.name for path in self.drop.iterdir()),
                         [".export.zip.part", "export.zip", "export.zip.crdownload", "notes.txt", "picture.jpg"])


if __name__ == "__main__":
    unittest.main()
