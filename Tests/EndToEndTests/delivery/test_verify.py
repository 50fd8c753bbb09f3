"""`healthsync verify` finds exactly the differences with few requests, and claims nothing that it cannot know.

HEALTHSYNC_VERIFY_SAMPLES sets the number of local samples (default: 20,000).
"""

import datetime
import json
import os
import random
import shutil
import sys
import time
import unittest
import uuid

from support.harness import PATIENCE, Peer, ProgramTest, Server
from support.times import instant, milliseconds

from counting_proxy import CountingProxy
from digests import MASK, sample_content
from received_pages import samples as stored_samples

COUNT = int(os.environ.get("HEALTHSYNC_VERIFY_SAMPLES", 20_000))
BEGIN = datetime.datetime(2014, 3, 1, tzinfo=datetime.timezone.utc)
ROOT = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)


def write_export(path, count):
    """Generates steps of ten years, in order, some minutes apart."""
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
    WORDS = ("--data-dir", "data", "--zone", "UTC")

    def setUp(self):
        super().setUp()
        self.source = write_export(self.folder / "export.xml", COUNT)
        self.server = Server(self)
        self.historical()
        self.succeed("export", *self.WORDS, "--types", "stepCount", "--out", "rows.jsonl")
        rows = map(json.loads, (self.folder / "rows.jsonl").read_text().splitlines())
        names = ("uuid", "startDate", "endDate", "count", "sourceBundleId", "sourceDeviceName")
        self.samples = [{name: row[name] for name in names if name in row} for row in rows]
        self.assertEqual(len(self.samples), COUNT)

    def historical(self, source=None):
        return self.json_of("historical", *self.WORDS, "--metrics", "steps", "--deadline", str(PATIENCE),
                            "--source", source or self.source, "--server", self.server.url)["delivery"]["samples"]

    def verify(self, url, *words):
        result = self.run_program("verify", *self.WORDS, "--server", url, "--json", *words)
        return result.returncode, json.loads(result.stdout) if result.stdout else result.stderr

    def differences(self, types):
        return {(sample["id"], sample["start"].replace("+00:00", "Z"), sample["difference"])
                for kind in types for interval in kind["intervals"] for sample in interval["samples"]}

    def ask(self, method, path, body=None):
        status, _, data = self.server.request(method, path, body)
        self.assertEqual(status, 200, data[:2000])
        return json.loads(data)

    def tamper(self):
        """Deletes, changes and adds a sample as another client; returns the differences that a verification must report."""
        deleted, changed = self.samples[COUNT // 5], self.samples[COUNT // 2]
        self.ask("DELETE", f"/api/v1/steps/{deleted['uuid']}?revision=1")
        added = {**self.samples[COUNT * 4 // 5], "uuid": str(uuid.UUID(int=5 << 64, version=4))}
        changed = {**changed, "count": changed["count"] + 1, "revision": 1}
        self.ask("POST", "/steps", {"samples": [changed, added]})
        return {(deleted["uuid"].lower(), deleted["startDate"], "missing"),
                (changed["uuid"].lower(), changed["startDate"], "changed"),
                (added["uuid"].lower(), added["startDate"], "surplus")}

    def assert_held(self, samples):
        """Checks with Python's sqlite3 that the server's database contains exactly these."""
        held = {str(row["id"]): (row["start"], row["end"], row["value"])
                for row in stored_samples(self.server.database) if not row["deleted"]}
        self.assertEqual(held, {
            sample["uuid"].lower(): (milliseconds(sample["startDate"]), milliseconds(sample["endDate"]), sample["count"])
            for sample in samples})

    def test_finds_and_repairs_exactly_the_differences_with_few_requests(self):
        status, report = self.verify(self.server.url)
        self.assertEqual((status, report["equal"], report["types"][0]["samples"]), (0, True, COUNT))

        expected = self.tamper()
        with CountingProxy(self.server.port) as proxy:
            begin = time.monotonic()
            status, report = self.verify(f"http://127.0.0.1:{proxy.port}")
        print(f"{COUNT} samples, 3 differences: {proxy.requests} requests, {proxy.bytes} bytes, "
              f"{time.monotonic() - begin:.1f} s", file=sys.stderr)
        self.assertEqual(status, 4)
        self.assertEqual(self.differences(report["types"]), expected)
        self.assertLess(proxy.requests, 100)
        self.assertLess(proxy.bytes, 200_000)

        day = self.samples[COUNT // 2]["startDate"][:10]
        status, report = self.verify(self.server.url, "--from", day, "--to", day)
        self.assertEqual({what for _, _, what in self.differences(report["types"])}, {"changed"})

        status, report = self.verify(self.server.url, "--repair")
        self.assertEqual((status, report["equal"]), (0, True))
        self.assertEqual(self.differences(report["repair"]["found"]), expected)
        self.assertEqual(report["repair"]["deleted"], 1)
        self.assert_held(self.samples)
        status, report = self.verify(self.server.url)
        self.assertEqual((status, report["equal"]), (0, True))
        self.assertEqual(self.historical()["sent"], 0, "a repaired server receives nothing again")

    def test_a_server_restored_from_an_older_backup_gets_back_what_it_lost(self):
        backup = self.folder / "backup"
        self.server.stop()
        shutil.copytree(self.server.data, backup)
        self.server = Server(self, port=self.server.port)
        # After the backup, one day of samples is deleted, and others are added.
        lines = self.source.read_text().replace("2025-01-01 08:00", "2025-06-01 08:00").splitlines()
        gone = set(range(3 + COUNT // 2, 3 + COUNT // 2 + 40))
        late = [line.replace('sourceName="Watch"', 'sourceName="Band"') for line in lines[3 + COUNT // 3:3 + COUNT // 2]]
        newer = self.folder / "newer.xml"
        newer.write_text("\n".join([line for number, line in enumerate(lines[:-1]) if number not in gone] + late + lines[-1:]))
        self.historical(newer)
        complete = [row for row in stored_samples(self.server.database) if not row["deleted"]]
        self.assertEqual(len(complete), COUNT - len(gone) + len(late))
        self.server.stop()
        shutil.rmtree(self.server.data)
        shutil.copytree(backup, self.server.data)
        self.server = Server(self, port=self.server.port)
        self.assertEqual(self.historical(newer)["sent"], 0, "the client does not notice the restore")

        status, report = self.verify(self.server.url)
        counts = report["types"][0]
        self.assertEqual((status, counts["missing"], counts["surplus"]), (4, len(late), len(gone)))
        status, report = self.verify(self.server.url, "--repair")
        self.assertEqual((status, report["equal"]), (0, True), report)
        self.assertEqual(report["repair"]["delivery"]["samples"]["created"], len(late))
        key = lambda row: (row["id"].int, row["start"], row["end"], row["value"])
        held = [row for row in stored_samples(self.server.database) if not row["deleted"]]
        self.assertEqual(sorted(map(key, held)), sorted(map(key, complete)))

    def test_digests_match_the_database(self):
        self.tamper()
        instants = [ROOT, *(instant(sample["startDate"]) for sample in self.samples[:: COUNT // 7])]
        rows = [row for row in stored_samples(self.server.database) if not row["deleted"]]
        self.assertEqual(len(rows), COUNT)
        for exponent in (9, 14, 22, 30):
            length = 1 << exponent
            starts = sorted({ROOT + (at - ROOT) // datetime.timedelta(seconds=length) * datetime.timedelta(seconds=length)
                             for at in instants})
            answer = self.ask("GET", f"/api/v1/digest?type=steps&seconds={length}&start="
                              + ",".join(f"{start:%Y-%m-%dT%H:%M:%SZ}" for start in starts))
            for start, digest in zip(starts, answer["intervals"], strict=True):
                first = int(start.timestamp() * 1000)
                for part, begin, size in ((digest, first, length), (digest["halves"][0], first, length // 2),
                                          (digest["halves"][1], first + length * 500, length // 2)):
                    within = [row for row in rows if begin <= row["start"] < begin + size * 1000]
                    self.assertEqual(part["count"], len(within))
                    self.assertEqual(int(part["sum"], 16), sum(row["id"].int for row in within) % (1 << 128))
                    self.assertEqual(int(part["content"], 16), sum(map(sample_content, within)) & MASK)

    def test_an_interruption_claims_and_loses_nothing(self):
        self.tamper()
        for requests in (0, 1, 5, 12):
            with CountingProxy(self.server.port, cut_after=requests) as proxy:
                status, said = self.verify(f"http://127.0.0.1:{proxy.port}")
            self.assertEqual(status, 3, said)
            self.assertIn("serverUnavailable", said)
        # To the outbox the proxy is another destination, so the interrupted repair must continue through the same port.
        with CountingProxy(self.server.port) as proxy:
            for requests in (0, 8, 30, 48, None):
                proxy.limit(requests)
                words = ("--repair",) if requests is None else ("--repair", "--deadline", "1")
                status, said = self.verify(f"http://127.0.0.1:{proxy.port}", *words)
                self.assertIn(status, (0, 3), said)
        self.assertEqual(status, 0, said)
        self.assert_held(self.samples)

    def test_a_plain_server_cannot_be_verified(self):
        peer = Peer(self, "--plain")
        for words in ((), ("--repair",)):
            status, said = self.verify(peer.url, *words)
            self.assertEqual(status, 5, said)
            self.assertIn("this destination cannot be verified", said)
        requests = [json.loads(line) for line in (peer.folder / "requests.jsonl").read_text().splitlines()]
        self.assertEqual([request["method"] for request in requests], ["GET", "GET"])


if __name__ == "__main__":
    unittest.main()
