"""The colors of sleep stages and levels differ for every reader, and stand out from the card, light and dark.

Differences are distances in CIELAB (CIE 1976, D65). Protanopia and deuteranopia are simulated with the matrices of Machado,
Oliveira and Fernandes (2009, severity 1.0), achromatopsia by the luminance of Rec. 709; all of them on linear sRGB.
"""

import math
import pathlib
import re
import unittest

STYLE = pathlib.Path(__file__).parents[3] / "Sources/Adapters/Dashboard/Web/base.css"
LUMINANCE = (0.2126729, 0.7151522, 0.0721750)
VISION = {
    "all colors": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "achromatopsia": (LUMINANCE,) * 3,
}
# From the lightest to the deepest stage, as the rows of a night.
STAGES = ["in-bed", "awake", "rem", "asleep", "core", "deep"]
LEVELS = [f"level-{level}" for level in range(5)]


def linear(color):
    channels = [int(color[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def seen(color, vision):
    return [min(1, max(0, sum(a * b for a, b in zip(row, linear(color))))) for row in VISION[vision]]


def lab(channels):
    rows = ((0.4124564, 0.3575761, 0.1804375), LUMINANCE, (0.0193339, 0.1191920, 0.9503041))
    white = (0.95047, 1, 1.08883)
    ratios = [sum(a * b for a, b in zip(row, channels)) / one for row, one in zip(rows, white)]
    x, y, z = [r ** (1 / 3) if r > 216 / 24389 else (24389 / 27 * r + 16) / 116 for r in ratios]
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one, other, vision):
    return math.dist(lab(seen(one, vision)), lab(seen(other, vision)))


def contrast(one, other):
    high, low = sorted((sum(a * b for a, b in zip(LUMINANCE, linear(c))) for c in (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def palettes():
    """Returns the light and the dark colors by name."""
    light, dark = re.findall(r":root \{(.*?)\}", STYLE.read_text(), re.DOTALL)
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in (light, dark)]


TERMINAL = pathlib.Path(__file__).parents[3] / "Sources/App/Commands/Terminal/Palette.swift"


class Palette(unittest.TestCase):
    def test_the_terminal_has_the_colors_of_the_pages(self):
        colors = re.findall(r"case \.(\w+): \(0x([0-9a-f]{6}), 0x([0-9a-f]{6})\)", TERMINAL.read_text())
        self.assertGreater(len(colors), 10)
        light, dark = palettes()
        for name, on_light, on_dark in colors:
            name = re.sub("[A-Z]", lambda match: "-" + match[0].lower(), name)
            self.assertEqual((light[name], dark[name]), (f"#{on_light}", f"#{on_dark}"), name)

    def test_the_measure_itself(self):
        self.assertAlmostEqual(difference("#000000", "#ffffff", "all colors"), 100, delta=0.1)
        # Red and green of the same luminance are one color without color vision.
        self.assertLess(difference("#ff0000", "#7f7f7f", "achromatopsia"), 1)
        self.assertAlmostEqual(contrast("#ffffff", "#767676"), 4.54, delta=0.01)

    def test_neighbors_differ(self):
        for scheme, colors in zip(("light", "dark"), palettes()):
            for names in (STAGES, LEVELS):
                for one, other in zip(names, names[1:]):
                    for vision in VISION:
                        with self.subTest(f"{scheme} {one} {other} {vision}"):
                            self.assertGreaterEqual(difference(colors[one], colors[other], vision), 10)

    def test_luminance_falls_from_awake_to_deep(self):
        for colors in palettes():
            for names in (STAGES[1:], LEVELS):
                lightness = [lab(seen(colors[name], "achromatopsia"))[0] for name in names]
                self.assertIn(lightness, (sorted(lightness), sorted(lightness, reverse=True)))

    def test_stages_stand_out_from_the_card(self):
        for colors in palettes():
            for name in STAGES:
                self.assertGreaterEqual(contrast(colors[name], colors["card"]), 3, name)


if __name__ == "__main__":
    unittest.main()
