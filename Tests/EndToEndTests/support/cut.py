"""A way to the server on which so many POST requests pass and the next ones get no answer, so that what a test interrupts is
told by what happened and never by the clock."""

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
        """Lets so many requests through from now on, and no other."""
        self.proxy.limit(requests)

    def mend(self):
        self.proxy.limit(None)

    def is_cut(self, process):
        """Waits until the last request is on its way; false where the process ended before."""
        while process.poll() is None:
            if self.proxy.reached.wait(0.01):
                return True
        return self.proxy.reached.is_set()
