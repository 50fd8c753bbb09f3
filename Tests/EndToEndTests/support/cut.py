"""A proxy that passes a number of POST requests and leaves the next ones unanswered, so that tests interrupt runs at
defined events instead of times."""

import sys

from support.harness import PEERS

sys.path.insert(0, str(PEERS / "servers"))
from counting_proxy import CountingProxy  # noqa: E402


class CutLine:
    def __init__(self, test, port):
        self.proxy = CountingProxy(port, method="POST", holds=True)
        test.addCleanup(self.proxy.listener.close)
        self.url = f"http://127.0.0.1:{self.proxy.port}"

    def cut_after(self, requests):
        """Passes this number of further requests and no others."""
        self.proxy.limit(requests)

    def restore(self):
        self.proxy.limit(None)

    def is_cut(self, process):
        """Waits until the last request was passed. Returns False if the process ended before."""
        while process.poll() is None:
            if self.proxy.reached.wait(0.01):
                return True
        return self.proxy.reached.is_set()
