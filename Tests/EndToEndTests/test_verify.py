"""`healthsync verify` tells exactly in what the server differs, cheaply, and claims nothing that it does not know.

HEALTHSYNC_VERIFY_SAMPLES says how many samples there are at home (20,000).
"""

import datetime
import json
import os
import random
import struct
import sys
import unittest
import uuid

from harness import PEERS, Peer, ProgramTest
from receiving_program import ReceivingProgram

sys.path.insert(0, str(PEERS))
from counting_proxy import CountingProxy  # noqa: E402
from received_pages import samples as stored_samples  # noqa: E402

COUNT = int(os.environ.get("HEALTHSYNC_VERIFY_SAMPLES", 20_000))
BEGIN = datetime.datetime(2014, 3, 1, tzinfo=datetime.timezone.utc)
ROOT = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)
MASK = (1 << 64) - 1


def mixed(word):
    word = (word + 0x9E3779B97F4A7C15) & MASK
    word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ word >> 27) * 0x94D049BB133111EB) & MASK
    return word ^ word >> 31


def content(row):
    """What docs/server.md says of the content of a sample of whole steps."""
    bits = struct.unpack("<Q", struct.pack("<d", row["value"]))[0]
    state = mixed(row["id"].int & MASK ^ row["start"] & MASK)
    return mixed(mixed(state ^ row["end"] & MASK) ^ bits)


def write_export(path, count):
    """Steps of ten years, in order, some minutes apart."""
    generator = random.Random(count)
    pause = 10 * 365 * 86_400 // count
    at = BEGIN
    with open(path, "w") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_US">\n'
                   ' <ExportDate value="2025-01-01 08:00:00 +0000"/>\n')
        for _ in range(count):
            end = at + datetime.timedelta(seconds=generator.randrange(1, max(2, pause)))
            file.write(
                f' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count"'
                f' startDate="{at:%Y-%m-%d %H:%M:%S} +0000" endDate="{end:%Y-%m-%d %H:%M:%S} +0000"'
                f' value="{generator.randrange(1, 500)}"/>\n')
            at += datetime.timedelta(seconds=pause)
        file.write("</HealthData>\n")
    return path


class Verify(ProgramTest):
    def setUp(self):
        super().setUp()
        source = write_export(self.folder / "export.xml", COUNT)
        self.succeed("historical", "--source", source, "--metrics", "steps", "--zone", "UTC", "--data-dir", "data")
        self.succeed("export", "--data-dir", "data", "--zone", "UTC", "--types", "stepCount", "--out", "rows.jsonl")
        rows = map(json.loads, (self.folder / "rows.jsonl").read_text().splitlines())
        names = ("uuid", "startDate", "endDate", "count", "sourceBundleId", "sourceDeviceName")
        self.samples = [{name: row[name] for name in names if name in row} for row in rows]
        self.assertEqual(len(self.samples), COUNT)

    def verify(self, url, *words):
        result = self.run_program("verify", "--data-dir", "data", "--zone", "UTC", "--server", url, "--json", *words)
        return result.returncode, json.loads(result.stdout) if result.stdout else result.stderr

    def differences(self, report):
        return {(sample["id"], sample["start"], sample["difference"])
                for kind in report["types"] for interval in kind["intervals"] for sample in interval["samples"]}

    def tamper(self, server):
        """One deleted, one changed, one added; what a verification must name."""
        deleted, changed = self.samples[COUNT // 5], self.samples[COUNT // 2]
        server.ask("DELETE", f"/api/v1/steps/{deleted['uuid']}?revision=1")
        server.send([{**changed, "count": changed["count"] + 1, "revision": 1}])
        added = {**self.samples[COUNT * 4 // 5], "uuid": str(uuid.UUID(int=5 << 64, version=4))}
        server.send([added])
        return {(deleted["uuid"].lower(), deleted["startDate"], "missing"),
                (changed["uuid"].lower(), changed["startDate"], "changed"),
                (added["uuid"].lower(), added["startDate"], "surplus")}

    def test_finds_what_differs_in_few_requests(self):
        server = ReceivingProgram(self)
        server.send(self.samples)
        status, report = self.verify(server.url)
        self.assertEqual((status, report["equal"], report["types"][0]["samples"]), (0, True, COUNT))

        expected = self.tamper(server)
        with CountingProxy(server.port) as proxy:
            status, report = self.verify(f"http://127.0.0.1:{proxy.port}")
        print(f"{COUNT} samples, 3 differences: {proxy.requests} requests, {proxy.bytes} bytes", file=sys.stderr)
        self.assertEqual(status, 4)
        self.assertEqual({(name, start.replace("+00:00", "Z"), what) for name, start, what in self.differences(report)},
                         expected)
        self.assertLess(proxy.requests, 100)
        self.assertLess(proxy.bytes, 200_000)

        day = self.samples[COUNT // 2]["startDate"][:10]
        status, report = self.verify(server.url, "--from", day, "--to", day)
        self.assertEqual({what for _, _, what in self.differences(report)}, {"changed"})

    def test_digests_are_those_of_the_database(self):
        server = ReceivingProgram(self)
        server.send(self.samples)
        self.tamper(server)
        instants = [ROOT, *(datetime.datetime.fromisoformat(sample["startDate"].replace("Z", "+00:00"))
                            for sample in self.samples[:: COUNT // 7])]
        rows = [row for row in stored_samples(server.database) if not row["deleted"]]
        self.assertEqual(len(rows), COUNT)
        for exponent in (9, 14, 22, 30):
            length = 1 << exponent
            starts = sorted({ROOT + (at - ROOT) // datetime.timedelta(seconds=length) * datetime.timedelta(seconds=length)
                             for at in instants})
            answer = server.ask("GET", f"/api/v1/digest?type=steps&seconds={length}&start="
                                + ",".join(f"{start:%Y-%m-%dT%H:%M:%SZ}" for start in starts))
            for start, told in zip(starts, answer["intervals"], strict=True):
                first = int(start.timestamp() * 1000)
                for part, begin, size in ((told, first, length), (told["halves"][0], first, length // 2),
                                          (told["halves"][1], first + length * 500, length // 2)):
                    within = [row for row in rows if begin <= row["start"] < begin + size * 1000]
                    self.assertEqual(part["count"], len(within))
                    self.assertEqual(int(part["sum"], 16), sum(row["id"].int for row in within) % (1 << 128))
                    self.assertEqual(int(part["content"], 16), sum(map(content, within)) & MASK)

    def test_cut_off_in_the_middle_nothing_is_claimed(self):
        server = ReceivingProgram(self)
        server.send(self.samples)
        self.tamper(server)
        for requests in (0, 1, 5, 12):
            with CountingProxy(server.port, cut_after=requests) as proxy:
                status, said = self.verify(f"http://127.0.0.1:{proxy.port}")
            self.assertEqual(status, 3, said)
            self.assertIn("serverUnavailable", said)

    def test_a_plain_server_cannot_be_verified(self):
        peer = Peer(self, "--plain")
        status, said = self.verify(peer.url)
        self.assertEqual(status, 5, said)
        self.assertIn("this server cannot be verified", said)
        requests = [json.loads(line) for line in (peer.folder / "requests.jsonl").read_text().splitlines()]
        self.assertEqual([request["method"] for request in requests], ["GET"])


if __name__ == "__main__":
    unittest.main()
