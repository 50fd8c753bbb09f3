"""Delivery of raw steps: the server has exactly the samples of the source, each once. By hand with HEALTHSYNC_LAYERING_YEARS=10."""

import json
import os
import sys
import unittest
import urllib.request

from support.harness import PATIENCE, PEERS, Peer, ProgramTest, Server, extract_xml

sys.path.insert(0, str(PEERS / "exports"))
from expected_samples import expected  # noqa: E402

YEARS = os.environ.get("HEALTHSYNC_LAYERING_YEARS", "1")


class Layering(ProgramTest):
    WORDS = ("--zone", "Europe/Paris", "--data-dir", "data", "--metrics", "steps")

    def setUp(self):
        super().setUp()
        self.export, _ = self.generate("export.zip", "--years", YEARS, "--seed", "11", "--last-day", "2025-06-30")
        self.expected = expected(str(extract_xml(self.export, self.folder / "export.xml")))

    def historical(self, url, *words, source=None):
        return self.json_of("historical", *self.WORDS, "--source", source or self.export, "--server", url, *words)

    def held(self, server):
        """Returns all samples on the server by UUID. Fails on duplicates."""
        status, _, body = server.request("GET", "/steps", headers={"Accept": "application/x-ndjson"})
        self.assertEqual(status, 200)
        samples = [json.loads(line) for line in body.splitlines()]
        by_uuid = {sample["uuid"]: sample for sample in samples}
        self.assertEqual(len(by_uuid), len(samples), "a sample is stored twice")
        return by_uuid

    def assert_held(self, server, samples=None):
        held, samples = self.held(server), self.expected if samples is None else samples
        self.assertEqual(held.keys() ^ samples.keys(), set())
        differing = [uuid for uuid in samples if held[uuid] != samples[uuid]]
        self.assertEqual(differing, [], held.get(differing[0]) if differing else None)

    def intervals(self, *words):
        (report,) = self.json_of("intervals", "--zone", "Europe/Paris", "--data-dir", "data", *words)["types"]
        return report

    def test_a_server_stores_exactly_the_samples(self):
        server = Server(self)
        report = self.historical(server.url)["delivery"]["samples"]
        self.assert_held(server)
        self.assertEqual(report["sent"], len(self.expected))
        self.assertEqual(report["sent"], report["created"] + report["duplicate"] + report["updated"] + report["rejected"])
        totals = self.intervals()["totals"]
        self.assertEqual(totals["samples"], len(self.expected))
        self.assertEqual(totals["steps"], sum(sample["count"] for sample in self.expected.values()))
        self.assertEqual(totals["synced"], totals["intervals"])
        self.assertEqual(self.intervals("--unsynced")["intervals"], [])

    def test_an_unchanged_export_sends_nothing_and_a_newer_one_the_difference(self):
        server = Server(self)
        self.historical(server.url)
        again = self.historical(server.url)
        self.assertEqual(again["delivery"]["requests"], 0)
        lines = (self.folder / "export.xml").read_text().split("\n")
        places = [place for place, line in enumerate(lines) if "StepCount" in line and line.rstrip().endswith("/>")]
        gone, changed = places[100], places[2000]
        value = lines[changed].split(' value="')[1].split('"')[0]
        lines[changed] = lines[changed].replace(f' value="{value}"', f' value="{int(value) + 1}"')
        lines[gone] = ""
        newer = self.folder / "newer.xml"
        text = "\n".join(lines)
        date = text.split('<ExportDate value="')[1].split('"')[0]
        newer.write_text(text.replace(date, "2025-12-31 08:00:00 +0000", 1))
        wanted = expected(str(newer))
        report = self.historical(server.url, source=newer)["delivery"]
        self.assert_held(server, wanted)
        self.assertEqual(report["samples"]["sent"], len(wanted.keys() - self.expected.keys()))
        self.assertEqual(report["samples"]["created"], report["samples"]["sent"])

    def with_changed_values(self, count):
        """Returns a newer export in which `count` samples have another value, and so another id, and its samples."""
        lines = (self.folder / "export.xml").read_text().split("\n")
        places = [place for place, line in enumerate(lines) if "StepCount" in line and line.rstrip().endswith("/>")]
        for place in places[:count * 3:3]:
            value = lines[place].split(' value="')[1].split('"')[0]
            lines[place] = lines[place].replace(f' value="{value}"', f' value="{int(value) + 1}"')
        text = "\n".join(lines)
        date = text.split('<ExportDate value="')[1].split('"')[0]
        newer = self.folder / "newer.xml"
        newer.write_text(text.replace(date, "2025-12-31 08:00:00 +0000", 1))
        return newer, expected(str(newer))

    def test_many_deletions_need_few_requests(self):
        log = self.folder / "access.log"
        server = Server(self, "--access-log", log)
        self.historical(server.url)
        newer, wanted = self.with_changed_values(700)
        self.assertGreater(len(self.expected.keys() - wanted.keys()), 600)
        self.historical(server.url, source=newer)
        self.assert_held(server, wanted)
        server.stop()
        operations = [json.loads(line)["operation"] for line in log.read_text().splitlines()]
        self.assertIn(operations.count("POST /api/v1/deletions/steps"), range(1, 5))
        self.assertEqual(operations.count("DELETE /api/v1/steps/{id}"), 0)

    def test_a_server_without_grouped_deletions_gets_single_ones(self):
        peer = Peer(self)
        self.historical(peer.url)
        newer, wanted = self.with_changed_values(40)
        gone = self.expected.keys() - wanted.keys()
        self.assertGreater(len(gone), 30)
        self.historical(peer.url, source=newer)
        with urllib.request.urlopen(peer.url + "/steps", timeout=PATIENCE) as answer:
            held = {sample["uuid"].lower() for sample in json.load(answer)["samples"]}
        self.assertEqual(held, {uuid.lower() for uuid in wanted})

    def test_paused_and_resumed_after_the_source_was_deleted(self):
        server = Server(self)
        self.succeed("pause", "--data-dir", "data")
        held = self.run_program("historical", *self.WORDS, "--source", self.export, "--server", server.url, "--json")
        self.assertEqual(held.returncode, 3, held.stderr)
        self.assertEqual(json.loads(held.stdout)["delivery"]["ending"], "held")
        self.assertEqual(self.held(server), {})
        left = self.intervals("--unsynced")["totals"]
        self.assertEqual(left["waiting"] + left["synced"], left["intervals"])
        self.export.unlink()
        report = self.json_of("resume", "--data-dir", "data", "--zone", "Europe/Paris", "--server", server.url)["delivery"]
        self.assertEqual(report["samples"]["created"], len(self.expected))
        self.assertEqual(report["samples"]["intervals"], left["waiting"])
        self.assert_held(server)

    def test_a_plain_server_gets_every_sample_once(self):
        peer = Peer(self, "--plain")
        result = self.run_program("historical", *self.WORDS, "--source", self.export, "--server", peer.url, "--json")
        report = json.loads(result.stdout)["delivery"]
        self.assertEqual(report["samples"]["accepted"], len(self.expected))
        received = [json.loads(line) for line in (peer.folder / "received.jsonl").read_text().splitlines()]
        steps = [record["id"] for record in received if record["kind"] == "steps"]
        self.assertEqual(len(steps), len(self.expected))
        self.assertEqual(set(steps), self.expected.keys())
        self.assertEqual(peer.state()["violations"], [])
        totals = self.intervals()["totals"]
        self.assertEqual(totals["synced"], totals["intervals"])

    def test_cleared_and_filled_again(self):
        server = Server(self)
        self.historical(server.url)
        self.environment["HEALTHSYNC_SERVER"] = server.url
        refused = self.run_program("clear", "--remote", "--local", "--data-dir", "data", "--zone", "Europe/Paris")
        self.assertEqual(refused.returncode, 64, refused.stderr)
        self.succeed("clear", "--remote", "--local", "--yes", "--data-dir", "data", "--zone", "Europe/Paris")
        self.assertEqual(self.held(server), {})
        self.historical(server.url)
        self.assert_held(server)


if __name__ == "__main__":
    unittest.main()
