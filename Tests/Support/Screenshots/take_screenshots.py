#!/usr/bin/env python3
"""Takes the screenshots of docs/phone.md: the page of devices, and what it shows for each app. Needs Chromium.

    HEALTHSYNC_BINARY=.build/release/healthsync take_screenshots.py [FOLDER]

Writes to docs/images by default. The tokens in the pictures belong to a data folder that is deleted afterwards.
"""

import collections
import pathlib
import struct
import sys
import unittest
import zlib

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/EndToEndTests"))
from support import browser, pixels  # noqa: E402
from support.watch import InboxTest  # noqa: E402
from senders import hozz, step_app  # noqa: E402
from senders.neutral import Person  # noqa: E402

FOLDER = ROOT / "docs/images"
ADDRESS = "http://192.168.1.20:8000"
# In bytes; the pictures are part of the repository.
LARGEST = 60_000
COLORS = 64


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def small(png):
    """Returns the picture with the most frequent colors only, a quarter of the size."""
    rows = pixels.rows(png)
    counts = collections.Counter(color for row in rows for color in row)
    palette = [color for color, _ in counts.most_common(COLORS)]
    nearest = {color: min(range(len(palette)), key=lambda at: sum((a - b) ** 2 for a, b in zip(color, palette[at])))
               for color in counts}
    lines = b"".join(b"\0" + bytes(nearest[color] for color in row) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0))
            + chunk(b"PLTE", b"".join(map(bytes, palette))) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


class Screenshots(InboxTest):
    def take(self, name, selector):
        picture = small(self.window.picture(self.window.driver.find_element(browser.By.CSS_SELECTOR, selector)))
        self.assertLess(len(picture), LARGEST, name)
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / f"{name}.png").write_bytes(picture)
        print(f"{name}: {len(picture)} bytes")

    def test_take(self):
        running = self.watch("--dashboard", "127.0.0.1:0")
        site = running.await_event("dashboard")["address"].rstrip("/")
        for name, request in (("anna-phone", hozz.requests(Person(1, days=1).samples)[0]),
                              ("anna-steps", step_app.requests(Person(2, days=1).samples)[0])):
            running.accept(request, self.pair(name))
        self.window = browser.Browser(self, width=1000)
        self.window.visit(f"{site}/view/devices")
        names = [option.get_attribute("value") for option in self.window.driver.find_elements(browser.By.CSS_SELECTOR, "#app option")]
        # As in a process with `--listen 0.0.0.0:8000 --lan`, on a computer with this address.
        self.window.driver.execute_script("document.getElementById('reception').remove()")
        self.window.fill(name="ben-phone", address=ADDRESS)
        self.take("devices", "main")
        for number, app in enumerate(names):
            self.window.visit(f"{site}/view/devices")
            self.window.fill(name=f"phone-{number}", address=ADDRESS, app=app)
            self.window.press("Pair")
            self.take(f"pair-{app}", ".pairing")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
