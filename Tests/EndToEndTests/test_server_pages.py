"""The pages of `serve` in a browser: what a client delivered, behind a login; the raw samples; tokens."""

import collections
import datetime
import json
import unittest
import uuid
import zoneinfo

from browser import MISSING, Browser, By
from harness import ProgramTest, Server

PAGES = ["/"] + [f"/view/{page}" for page in (
    "sleep?last=1d", "sleep?last=3mo", "steps?by=hour", "steps?by=month", "heart?by=hour", "heart?by=year",
    "synced-steps", "tokens")]


def samples(number, device):
    return [
        {"uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{device}{index}")), "startDate": f"2025-12-31T{7 + index // 60:02}:{index % 60:02}:00Z",
         "endDate": f"2025-12-31T{7 + index // 60:02}:{index % 60:02}:30Z", "count": index, "sourceBundleId": "com.apple.health",
         "sourceDeviceName": device}
        for index in range(number)
    ]


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

    def command(self, *words):
        return self.json_of(*words, "--config", self.configuration, "--data-dir", "data")

    def test_pages_of_what_was_received(self):
        self.fill()
        for name, options in {"wide": {}, "phone-dark": {"width": 390, "height": 844, "dark": True}}.items():
            browser = self.log_in(self.token, **options)
            for page in PAGES:
                with self.subTest(f"{name} {page}"):
                    browser.visit(self.server.url + page)
                    browser.screenshot(f"serve-{name}-" + (page.strip("/").replace("view/", "").replace("?", "-") or "summary"))
        self.figures(browser)
        stranger = self.log_in(self.other)
        for page, words in (("/", "Nothing is recorded yet"), ("/view/synced-steps", "No step samples")):
            stranger.visit(self.server.url + page)
            self.assertIn(words, stranger.text("main"))

    def figures(self, browser):
        url = self.server.url
        summary = self.command("summary")
        browser.visit(url + "/")
        steps, rate, sleep = summary["steps"], summary["heartRate"], summary["sleep"]
        self.assertEqual(browser.data("#steps"), [steps["quantity"]])
        self.assertEqual(browser.data("#heart"), [rate["quantity"], rate["minimum"], rate["maximum"]])
        self.assertAlmostEqual(browser.data("#sleep")[0], sleep["totalSleepMinutes"])
        self.assertAlmostEqual(browser.data("#sleep")[1], sleep["sleepEfficiencyPercentage"])
        browser.visit(url + "/view/synced-steps?day=2025-12-31")
        counts = collections.defaultdict(list)
        headers = {"Authorization": f"Bearer {self.token}"}
        for sample in json.loads(self.server.request("GET", "/steps", headers=headers)[2])["samples"]:
            start = datetime.datetime.fromisoformat(sample["startDate"].replace("Z", "+00:00"))
            if start.astimezone(zoneinfo.ZoneInfo("Europe/Paris")).date() == datetime.date(2025, 12, 31):
                counts[sample["sourceDeviceName"]].append(sample["count"])
        self.assertEqual((counts["<b>phone</b>"], counts["Anna’s Watch"]), (list(range(30)), list(range(250))))
        self.assertGreater(len(counts), 2, "the client's own samples")
        *devices, number, total = browser.data("#devices")
        self.assertEqual(
            sorted(zip(devices[::2], devices[1::2])), sorted((len(each), sum(each)) for each in counts.values()))
        self.assertEqual((number, total), (sum(devices[::2]), sum(devices[1::2])))
        self.assertEqual(len(browser.data("#samples")), 100)

    def test_tokens_are_made_and_revoked_in_the_browser(self):
        self.fill()
        browser = self.log_in(self.token)
        browser.visit(self.server.url + "/view/tokens")
        browser.press("Make a token")
        made = browser.text("#token")
        headers = {"Authorization": f"Bearer {made}"}
        self.assertEqual(self.server.request("GET", "/steps", headers=headers)[0], 200)
        listed = {token["id"]: token for token in self.json_of("token", "list", "--data-dir", self.server.data)["tokens"]}
        self.assertEqual((listed[made[4:20]]["user"], listed[made[4:20]]["scopes"]), ("anna", ["ingest", "read"]))
        browser.visit(self.server.url + "/view/tokens")
        self.assertNotIn(made[21:], browser.driver.page_source)
        browser.press(f"Revoke {made[4:20]}")
        listed = {token["id"]: token for token in self.json_of("token", "list", "--data-dir", self.server.data)["tokens"]}
        self.assertEqual(listed[made[4:20]]["state"], "revoked")
        browser.press("Log out")
        browser.visit(self.server.url + "/view/steps")
        self.assertTrue(browser.driver.current_url.endswith("/login"))
        reader = self.log_in(self.other)
        reader.visit(self.server.url + "/view/tokens")
        self.assertEqual(reader.driver.find_elements(By.CSS_SELECTOR, "main form"), [])
        self.assertNotIn(made[4:20], reader.driver.page_source)


if __name__ == "__main__":
    unittest.main()
