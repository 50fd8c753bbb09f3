#!/usr/bin/env python3
"""Takes the pictures of README.md and docs/phone.md: the dashboard and the terminal with generated data, the page of devices,
and what it shows for each app. Needs Chromium.

    HEALTHSYNC_BINARY=.build/release/healthsync take_screenshots.py [FOLDER]

Writes to docs/images by default. The tokens in the pictures belong to a data folder that is deleted afterwards.
"""

import collections
import datetime
import html
import json
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import unittest
import zlib

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/EndToEndTests"))
from support import browser, pixels  # noqa: E402
from support.harness import BINARY  # noqa: E402
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


def color_of(number):
    """Returns one of the colors 16 to 255 of a terminal."""
    if number >= 232:
        return f"rgb({', '.join([str(8 + 10 * (number - 232))] * 3)})"
    level = [0, 95, 135, 175, 215, 255]
    number -= 16
    return f"rgb({level[number // 36]}, {level[number // 6 % 6]}, {level[number % 6]})"


class Screenshots(InboxTest):
    def take(self, name, selector, largest=LARGEST):
        picture = small(self.window.picture(self.window.driver.find_element(browser.By.CSS_SELECTOR, selector)))
        self.assertLess(len(picture), largest, name)
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / f"{name}.png").write_bytes(picture)
        print(f"{name}: {len(picture)} bytes")

    def terminal(self, *words):
        """Returns what the program prints on a terminal of 100 columns, as HTML."""
        script = "stty cols 100; " + shlex.join([str(BINARY), *words])
        shown = subprocess.run(
            ["script", "-qec", script, "/dev/null"], cwd=self.folder, capture_output=True, text=True, check=True,
            env={**self.environment, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}, stdin=subprocess.DEVNULL).stdout
        parts = re.split(r"\x1b\[([\d;]*)m", shown.replace("\r", ""))
        lines = [html.escape(parts[0])]
        for style, text in zip(parts[1::2], parts[2::2]):
            color = f"color:{color_of(int(style.split(';')[2]))}" if style.startswith("38;5;") else ""
            lines.append(f'<span style="{color}">{html.escape(text)}</span>')
        return f"$ healthsync {' '.join(words)}\n" + "".join(lines)

    def test_pictures_of_the_readme(self):
        self.environment["TZ"] = "Europe/Paris"
        last = datetime.date.today() - datetime.timedelta(days=1)
        self.generate("export.zip", "--years", "1", "--seed", "42", "--zone", "Europe/Paris", "--last-day", last)
        self.succeed("historical", "--source", "export.zip", "--zone", "Europe/Paris")
        dashboard = self.start("dashboard", "--port", "0", "--json")
        self.addCleanup(dashboard.communicate)
        self.addCleanup(dashboard.terminate)
        text = ""
        while not text.rstrip().endswith("}"):
            text += dashboard.stdout.readline()
        self.window = browser.Browser(self, width=1000)
        self.window.visit(json.loads(text)["address"])
        self.take("dashboard", "main", largest=200_000)
        page = self.folder / "terminal.html"
        page.write_text("<!DOCTYPE html><meta charset=utf-8><body style='margin:0'><pre id=terminal style=\"display:inline-block;"
                        "margin:0;padding:16px;background:#1e1f22;color:#e6e6e6;font:14px 'DejaVu Sans Mono'\">"
                        + self.terminal("sleep") + "\n" + self.terminal("steps", "--last", "14d") + "</pre>")
        self.window.driver.get(page.as_uri())
        self.take("terminal", "#terminal", largest=200_000)

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
