"""The oracle of these tests equals the figures of an import that does not use the inbox."""

import json
import unittest

from senders import hozz
from senders.neutral import Person, iso_milliseconds
from support.watch import ZONE, InboxTest


def write_lines(path, samples):
    """Writes the samples as JSON Lines."""
    names = {stage: number for stage, number in hozz.STAGES.items()}
    rows = []
    for one in samples:
        row = {"type": hozz.TYPES[one.kind], "startDate": iso_milliseconds(one.start), "endDate": iso_milliseconds(one.end),
               "value": names.get(one.value, one.value), "sourceBundleId": one.source, "uuid": one.uuid}
        if one.kind in hozz.UNITS:
            row["unit"] = hozz.UNITS[one.kind]
        rows.append(json.dumps(row, ensure_ascii=False))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


class Oracle(InboxTest):
    def test_lines_of_a_file_give_the_figures_of_the_oracle(self):
        for seed in range(3):
            with self.subTest(seed=seed):
                samples = Person(seed).samples
                path = write_lines(self.folder / f"{seed}.jsonl", samples)
                self.succeed("historical", "--config", self.config, "--source", path, "--zone", ZONE, "--data-dir", f"{seed}")
                self.assert_figures(samples, data=f"{seed}")

    def test_a_missing_sample_is_noticed(self):
        samples = Person(9).samples
        path = write_lines(self.folder / "lines.jsonl", samples)
        self.succeed("historical", "--config", self.config, "--source", path, "--zone", ZONE, "--data-dir", "data")
        for kind in ("steps", "distance", "energy", "heartRate", "restingHeartRate", "sleep"):
            left_out = next(one for one in samples if one.kind == kind)
            with self.subTest(kind), self.assertRaises(AssertionError):
                self.assert_figures([one for one in samples if one != left_out])


if __name__ == "__main__":
    unittest.main()
