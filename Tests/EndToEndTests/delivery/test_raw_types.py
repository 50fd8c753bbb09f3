"""Raw samples of types other than steps, over several years: every server stores exactly the samples that expat reads,
each once."""

import json
import sys
import unittest

from support.harness import PEERS, Peer, ProgramTest, Server

sys.path.insert(0, str(PEERS / "exports"))
from expected_samples import expected_of, identifier  # noqa: E402

RAW = ("heartRate", "restingHeartRate", "activeEnergyBurned", "distanceWalkingRunning", "sleepAnalysis")


def thinned(path, keep):
    """Returns an export with every nth record. In generated exports each record begins at the start of a line."""
    kept, number, drops = [], 0, False
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            begins = line.lstrip().startswith("<Record ")
            number += begins
            drops = number % keep != 0 if begins else drops
            if not drops:
                kept.append(line)
            if drops and (line.rstrip().endswith("</Record>") or begins and line.rstrip().endswith("/>")):
                drops = False
    return "".join(kept)


class RawTypes(ProgramTest):
    WORDS = ("--zone", "Europe/Paris", "--data-dir", "data", "--raw", ",".join(RAW), "--metrics", "steps")

    @classmethod
    def setUpClass(cls):
        cls.made = None

    def setUp(self):
        super().setUp()
        # Three years, reduced to every twelfth record; generated once.
        self.export = self.folder / "export.xml"
        if RawTypes.made is None:
            whole, _ = self.generate("whole.xml", "--years", "3", "--seed", "5", "--density", "0.2")
            self.export.write_text(thinned(whole, 12), encoding="utf-8")
            whole.unlink()
            RawTypes.made = self.export.read_bytes(), expected_of(str(self.export), (*RAW, "stepCount"))
        self.export.write_bytes(RawTypes.made[0])
        self.expected = RawTypes.made[1]

    def sync(self, url, *words):
        return self.run_program("historical", *self.WORDS, "--source", self.export, "--server", url, *words, "--json")

    def assert_held(self, server):
        for short, samples in self.expected.items():
            path = "/steps" if short == "stepCount" else f"/api/v1/samples/{short}"
            status, _, body = server.request("GET", path, headers={"Accept": "application/x-ndjson"})
            self.assertEqual(status, 200, body[:300])
            held = [json.loads(line) for line in body.splitlines()]
            self.assert_exactly(short, held)

    def assert_exactly(self, short, held):
        samples = self.expected[short]
        self.assertGreater(len(samples), 50)
        by_uuid = {sample["uuid"]: {name: sample.get(name) for name in next(iter(samples.values())).keys() | {
            "sourceDeviceName"}} for sample in held}
        self.assertEqual(len(by_uuid), len(held), f"{short}: a sample is stored twice")
        self.assertEqual(len(by_uuid), len(samples), short)
        self.assertEqual(sorted(by_uuid.keys() ^ samples.keys())[:3], [], short)
        differing = [uuid for uuid, sample in samples.items() if by_uuid[uuid] != {"sourceDeviceName": None, **sample}]
        self.assertEqual(differing[:3], [], (short, by_uuid[differing[0]]) if differing else short)

    def test_our_server_stores_exactly_the_samples(self):
        server = Server(self)
        run = self.sync(server.url)
        self.assertEqual(run.returncode, 0, run.stderr)
        report = json.loads(run.stdout)["delivery"]["samples"]
        self.assertEqual(report["created"], sum(map(len, self.expected.values())))
        self.assert_held(server)
        self.assertEqual(json.loads(self.sync(server.url).stdout)["delivery"]["requests"], 0)
        verified = self.json_of("verify", *self.WORDS[:4], "--server", server.url)
        self.assertTrue(verified["equal"])
        self.assertEqual(
            {kind["type"]: kind["serverSamples"] for kind in verified["types"]},
            {identifier(short): len(samples) for short, samples in self.expected.items()})
        listed = self.json_of("intervals", "--zone", "Europe/Paris", "--data-dir", "data")["types"]
        for kind in listed:
            self.assertEqual(kind["totals"]["synced"], kind["totals"]["intervals"], kind["type"])
            if kind["measure"] == "samples":
                self.assertTrue(all(
                    interval["samples"] <= 2_000 or interval["seconds"] == 512 for interval in kind["intervals"]))

    def test_an_independent_server_stores_exactly_the_samples(self):
        peer = Peer(self)
        run = self.sync(peer.url)
        self.assertEqual(run.returncode, 0, run.stderr)
        received = [json.loads(line) for line in (peer.folder / "received.jsonl").read_text().splitlines()]
        for short in self.expected:
            kind = "steps" if short == "stepCount" else f"samples/{short}"
            self.assert_exactly(short, [record["body"] for record in received if record["kind"] == kind])
        self.assertEqual(peer.state()["violations"], [])

    def test_with_a_plain_server_they_wait_and_this_is_reported(self):
        peer = Peer(self, "--plain")
        run = self.sync(peer.url)
        self.assertEqual(run.returncode, 3, run.stderr)
        report = json.loads(run.stdout)["delivery"]
        self.assertEqual(
            {kind for kind in report["unsupportedKinds"] if kind.startswith("samples/")},
            {f"samples/{short}" for short in RAW})
        self.assertEqual(report["samples"]["accepted"], len(self.expected["stepCount"]))
        self.assertEqual(peer.state()["violations"], [])


if __name__ == "__main__":
    unittest.main()
