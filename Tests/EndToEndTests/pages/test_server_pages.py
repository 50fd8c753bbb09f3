"""The pages of `serve` in a browser: delivered records behind a login, raw samples, and tokens."""

import collections
import datetime
import json
import os
import re
import subprocess
import time
import unittest
import uuid
import zoneinfo

from support.browser import MISSING, Browser, By
from support.harness import PATIENCE, ProgramTest, Server
from support.times import instant

PAGES = ["/"] + [f"/view/{page}" for page in (
    "sleep?last=1d", "sleep?last=3mo", "steps?by=hour", "steps?by=month", "heart?by=hour", "heart?by=year",
    "metrics", "metric?name=activeEnergy&by=day", "metric?name=restingHeartRate&by=month", "synced-steps", "tokens")]


def samples(number, device):
    return [
        {"uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{device}{index}")), "startDate": f"2025-12-31T{7 + index // 60:02}:{index % 60:02}:00Z",
         "endDate": f"2025-12-31T{7 + index // 60:02}:{index % 60:02}:30Z", "count": index, "sourceBundleId": "com.apple.health",
         "sourceDeviceName": device}
        for index in range(number)
    ]


def named(device):
    """Returns name and hardware of HealthKit's description of a device, or another name unchanged."""
    parts = dict(re.findall(r"(name|hardware):(.*?)(?=, (?:manufacturer|model|hardware|software):|$)", device or ""))
    return " · ".join(parts[label] for label in ("name", "hardware") if label in parts) or device


def short(name):
    """Returns a name as in the list of samples, cut after 60 characters; above the list, names are complete."""
    return name if len(name) <= 60 else name[:60] + "…"


