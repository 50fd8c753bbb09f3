"""Figures equal the truth of a generated export in any zone and order of import."""

import os
import unittest

from support.harness import ProgramTest, extract_xml, figures, samples
from support.seeds import DENSITY

YEARS = os.environ.get("HEALTHSYNC_TRUTH_YEARS", "1")


class Truth(ProgramTest):
    def check(self, zone):
        export, truth = self.generate("export.zip", "--years", YEARS, "--seed", "42", "--zone", zone, "--density", DENSITY)
        config = self.configuration_for(truth)
        self.succeed("historical", "--config", config, "--source", export, "--data-dir", "data")
        print("\n" + zone, self.peer("truth/truth_database.py", self.folder / "data/healthsync.sqlite", truth), sep="\n")

    def test_paris(self):
        self.check("Europe/Paris")

    def test_new_york(self):
        self.check("America/New_York")

    def test_kolkata(self):
        self.check("Asia/Kolkata")


class OrderAndNumber(ProgramTest):
    """One export: unchanged, shuffled, in seven files imported at once, and in five files imported in five runs."""

    def test_same_figures(self):
        export, truth = self.generate("export.zip", "--years", "1", "--seed", "7", "--last-day", "2025-04-30",
                                      "--density", DENSITY)
        config = self.configuration_for(truth)
        xml = extract_xml(export, self.folder / "whole.xml")
        self.succeed("historical", "--config", config, "--source", export, "--data-dir", "whole")
        expected = figures(self.folder / "whole/healthsync.sqlite")
        pages = samples(self.folder / "whole/healthsync.sqlite")
        self.assertGreater(len(expected["daily_progress"]), 500)

        for name, parts, runs in (("shuffled", 1, 1), ("seven", 7, 1), ("five-runs", 5, 5)):
            paths = self.peer(
                "exports/split_export.py", xml, "--parts", parts, "--seed", 3, "--out", self.folder / f"{name}-parts"
            ).split()
            batches = [[path] for path in paths] if runs > 1 else [paths]
            for batch in batches:
                named = [word for path in batch for word in ("--source", path)]
                self.succeed("historical", "--config", config, *named, "--data-dir", name)
            with self.subTest(name):
                self.assertEqual(samples(self.folder / f"{name}/healthsync.sqlite"), pages)
                self.assertEqual(figures(self.folder / f"{name}/healthsync.sqlite"), expected)


if __name__ == "__main__":
    unittest.main()
