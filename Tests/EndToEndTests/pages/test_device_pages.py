"""The page of devices in a browser: pairing, its QR code as an independent reader sees it, and revocation."""

import pathlib
import re
import shutil
import subprocess
import unittest
import urllib.parse

from support import browser
from support.watch import InboxTest

# `support.watch` adds their folder to the path.
from senders import hozz
from senders.neutral import Person

APPS = {"health-auto-export": "Health Auto Export (iOS)", "hozz": "Hozz (iOS)", "life-dashboard": "Life Dashboard Companion (iOS, Android)"}
LOOKS = {"wide": {}, "wide-dark": {"dark": True}, "phone": {"width": 390}, "phone-dark": {"width": 390, "dark": True}}


@unittest.skipIf(browser.MISSING, browser.MISSING)
class Devices(InboxTest):
    def setUp(self):
        super().setUp()
        self.running = self.watch("--dashboard", "127.0.0.1:0")
        self.site = self.running.await_event("dashboard")["address"].rstrip("/")
        self.window = browser.Browser(self)

    def pair_on_page(self, name, app=None, address=None):
        """Pairs a device by the form of the page."""
        self.window.visit(f"{self.site}/view/devices")
        self.window.fill(name=name, **({"address": address} if address else {}))
        if app:
            self.window.choose("app", app)
        self.window.press("Pair")

    def look(self, name):
        """Checks the current page in every look."""
        for look, options in LOOKS.items():
            self.window.look(**options)
            self.window.check()
            self.window.screenshot(f"{name}-{look}")
        self.window.look()

    def codes(self):
        """Returns the texts of the QR codes on the page, read from pictures of them."""
        texts = []
        for number, code in enumerate(self.window.driver.find_elements(browser.By.CSS_SELECTOR, "figure.code svg")):
            path = self.folder / f"code{number}.png"
            path.write_bytes(self.window.picture(code))
            run = subprocess.run(["zbarimg", "--quiet", "--raw", str(path)], capture_output=True, text=True)
            texts.append(run.stdout.strip())
        return texts

    def token(self):
        """Returns the token, which is collapsed at first."""
        return self.window.driver.find_element(browser.By.ID, "token").get_attribute("textContent")

    def values(self):
        rows = self.window.driver.find_elements(browser.By.CSS_SELECTOR, ".values > div")
        return {row.find_element(browser.By.TAG_NAME, "dt").text: row.find_element(browser.By.TAG_NAME, "dd").text for row in rows}

    @unittest.skipUnless(shutil.which("zbarimg"), "zbar-tools reads the code")
    def test_a_phone_that_is_paired_on_the_page_delivers(self):
        self.window.visit(f"{self.site}/view/devices")
        self.look("devices-empty")
        person = Person(231, days=1)
        for app, option in APPS.items():
            with self.subTest(app):
                self.pair_on_page(f"anna-{app}", option, self.running.url)
                self.look(f"devices-{app}")
                values, token = self.values(), self.token()
                for look in LOOKS.values():
                    self.window.look(**look)
                    codes = self.codes()
                    self.assertTrue(codes and all(codes), look)
                self.window.look()
                for text in map(urllib.parse.unquote, codes):
                    self.assertIn(self.running.url, text)
                    self.assertIn(token, text)
                self.assertIn(self.running.url, str(values))
                self.running.accept(hozz.batch([hozz.record(one) for one in person.samples], len(app)), token)
        self.settle()
        self.await_figures(person.samples)
        self.window.visit(f"{self.site}/view/devices")
        self.look("devices")
        listed = self.json_of("device", "list", "--data-dir", "data")["devices"]
        self.assertEqual(sorted(one["device"] for one in listed), sorted(f"anna-{app}" for app in APPS))
        rows = self.window.sections()[0]["tables"][0]["rows"]
        self.assertEqual([row[0]["text"] for row in rows], sorted(f"anna-{app}" for app in APPS))
        self.assertTrue(all(row[3]["times"] for row in rows), rows)

    def test_a_revoked_phone_cannot_deliver(self):
        self.pair_on_page("anna", address=self.running.url)
        token, request = self.token(), hozz.requests(Person(232, days=1).samples)[0]
        self.running.accept(request, token)
        self.window.visit(f"{self.site}/view/devices")
        self.window.press("Revoke anna")
        self.look("devices-revoke")
        self.running.accept(request, token)
        self.window.press("Revoke the device")
        self.assertEqual(self.running.send(request, token).status, 401)
        self.assertIn("revoked", self.window.text("#devices"))
        self.assertEqual(self.count(), 2)

    def test_the_page_proposes_the_address_of_the_inbox_and_rejects_wrong_input(self):
        self.window.visit(f"{self.site}/view/devices")
        field = self.window.driver.find_element(browser.By.NAME, "address")
        # A phone cannot reach the address of this machine.
        self.assertEqual((field.get_attribute("value"), field.get_attribute("placeholder")), ("", "https://health.example.org"))
        self.assertIn("accepts only this machine", self.window.text("#reception"))
        self.window.fill(name="anna", address="nas:8000")
        self.window.press("Pair", is_rejected=True)
        self.look("devices-rejected")
        self.assertIn("not a valid address", self.window.text("#address-problem"))
        self.assertEqual(self.window.driver.find_element(browser.By.NAME, "name").get_attribute("value"), "anna")
        self.assertEqual(self.json_of("device", "list", "--data-dir", "data")["devices"], [])

    def test_the_token_is_in_no_file_and_no_log(self):
        self.pair_on_page("anna", address=self.running.url)
        secret = self.token().encode()
        self.assertRegex(secret, rb"^hst_[0-9a-f]{16}_[0-9a-f]{64}$")
        self.running.accept(hozz.requests(Person(233, days=1).samples)[0], secret.decode())
        self.settle()
        self.assertEqual(self.running.terminate(), 0)
        for path in pathlib.Path(self.folder, "data").rglob("*"):
            if path.is_file():
                self.assertNotIn(secret[21:], path.read_bytes(), path)
        self.assertNotIn(secret[21:].decode(), "".join(self.running.errors) + str(self.running.events))


if __name__ == "__main__":
    unittest.main()
