"""The receiving server as people run it, filled and tampered with by a client of our own."""

import http.client
import json
import shutil
import signal
import subprocess

from harness import BINARY


class ReceivingProgram:
    """`healthsync serve` over a folder of its own."""

    def __init__(self, test):
        self.test, self.folder = test, test.folder / "server"
        self.process, self.port = None, 0
        test.addCleanup(self.stop)
        self.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self):
        return self.folder / "server" / "received.db"

    def start(self):
        self.process = subprocess.Popen(
            [str(BINARY), "serve", "--data-dir", str(self.folder), "--port", str(self.port)],
            env=self.test.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()
            self.process.stdout.close()

    def backup(self, name):
        """Keeps what is stored under `name`."""
        self.stop()
        shutil.copytree(self.folder, self.test.folder / name)
        self.start()

    def restore(self, name):
        """Goes back to what was stored then."""
        self.stop()
        shutil.rmtree(self.folder)
        shutil.copytree(self.test.folder / name, self.folder)
        self.start()

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request(method, path, json.dumps(body) if body is not None else None)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        self.test.assertEqual(answer.status, 200, data[:2000])
        return json.loads(data)

    def send(self, samples, path="/steps"):
        for first in range(0, len(samples), 5_000):
            self.ask("POST", path, {"samples": samples[first:first + 5_000]})
