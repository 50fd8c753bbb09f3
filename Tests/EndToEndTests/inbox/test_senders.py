"""Each sender, unmodified, ends in the figures that Python computes from the same samples; in any order, and repeated."""

import collections
import random
import unittest

from senders import hc_webhook, hcgateway, hozz, open_wearables, shortcuts, step_app
from senders.health_auto_export import HealthAutoExport
from senders.life_dashboard import LifeDashboard
from senders.neutral import ANDROID, APPLE, Person, to_seconds
from support.watch import ZONE, InboxTest, compressed, eventually

Row = collections.namedtuple("Row", "name app sources samples sent place only requests")
SUMS = ("steps", "kilometres", "kilocalories", "heartRate", "restingHeartRate")


def row(name, app, requests, sources=APPLE, samples=lambda all: all, sent=lambda all: all, place="bearer", only=None):
    """A row of the table: `samples` selects what is sent, `sent` how precisely the app states it."""
    return Row(name, app, sources, samples, sent, place, only, requests)


def watch_only(samples):
    return [one for one in samples if one.source in (APPLE.watch, ANDROID.watch)]


def few(samples):
    return [one for one in watch_only(samples) if one.kind != "sleep"][:40]


def automations(**options):
    return lambda person, samples: HealthAutoExport(person.sources, ZONE, **options).requests(
        samples, person.days, person.midnight)


SENDERS = [
    row("Health Auto Export", "health-auto-export", automations(), sent=to_seconds, place="X-API-Key"),
    row("Health Auto Export in kJ and miles", "health-auto-export", automations(kilojoules=True), sent=to_seconds,
        place="api-key"),
    row("Health Auto Export with a 12-hour clock", "health-auto-export", automations(twelve_hours="upper"), sent=to_seconds),
    row("Health Auto Export with am and pm", "health-auto-export", automations(twelve_hours="lower"), sent=to_seconds),
    row("Hozz", "hozz", lambda person, samples: hozz.requests(
        samples, withdrawn=Person(99).samples[:25], order=random.Random(1)), place="raw"),
    row("Open Wearables on iOS", "open-wearables", lambda person, samples: open_wearables.requests(samples, limit=150),
        sent=to_seconds, place="raw"),
    row("Open Wearables on Android", "open-wearables", lambda person, samples: open_wearables.requests(
        samples, apple=False, limit=150), sources=ANDROID, place="X-Open-Wearables-API-Key"),
    row("HC Webhook", "hc-webhook", lambda person, samples: hc_webhook.requests(samples), sources=ANDROID),
    row("HC Webhook with names of stages, without metadata", "hc-webhook", lambda person, samples: hc_webhook.requests(
        samples, with_metadata=False, stages=hc_webhook.NAMES), sources=ANDROID, samples=watch_only, place="path"),
    row("Life Dashboard Companion", "life-dashboard", lambda person, samples: LifeDashboard().syncs(samples), sources=ANDROID),
    row("HCGateway", "hcgateway", lambda person, samples: hcgateway.requests(samples), sources=ANDROID),
    row("Shortcuts, plain lines", "shortcuts", lambda person, samples: [shortcuts.plain(samples, ZONE)], samples=watch_only,
        sent=to_seconds, place="X-API-Key", only=SUMS),
    row("Shortcuts, JSON Lines", "shortcuts", lambda person, samples: [shortcuts.json_lines(samples, ZONE)], sent=to_seconds,
        only=SUMS),
    row("Shortcuts, form fields", "shortcuts", lambda person, samples: shortcuts.form(samples, ZONE), samples=few,
        sent=to_seconds, only=SUMS),
    row("the step app", "steps", lambda person, samples: step_app.requests(samples, size=15), place="path", only=("steps",)),
]