@unittest.skipIf(MISSING, MISSING)
class ServerPages(ProgramTest):
    def fill(self):
        export, truth = self.generate("export.zip", "--years", "1", "--seed", "42", "--zone", "Europe/Paris")
        self.configuration = self.configuration_for(truth)
        self.server = Server(self, "--config", self.configuration)
        self.token = self.server.token("ingest", "read", "admin")
        self.other = self.server.token("read", user="ben")
        path = self.folder / "token"
        path.write_text(self.token)
        path.chmod(0o600)
        self.succeed("historical", "--config", self.configuration, "--source", export, "--data-dir", "data",
                     "--server", self.server.url, "--token-file", path)
        for device, number in (("Anna’s Watch", 250), ("<b>phone</b>", 30)):
            status, _, _ = self.server.request(
                "POST", "/steps", {"samples": samples(number, device)}, {"Authorization": f"Bearer {self.token}"})
            self.assertEqual(status, 200)

    def log_in(self, token, **options):
        browser = Browser(self, **options)
        browser.visit(self.server.url + "/")
        self.assertTrue(browser.driver.current_url.endswith("/login"))
        browser.driver.find_element(By.ID, "token").send_keys(token)
        browser.press("Log in")
        return browser

    def test_pages_of_received_records(self):
        self.fill()
        browser = self.log_in(self.token)
        for page in PAGES:
            with self.subTest(page):
                browser.look()
                browser.visit(self.server.url + page)
                browser.look(width=360, dark=True)
                browser.audit()
                browser.screenshot("serve-" + (page.strip("/").replace("view/", "").replace("?", "-") or "summary"))
        browser.look()
        for day in ("2025-12-31", "2025-12-30"):
            self.synced_steps(browser, day)
        self.compare_tokens(browser)
        stranger = self.log_in(self.other)
        for page, words in (("/", "Nothing is recorded yet"), ("/view/synced-steps", "No step samples")):
            stranger.visit(self.server.url + page)
            self.assertIn(words, stranger.text("main"))

    def synced_steps(self, browser, day):
        """Checks that the pages of each device, and of all, list the samples that the API returns, ordered by start."""
        wanted, headers = collections.defaultdict(list), {"Authorization": f"Bearer {self.token}"}
        for sample in json.loads(self.server.request("GET", "/steps", headers=headers)[2])["samples"]:
            start = instant(sample["startDate"])
            if str(start.astimezone(zoneinfo.ZoneInfo("Europe/Paris")).date()) == day:
                device, app = named(sample.get("sourceDeviceName")) or sample["sourceBundleId"], sample["sourceBundleId"]
                row = start, instant(sample["endDate"]), sample["count"], short(device), short(app), sample["uuid"]
                wanted[device].append(row)
                wanted["all"].append(row)
        if day == "2025-12-31":
            self.assertEqual([len(wanted[name]) for name in ("Anna’s Watch", "<b>phone</b>")], [250, 30])
        self.assertGreater(len(wanted["all"]), 1)
        browser.visit(f"{self.server.url}/view/synced-steps?day={day}", audit=False)
        devices = browser.sections()[0]["tables"][0]["rows"]
        self.assertEqual(
            [(row[0]["text"], row[1]["values"][0], row[2]["values"][0]) for row in devices],
            [(name, len(wanted[name]), sum(row[2] for row in wanted[name])) for name in [*sorted(set(wanted) - {"all"}), "all"]])
        for name in wanted:
            browser.leave(browser.driver.find_element(By.LINK_TEXT, name).click)
            found, pages = [], 0
            while True:
                table, ids = browser.sections()[1]["tables"]
                self.assertEqual([row[0]["times"] for row in ids["rows"]], [row[0]["times"] for row in table["rows"]])
                for row, identity in zip(table["rows"], ids["rows"]):
                    row.append(identity[1])
                found += [(instant(row[0]["times"][0]), instant(row[1]["times"][0]), row[2]["values"][0],
                           *(cell["text"] for cell in row[3:])) for row in table["rows"]]
                pages += 1
                self.assertIn(f"of {len(wanted[name])}", table["caption"])
                further = browser.driver.find_elements(By.LINK_TEXT, "Next page")
                if not further:
                    break
                browser.leave(further[0].click)
            self.assertEqual(pages, -(-len(wanted[name]) // 100))
            self.assertEqual(sorted(found), sorted(wanted[name]))
            self.assertEqual([row[:2] for row in found], sorted(row[:2] for row in found))

    def curl(self, token, *words):
        """Returns the status of a request for `/steps` with the token, sent by curl."""
        command = ["curl", "-s", "-o", os.devnull, "-w", "%{http_code}", "-H", f"Authorization: Bearer {token}", *words]
        return int(subprocess.run([*command, self.server.url + "/steps"], capture_output=True, text=True, check=True).stdout)

    def listed(self):
        return {token["id"]: token for token in self.json_of("token", "list", "--data-dir", self.server.data)["tokens"]}

    def compare_tokens(self, browser):
        """Checks that the page lists the user's own tokens like the command."""
        browser.visit(self.server.url + "/view/tokens", audit=False)
        rows = browser.sections()[0]["tables"][0]["rows"]
        minute = lambda text: instant(text).timestamp() // 60
        found = {row[0]["text"][-16:]: [row[1]["text"], row[2]["text"]] + [[minute(time) for time in cell["times"]] for cell in row[3:5]]
                 for row in rows}
        wanted = {token["id"]: [", ".join(token["scopes"]), token["state"]] + [
            [minute(token[name])] if token[name] else [] for name in ("created", "expires")]
            for token in self.listed().values() if token["user"] == "anna"}
        self.assertEqual(found, wanted)

    def test_tokens_are_created_and_revoked_in_the_browser(self):
        self.fill()
        browser = self.log_in(self.token)
        browser.visit(self.server.url + "/view/tokens")
        browser.fill(name="Anna’s <b>laptop</b>")
        browser.press("Create token")
        made = browser.text("#token")
        self.assertEqual(self.curl(made), 200)
        self.assertEqual(self.curl(made, "--json", json.dumps({"samples": samples(1, "curl")})), 200)
        self.assertEqual(self.curl(made, "--request", "DELETE"), 403)
        self.assertEqual(self.listed()[made[4:20]]["scopes"], ["ingest", "read"])
        self.assertEqual(self.listed()[made[4:20]]["name"], "Anna’s <b>laptop</b>")
        self.compare_tokens(browser)
        for page in PAGES:
            browser.visit(self.server.url + page, audit=False)
            self.assertNotIn(made[21:], browser.driver.page_source)
        for path in self.server.data.rglob("*"):
            if path.is_file():
                self.assertNotIn(made[21:].encode(), path.read_bytes(), "only its hash is stored")
        browser.visit(self.server.url + "/view/tokens")
        # The token of this login is marked.
        marked = [row.text for row in browser.driver.find_elements(By.CSS_SELECTOR, "tbody tr") if "this one" in row.text]
        self.assertEqual(len(marked), 1)
        self.assertIn(self.token[4:20], marked[0])
        browser.screenshot("wide-tokens-named")
        browser.press("Revoke Anna’s <b>laptop</b>")
        self.assertEqual(self.listed()[made[4:20]]["state"], "good", "the first press only asks")
        browser.press("Revoke the token")
        deadline = time.monotonic() + PATIENCE
        while self.curl(made) != 401:
            self.assertLess(time.monotonic(), deadline, "a revoked token is rejected")
        self.assertEqual(self.listed()[made[4:20]]["state"], "revoked")
        # A second token, valid for a day, that allows only reading.
        browser.driver.find_element(By.CSS_SELECTOR, "input[value=ingest]").click()
        browser.fill(expires=str(datetime.date.today() + datetime.timedelta(days=1)))
        browser.press("Create token")
        short = browser.text("#token")
        self.assertEqual((self.curl(short), self.curl(short, "--json", '{"samples": []}')), (200, 403))
        self.compare_tokens(browser)
        browser.press("Log out")
        browser.visit(self.server.url + "/view/steps")
        self.assertTrue(browser.driver.current_url.endswith("/login"))
        reader = self.log_in(self.other)
        reader.visit(self.server.url + "/view/tokens")
        self.assertEqual(reader.driver.find_elements(By.CSS_SELECTOR, "main form"), [])
        self.assertNotIn(made[4:20], reader.driver.page_source)


if __name__ == "__main__":
    unittest.main()
