"""The documentation as a site: opened from the disk in Chromium, without network."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import browser
from support.harness import ROOT


@unittest.skipIf(browser.MISSING, browser.MISSING or "")
class DocsSite(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="healthsync-site-")
        self.addCleanup(folder.cleanup)
        self.site = Path(folder.name) / "site"
        symbols = Path(folder.name) / "symbols.json"
        symbols.write_text(json.dumps([{
            "module": "HealthSyncDomain", "path": ["CalendarDay"], "declaration": "struct CalendarDay",
            "comment": "A day <of> the *Gregorian* calendar."}]))
        subprocess.run(["/usr/bin/python3", "-B", ROOT / ".ci/docs-site", self.site, symbols], check=True,
                       capture_output=True)

    def test_links_lead_to_pages_and_nothing_comes_from_elsewhere(self):
        from html.parser import HTMLParser

        class Reader(HTMLParser):
            def __init__(self):
                super().__init__()
                self.links, self.loaded, self.ids = [], [], set()

            def handle_starttag(self, tag, attributes):
                attributes = dict(attributes)
                self.ids.add(attributes.get("id"))
                if tag == "a" and "href" in attributes:
                    self.links.append(attributes["href"])
                if tag in ("script", "img", "link"):
                    self.loaded += [attributes[name] for name in ("src", "href") if name in attributes]

        read = {}
        for path in self.site.rglob("*.html"):
            read[path.resolve()] = reader = Reader()
            reader.feed(path.read_text())
        self.assertGreater(len(read), 50)
        for path, reader in read.items():
            for target in reader.loaded:
                self.assertTrue((path.parent / target).exists(), f"{path}: {target}")
            for target in reader.links:
                if "://" in target:
                    continue
                name, _, anchor = target.partition("#")
                file = (path.parent / name).resolve() if name else path
                self.assertTrue(file.exists(), f"{path}: {target}")
                if anchor and file.suffix == ".html":
                    self.assertIn(anchor, read[file].ids, f"{path}: {target}")

    def test_search_and_colors(self):
        window = browser.Browser(self, width=1000)
        driver = window.driver
        driver.get((self.site / "index.html").as_uri())
        field = driver.find_element(browser.By.ID, "search")
        field.send_keys("postgresql pgpass")
        links = driver.find_elements(browser.By.CSS_SELECTOR, "#found a")
        self.assertTrue(any("postgresql.html" in link.get_attribute("href") for link in links))
        field.clear()
        field.send_keys("CalendarDay Gregorian")
        link = driver.find_element(browser.By.CSS_SELECTOR, "#found a")
        driver.get(link.get_attribute("href"))
        self.assertEqual(driver.find_element(browser.By.TAG_NAME, "h1").text, "HealthSyncDomain")
        colors = set()
        for scheme in ("light", "dark"):
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": scheme}]})
            colors.add(driver.execute_script("return getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(colors), 2)


if __name__ == "__main__":
    unittest.main()
