"""The first import in the browser: a dashboard without data leads to it, the file may be dropped, and the figures are right.

The expected figures are calculated by Python.
"""

import http.client
import json
import os
import signal
import sqlite3
import stat
import time
import unittest
from contextlib import closing

from program.test_first_import import export
from support.browser import MISSING, Browser, By
from support.harness import PATIENCE, Dashboard, ProgramTest
from support.page_forms import Forms, Site
from support.watch import Watch

BOUNDARY = "----boundary"
# Drops a file with this text anywhere on the page.
DROP = """
const data = new DataTransfer();
data.items.add(new File([arguments[0]], arguments[1]));
for (const kind of ["dragover", "drop"])
  document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
"""


def parts(fields, name, content):
    """Returns a form with a file as a browser sends it."""
    text = "".join(f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
                   for field, value in fields)
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    return f"{text}{head}".encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


class FirstImportPage(ProgramTest):
    def setUp(self):
        super().setUp()
        self.environment["TZ"] = "UTC"
        self.data = self.folder / "share/healthsync"
        self.config = self.folder / "config/healthsync/config.json"
        self.text, self.expected = export("Europe/Paris")
        (self.folder / "export.xml").write_text(self.text)

    def steps(self):
        with closing(sqlite3.connect(f"file:{self.data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return {day: int(count) for day, count in
                    connection.execute("SELECT day, quantity FROM daily_progress WHERE metric = 'steps'")}

    def check_rest(self):
        """Nothing may contradict the import afterwards."""
        self.assertEqual(self.steps(), self.expected)
        self.assertEqual(json.loads(self.config.read_text()), {"zone": "Europe/Paris"})
        self.assertEqual(list((self.data / "uploads").iterdir()), [])
        for words in (["status"], ["summary"], ["doctor"], ["daily", "export.xml"]):
            run = self.succeed(*words)
            self.assertNotIn("zone", run.stderr, words)

    def wait_for(self, condition):
        """Waits for something that happens."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := condition():
                return found
            time.sleep(0.05)
        self.fail("nothing happened")

    def outcome(self, browser):
        return self.wait_for(lambda: next((text for text in [browser.text("main")] if ".xml: " in text or ".txt: " in text), None))

    @unittest.skipIf(MISSING, MISSING)
    def test_a_dropped_file_is_imported(self):
        url = Dashboard(self).url.rstrip("/")
        # The page proposes the zone of the browser.
        browser = Browser(self, zone="Europe/Paris")
        browser.visit(url + "/")
        browser.screenshot("first-import")
        browser.leave(lambda: browser.driver.execute_script(DROP, self.text, "export.xml"))
        self.assertEqual(browser.driver.current_url, url + "/view/import")
        self.assertIn("60 new samples imported", self.outcome(browser))
        browser.check()
        browser.visit(url + "/view/steps?by=day")
        day, count = max(self.expected.items())
        self.assertIn(float(count), browser.data("main"))
        self.assertIn("Europe/Paris", browser.text("footer"))
        self.check_rest()

    @unittest.skipIf(MISSING, MISSING)
    def test_errors_name_the_file_and_the_remedy(self):
        url = Dashboard(self).url.rstrip("/")
        browser = Browser(self, zone="Asia/Tokyo")
        browser.visit(url + "/view/import")
        browser.leave(lambda: browser.driver.execute_script(DROP, "hello", "notes.txt"))
        said = self.outcome(browser)
        self.assertIn("notes.txt", said)
        self.assertNotIn("/uploads/", said)
        browser.visit(url + "/view/import")
        browser.leave(lambda: browser.driver.execute_script(DROP, self.text, "export.xml"))
        said = self.wait_for(lambda: next((text for text in [browser.text("main")] if "Europe/Paris" in text.split("Import a file")[0]), None))
        self.assertIn("enter your time zone (such as ", said)
        browser.fill(zone="Europe/Atlantis")
        browser.driver.execute_script(DROP, self.text, "export.xml")
        self.wait_for(lambda: "unknown time zone" in browser.text("#upload"))
        browser.fill(zone="Europe/Paris")
        browser.leave(lambda: browser.driver.execute_script(DROP, self.text, "export.xml"))
        self.assertIn("60 new samples imported", self.outcome(browser))
        self.check_rest()

    def test_a_zone_that_the_data_contradict_is_the_users_decision(self):
        site, token = self.site(Dashboard(self).url)
        self.assertEqual(self.send(site, token, self.text.encode(), zone="Asia/Tokyo"), 303)
        said = self.wait_for(lambda: next((text for text in [site.ask("GET", "/view/import")[1]] if "nothing was imported" in text), None))
        self.assertIn("the time zone Asia/Tokyo (+09:00) does not match the data", said)
        self.assertIn("or Asia/Tokyo again to use it anyway", said)
        self.assertFalse(self.config.exists())
        self.assertEqual(self.send(site, token, self.text.encode(), zone="Asia/Tokyo"), 303)
        self.wait_for(lambda: "60 new samples imported" in site.ask("GET", "/view/import")[1])
        self.assertEqual(json.loads(self.config.read_text()), {"zone": "Asia/Tokyo"})

    @unittest.skipIf(MISSING, MISSING)
    def test_a_plain_form_without_script(self):
        url = Dashboard(self).url.rstrip("/")
        browser = Browser(self, script=False)
        browser.visit(url + "/")
        browser.driver.find_element(By.NAME, "zone").send_keys("Europe/Paris")
        browser.driver.find_element(By.NAME, "file").send_keys(str(self.folder / "export.xml"))
        browser.button("Import").click()

        def shown():
            browser.driver.get(url + "/view/import")
            return "60 new samples imported" in browser.text("main")
        self.wait_for(shown)
        self.check_rest()

    def site(self, url):
        """Returns a client of the pages, and the token of their forms."""
        site = Site(url, [])
        fields = dict(Forms(site.ask("GET", "/view/import")[1]).found)["/view/import"]
        return site, dict(fields)["form_token"]

    def send(self, site, token, content, name="export.xml", zone="Europe/Paris", **headers):
        own = site.own(**headers) | {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        body = parts([("form_token", token), ("zone", zone)], name, content)
        return site.ask("POST", "/view/import", own, body)[0].status

    def test_watch_with_a_dashboard_starts_without_data(self):
        self.data = self.folder / "data"
        watch = Watch(self, "--dashboard", "127.0.0.1:0")
        site, token = self.site(watch.await_event("dashboard")["address"])
        self.assertEqual(self.send(site, token, self.text.encode()), 303)
        self.wait_for(lambda: "60 new samples imported" in site.ask("GET", "/view/import")[1])
        self.assertEqual(self.steps(), self.expected)

    def test_other_sites_and_other_hosts_send_nothing(self):
        site, token = self.site(Dashboard(self).url)
        for status, given, headers in ((403, "0" * 64, {}), (403, "", {}), (403, token, {"Origin": "https://evil.example"}),
                                       (403, token, {"Sec_Fetch_Site": "cross-site"}), (421, token, {"Host": "evil.example"})):
            self.assertEqual(self.send(site, given, self.text.encode(), **headers), status, headers)
        self.assertFalse((self.data / "uploads").exists())
        # The same lock as on the command line: a second file waits for its turn by the user.
        self.assertEqual(self.send(site, token, self.text.encode()), 303)
        self.wait_for(lambda: "60 new samples imported" in site.ask("GET", "/view/import")[1])

    def test_a_file_is_private_while_it_arrives_and_gone_after_a_kill(self):
        dashboard = Dashboard(self)
        site, token = self.site(dashboard.url)
        body = parts([("form_token", token)], "export.zip", os.urandom(4 << 20))
        connection = http.client.HTTPConnection(site.host, timeout=PATIENCE)
        self.addCleanup(connection.close)
        connection.putrequest("POST", "/view/import")
        for name, value in (site.own() | {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
                                          "Content-Length": str(len(body))}).items():
            connection.putheader(name, value)
        connection.endheaders(body[:3 << 20])
        path = self.data / "uploads/export.zip"
        self.wait_for(lambda: path.exists() and path.stat().st_size > 1 << 20)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(path.parent.stat().st_mode), 0o700)
        self.assertEqual(self.send(site, token, b"x", name="other.zip"), 409)
        dashboard.process.send_signal(signal.SIGKILL)
        dashboard.process.wait()
        self.assertTrue(path.exists())
        Dashboard(self)
        self.assertEqual(list(path.parent.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
