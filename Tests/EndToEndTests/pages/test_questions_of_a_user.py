"""What a new user asks about ten years of data and its delivery, each answered with at most three clicks from the start page and
by one command. The answers are those that were planted in an export written in Python."""

import datetime
import json
import re
import sqlite3
import time
import unittest
import zoneinfo
from contextlib import closing

from support.browser import MISSING, Browser, By
from support.harness import PATIENCE, Dashboard, Peer, ProgramTest, Server, reserve_port
from support.planted_years import FALL, GAIN, HIKE, PARIS, PlantedYears

MOST_CLICKS = 3
SPEEDCROSS, PEGASUS = "Salomon Speedcross", "Nike Pegasus"
REASON = "quantity too large"
DEAD = re.compile(r"[Cc]ould.* connect to server")


def length(minutes):
    """Returns minutes as `7 h 28 min`."""
    hours, rest = divmod(round(minutes), 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"


class Visit:
    """A visit that begins at a start page, and counts the links and buttons that are pressed."""

    def __init__(self, browser, address):
        self.browser, self.test, self.clicks = browser, browser.test, 0
        if address:
            browser.visit(address + "/", audit=False)

    def click(self, *names):
        for name in names:
            self.clicks += 1
            self.test.assertLessEqual(self.clicks, MOST_CLICKS, name)
            found = [
                one for one in self.browser.driver.find_elements(By.CSS_SELECTOR, "a[href], button")
                if name in (one.text, one.get_attribute("aria-label"))]
            self.test.assertTrue(found, f"{name} is not on {self.browser.driver.current_url}")
            self.browser.leave(found[0].click)
            self.browser.check(audit=False)
        return self

    def section(self, identity):
        found = [section for section in self.browser.sections() if section["id"] == identity]
        self.test.assertEqual(len(found), 1, identity)
        return found[0]


class UserTest(ProgramTest):
    def setUp(self):
        super().setUp()
        # Yesterday is complete.
        self.today = datetime.datetime.now(PARIS).date()
        self.plan = PlantedYears(self.today - datetime.timedelta(1))
        self.words = ("--zone", PARIS.key, "--data-dir", "data", "--config", "config.json")
        # A command waits for the run that a page began.
        (self.folder / "config.json").write_text(json.dumps({"limits": {"lockWaitSeconds": PATIENCE}}))

    def text(self, *words, status=0):
        result = self.run_program(*words, *self.words)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout

    def dashboard(self, *words):
        return Dashboard(self, *self.words, *words).url


@unittest.skipIf(MISSING, MISSING)
class Figures(UserTest):
    def test_figures(self):
        self.plan.write(self.folder / "export.zip")
        self.text("historical", "--source", "export.zip")
        self.address, self.browser = self.dashboard(), Browser(self)
        # `--by year` shows ten calendar years.
        self.years = datetime.date(self.today.year - 9, 1, 1)
        self.sleep_of_this_month_and_the_last()
        self.when_most_is_walked()
        self.whether_the_resting_rate_falls()
        self.which_shoes_and_swapped_hours()

    def visit(self, *names):
        return Visit(self.browser, self.address).click(*names)

    def sleep_of_this_month_and_the_last(self):
        months = (self.plan.last, self.plan.month_before())
        now, before = (self.plan.sleep_of(day.year, day.month)[0] for day in months)
        self.assertEqual(now - before, GAIN)
        names = [f"{day:%b %Y}" for day in months]
        self.visit("Sleep", "Months")
        self.assertEqual(
            self.browser.text("#comparison"),
            f"{names[0]}: {length(now)} a night, {GAIN} min longer than in {names[1]} ({length(before)}).")
        for found, planted in zip(self.browser.data("#comparison"), (now, GAIN, before), strict=True):
            self.assertAlmostEqual(found, planted, delta=0.001)
        answer = f"{months[0]:%Y-%m}: {length(now)} a night, {GAIN} min more than in {months[1]:%Y-%m}\n"
        self.assertIn(answer, self.text("sleep", "--by", "month"))
        # Later the data end in a month before the current one.
        later = self.plan.last + datetime.timedelta(70)
        self.assertIn(answer, self.text("sleep", "--by", "month", "--to", later))
        # A month that begins before the selected days would be compared by a few of its nights.
        cut = months[1].replace(day=3)
        self.assertIn(f"{months[1]:%Y-%m} is not compared", self.text("sleep", "--by", "month", "--from", cut))

    def when_most_is_walked(self):
        best = self.plan.best_day()
        self.assertEqual((best, self.plan.total(best)), (self.plan.hike, sum(HIKE.values())))
        visit = self.visit("Steps")
        highest = visit.section("records")["facts"]["Highest day"]
        self.assertEqual((highest["values"], highest["times"]), ([self.plan.total(best)], [str(best)]))
        year = self.plan.last - datetime.timedelta(364)
        (weekday, of_weekday), (hour, of_hour) = self.plan.best_weekday(year), self.plan.best_hour(year)
        self.assertEqual((weekday, hour), ("Saturday", 17))
        habits = visit.section("habits")["facts"]
        self.assertEqual(list(habits), ["Saturday", "17:00 to 18:00"])
        self.assertAlmostEqual(habits["Saturday"]["values"][0], of_weekday, delta=0.001)
        self.assertAlmostEqual(habits["17:00 to 18:00"]["values"][0], of_hour, delta=0.001)
        self.assertIn("No change", self.browser.text("#slope"), "no trend was planted in steps")
        (weekday, of_weekday), (hour, of_hour) = self.plan.best_weekday(self.years), self.plan.best_hour(self.years)
        text = self.text("steps", "--by", "year")
        self.assertRegex(text, rf"\nmost +{self.plan.total(best):,} on {best:%a} {best}\n")
        self.assertRegex(text, rf"\nbest weekday +{weekday}, {of_weekday:,.0f} a day\n")
        self.assertRegex(text, rf"\nbest hour +{hour}:00 to {hour + 1}:00, {of_hour:,.0f} a day\n")

    def whether_the_resting_rate_falls(self):
        self.visit("Heart rate")
        slope = self.plan.slope(self.plan.first)
        self.assertAlmostEqual(slope, -FALL, delta=0.01)
        self.assertIn("Falls by", self.browser.text("#slope"))
        self.assertAlmostEqual(self.browser.data("#slope")[0], -slope, delta=0.001)
        self.assertIn(
            f"resting heart rate: falling by {-self.plan.slope(self.years):.1f}/min a year\n", self.text("heart", "--by", "year"))
        self.assertIn("falling or rising", " ".join(self.text("help", "heart").split()))

    def worn(self, text):
        """Returns the shoes in a journal of the terminal by hour."""
        return {int(hour): shoe for hour, shoe in re.findall(r"(?m)^(\d+) +[\d,]+ +[\d.]+  (\S.*)$", text)}

    def which_shoes_and_swapped_hours(self):
        day = self.plan.hike
        for name in (SPEEDCROSS, PEGASUS):
            self.text("shoes", "add", *name.split())
        self.text("shoes", "assign", "speedcross", "--day", day, "--hours", "10-11")
        self.text("shoes", "assign", "pegasus", "--day", day, "--hours", "13-15")
        planted = {hour: SPEEDCROSS if hour < 12 else PEGASUS for hour in HIKE}
        self.assertEqual(self.worn(self.text("journal", day)), planted)
        visit = self.visit("Journal")
        self.browser.fill(day=str(day))
        visit.click("Show")
        self.shoes_on_the_page(visit, planted)
        for hour in (10, 11):
            self.browser.tick(f"hour-{hour}")
        self.browser.choose("shoe", PEGASUS)
        # The change is counted from the page that answered the question; the page shows first what the other pair would lose.
        Visit(self.browser, None).click("Assign selected hours", "Assign anyway")
        self.shoes_on_the_page(visit, swapped := dict.fromkeys(HIKE, PEGASUS))
        self.assertEqual(self.worn(self.text("journal", day)), swapped)
        self.text("shoes", "assign", "speedcross", "--day", day, "--hours", "10-11")
        self.assertEqual(self.worn(self.text("journal", day)), planted)

    def shoes_on_the_page(self, visit, worn):
        rows = visit.section("hours")["tables"][0]["rows"]
        shown = {int(re.search(r"\d+", row[0]["text"])[0]): (row[1]["values"], row[3]["text"].strip()) for row in rows}
        self.assertEqual(shown, {hour: ([steps], worn[hour]) for hour, steps in HIKE.items()})
        totals = {row[0]["text"].strip(): row[1]["values"][0] for row in visit.section("totals")["tables"][0]["rows"]}
        for name in set(worn.values()):
            self.assertEqual(totals[name], sum(steps for hour, steps in HIKE.items() if worn[hour] == name))


@unittest.skipIf(MISSING, MISSING)
class Delivery(UserTest):
    def setUp(self):
        super().setUp()
        self.first = self.plan.month_before().replace(day=1)
        self.plan.write(self.folder / "export.zip", self.first)

    def wait_for(self, read, wanted):
        """Reads until the result is `wanted`, for at most two minutes."""
        end = time.monotonic() + PATIENCE
        while (found := read()) != wanted and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual(found, wanted)

    def test_did_everything_arrive(self):
        server = Server(self)
        self.succeed("token", "create", "--name", "laptop", "--out", "token", "--data-dir", server.data)
        delivery = ("--server", server.url, "--token-file", "token")
        self.text("historical", "--source", "export.zip", *delivery)
        samples = sum(1 for day in self.plan.since(self.first) for _ in self.plan.step_rows(day))
        with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as connection:
            records = connection.execute(
                "SELECT count(*) FROM records WHERE NOT is_deleted AND id NOT LIKE '%/hour/%'").fetchone()[0]
        verdict = f"all {records:,} records and {samples:,} samples verified"
        address, browser = self.dashboard(*delivery), Browser(self)
        Visit(browser, address).click("Sync", "Verify")
        self.wait_for(lambda: self.json_of("status", *self.words, *delivery)["verification"]["verdict"], "equal")
        visit = Visit(browser, address).click("Sync")
        self.assertIn(verdict, browser.text("#verification").lower())
        self.assertEqual(visit.section("server")["facts"]["Items waiting"]["values"], [0])
        self.assertRegex(self.text("verify", *delivery), rf"equal, {verdict}\n")
        self.assertRegex(self.text("status", *delivery), rf"\nverified +{verdict} ")

    def rejected_hour(self, day):
        """Returns the id of the hour from 17:00 on, whose steps were planted."""
        start = datetime.datetime.combine(day, datetime.time(17), PARIS).astimezone(zoneinfo.ZoneInfo("UTC"))
        return f"steps/hour/{day}/{start:%Y-%m-%dT%H:%M:%SZ}"

    def test_what_failed_why_and_again(self):
        peer = Peer(self)
        days = [self.first + datetime.timedelta(number) for number in (4, 9)]
        ids = [self.rejected_hour(day) for day in days]
        reject = [{"match": "POST *", "do": "reject_ids", "ids": ids, "reason": REASON, "times": None}]
        stored = lambda: sorted(set(peer.state()["records"]["progress"]) & {identity.lower() for identity in ids})
        peer.script(reject)
        self.text("historical", "--source", "export.zip", "--server", peer.url, status=3)
        listed = self.text("outbox", "list", "--server", peer.url)
        found = re.findall(rf"rejected +progress +steps/(\d{{4}}-\d\d-\d\d) .*{REASON}", listed)
        self.assertEqual(found, [str(day) for day in days])
        address, browser = self.dashboard("--server", peer.url), Browser(self)
        visit = Visit(browser, address).click("Sync")
        self.assertIn("2 items rejected", browser.text("#verdict"))
        self.assertIn(REASON, browser.text("#verdict"))
        self.assertNotIn("deliveryIncomplete", browser.text("#runs"), "names of the code are not for users")
        self.assertEqual(stored(), [])
        # Sent again, one by the page and, after another rejection, one by the command.
        peer.script([{**reject[0], "ids": ids[1:]}])
        visit.click("Send all again")
        left = lambda: [item["lastReason"] for item in self.json_of("outbox", "list", *self.words)["items"]]
        self.wait_for(stored, [ids[0].lower()])
        self.wait_for(lambda: len(left()), 1)
        self.wait_for(lambda: self.json_of("status", *self.words)["outbox"]["dead"], 1)
        peer.script([])
        self.assertIn("1 record delivered", self.text("outbox", "retry", "--all", "--server", peer.url))
        self.assertEqual(stored(), sorted(identity.lower() for identity in ids))
        self.assertEqual(self.text("outbox", "list", "--server", peer.url), "the outbox is empty\n")

    def test_a_dead_server(self):
        delivery = ("--server", f"http://127.0.0.1:{reserve_port(self.addCleanup)}")
        self.text("historical", "--source", "export.zip", "--no-push", *delivery)
        self.text("push", "--deadline", "1", *delivery, status=3)
        waiting = self.json_of("status", *self.words, *delivery)["outbox"]["pending"]
        line = next(line for line in self.text("status", *delivery).splitlines() if line.startswith("delivery"))
        self.assertIn(f"{waiting} items waiting", line)
        self.assertRegex(line, DEAD)
        browser = Browser(self)
        Visit(browser, self.dashboard(*delivery)).click("Sync")
        self.assertIn(f"{waiting} items waiting", browser.text("#verdict"))
        self.assertRegex(browser.text("#verdict"), DEAD)

    def test_a_named_token_is_revoked(self):
        server = Server(self)
        names = ("owner", "old phone", "laptop")
        tokens = {
            name: self.json_of(
                "token", "create", "--data-dir", server.data, "--name", name,
                "--scope", "ingest,read" + (",admin" if name == "owner" else ""))["token"] for name in names}
        status = lambda name: server.request("GET", "/steps", headers={"Authorization": f"Bearer {tokens[name]}"})[0]
        self.assertEqual([status(name) for name in names], [200, 200, 200])
        browser = Browser(self)
        browser.visit(server.url + "/", audit=False)
        browser.driver.find_element(By.ID, "token").send_keys(tokens["owner"])
        browser.press("Log in", audit=False)
        Visit(browser, None).click("Tokens", "Revoke old phone", "Revoke the token")
        self.wait_for(lambda: status("old phone"), 401)
        self.assertIn("--name laptop", self.succeed("help", "token", "create").stdout)
        self.succeed("token", "revoke", "laptop", "--data-dir", server.data)
        self.wait_for(lambda: status("laptop"), 401)
        self.assertEqual(status("owner"), 200)


if __name__ == "__main__":
    unittest.main()
