"""Clients that post from several threads."""

import threading

from support.harness import PATIENCE
from support.watch import send_with_retries


class Senders:
    """Posts requests in threads, with retries, to a server that may restart."""

    def __init__(self, test, requests, threads=6):
        self.url, self.failures, self.left = None, [], list(requests)
        self.lock = threading.Lock()
        self.done = threading.Event()
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(threads)]
        test.addCleanup(self.done.set)

    def start(self, url):
        self.url = url
        for thread in self.threads:
            thread.start()
        return self

    def work(self):
        while not self.done.is_set():
            with self.lock:
                if not self.left:
                    return
                request = self.left.pop()
            try:
                answer = send_with_retries(lambda: self.url, request)
                if not answer.accepted:
                    self.failures.append((request.path, answer.status, answer.body[:300]))
            except TimeoutError as error:
                self.failures.append(str(error))

    @property
    def busy(self):
        return any(thread.is_alive() for thread in self.threads)

    def join(self):
        for thread in self.threads:
            thread.join(PATIENCE)