class Senders(InboxTest):
    def setUp(self):
        super().setUp()
        self.number = 0

    def replay(self, sender, arrange, seed):
        """Sends the requests as `arrange` orders them; checks the figures of a fresh store."""
        self.number += 1
        data, person = f"data{self.number}", Person(seed, sources=sender.sources)
        self.prefer(sender.sources)
        samples = sender.samples(person.samples)
        token = self.pair("phone", data=data)
        watch = self.watch(data=data)
        for request in arrange(sender.requests(person, samples)):
            watch.accept(request, token, sender.place)
        self.settle(data)
        self.await_figures(sender.sent(samples), data=data, only=sender.only)
        self.assertEqual(watch.terminate(), 0, "".join(watch.errors)[-2000:])
        self.assert_figures(sender.sent(samples), data=data, only=sender.only)

    def each(self, arrange, seed):
        for sender in SENDERS:
            with self.subTest(sender.name):
                self.replay(sender, arrange, seed)

    def test_requests_in_order(self):
        self.each(lambda requests: requests, 11)

    def test_requests_repeated(self):
        self.each(lambda requests: [again for one in requests for again in (one, one)] + requests, 12)

    def test_requests_in_random_order_partly_repeated(self):
        chance = random.Random(13)

        def arrange(requests):
            requests = requests + chance.sample(requests, len(requests) // 2)
            chance.shuffle(requests)
            return requests
        self.each(arrange, 13)

    def test_requests_with_gzip_bodies(self):
        self.each(lambda requests: map(compressed, requests), 14)


class Shapes(InboxTest):
    """Shapes of one app that differ from its usual ones."""

    def test_aggregated_nights_of_health_auto_export(self):
        person = Person(21, days=2)
        sender = HealthAutoExport(APPLE, ZONE)
        nights = [one for one in person.samples if one.kind == "sleep" and one.value != "asleep"]
        watch, token = self.watch(), self.pair()
        for _ in range(2):
            watch.accept(sender.post({"metrics": [sender.nights(nights)]}), token)
        self.settle()
        eventually(lambda: self.check_nights(nights, ("totalSleep", "core", "deep", "rem", "awake", "timeInBed")))

    def check_nights(self, samples, names, data="data"):
        for day, expected in self.expected(to_seconds(samples)).items():
            found = self.found([day], data)[day]["sleep"]["main"]
            for name in names:
                self.assertAlmostEqual(found[name], expected["sleep"]["main"][name], delta=0.1, msg=f"{day} {name}")

    def test_aggregated_nights_of_the_older_form(self):
        nights = [one for one in Person(25, days=2).samples if one.kind == "sleep" and one.value != "asleep"]
        sender, watch, token = HealthAutoExport(APPLE, ZONE), self.watch(), self.pair()
        watch.accept(sender.post({"metrics": [sender.nights(nights, older=True)]}), token)
        self.settle()
        eventually(lambda: self.check_nights(nights, ("totalSleep", "timeInBed")))

    def test_parts_of_a_split_batch_of_hozz_all_count(self):
        """The parts share the id and the sequence of their batch: a receiver that recognizes repetitions by these loses data."""
        person = Person(26, days=1)
        watch, token = self.watch(), self.pair()
        for request in hozz.requests(person.samples, size=10_000):
            for part in hozz.split(request, 5) * 2:
                watch.accept(part, token, "raw")
        self.settle()
        self.await_figures(person.samples)

    def test_series_by_the_hour_of_life_dashboard(self):
        self.prefer(ANDROID)
        steps = [one for one in watch_only(Person(27, sources=ANDROID, days=2).samples) if one.kind == "steps"]
        watch, token = self.watch(), self.pair()
        request = LifeDashboard().hours(steps)
        for _ in range(2):
            watch.accept(request, token)
        self.settle()
        self.await_figures(steps, only=("steps",))

    def test_csv_posts_of_health_auto_export(self):
        """The app sends CSV as a file in a form; its dates are local times without an offset."""
        person = Person(22, days=2)
        watch, token = self.watch(), self.pair()
        for _ in range(2):
            watch.accept(HealthAutoExport(APPLE, ZONE).csv(person.samples), token)
        self.settle()
        self.await_figures(person.samples, only=("steps",))

    def test_workouts_alone_and_empty_posts_change_nothing(self):
        person = Person(23, days=1)
        sender = HealthAutoExport(APPLE, ZONE)
        watch, token = self.watch(), self.pair()
        posts = [sender.post({"workouts": sender.workouts(person.samples)}), sender.post({}),
                 sender.post({"metrics": sender.metrics(person.samples)}), sender.post({"metrics": [], "workouts": []})]
        for post in posts:
            watch.accept(post, token)
        self.settle()
        self.await_figures(to_seconds(person.samples))

    def test_invented_data_of_a_test_button_do_not_count(self):
        self.prefer(ANDROID)
        person = Person(28, sources=ANDROID, days=1)
        watch, token = self.watch(), self.pair()
        watch.accept(hc_webhook.test_button(person.samples[-1].end), token)
        for request in hc_webhook.requests(person.samples):
            watch.accept(request, token)
        self.settle()
        self.await_figures(person.samples)

    def test_a_connection_test_and_a_log_change_nothing(self):
        person = Person(24, days=1)
        watch, token = self.watch(), self.pair()
        watch.accept(hozz.connection_test(), token, "raw")
        watch.accept(open_wearables.log(), token, "raw")
        for request in hozz.requests(person.samples, first=1):
            watch.accept(request, token, "raw")
        self.settle()
        self.await_figures(person.samples)


if __name__ == "__main__":
    unittest.main()
