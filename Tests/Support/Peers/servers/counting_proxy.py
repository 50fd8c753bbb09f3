#!/usr/bin/env python3
"""A TCP proxy that counts what goes through it.

    with CountingProxy(port) as proxy:
        ...                    # speak to http://127.0.0.1:{proxy.port}
    proxy.requests, proxy.bytes

`requests` are request lines of HTTP/1.1 sent by clients, of one `method` if it is named, `bytes` everything in both
directions, heads included. With `cut_after` it lets so many requests through and then closes every connection at once,
or, if it `holds`, leaves what comes without an answer until the next `limit`. `reached` is set as the last request goes
through.
"""

import re
import socket
import threading

LONGEST_REQUEST_LINE = 4096


class CountingProxy:
    def __init__(self, port, cut_after=None, method="[A-Z]+", holds=False):
        self.target, self.cut_after, self.holds = ("127.0.0.1", port), cut_after, holds
        self.request_line = re.compile(rb"%s [^ \r\n]+ HTTP/1\.1\r\n" % method.encode())
        self.requests = self.bytes = 0
        self.reached, self.is_over = threading.Event(), threading.Event()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()

    def limit(self, cut_after):
        """Counts from now on, and cuts after so many; without a number never."""
        with self.lock:
            self.requests, self.cut_after = 0, cut_after
            self.reached.clear()
            self.is_over.set()
            self.is_over = threading.Event()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            server = socket.create_connection(self.target)
        except OSError:
            client.close()  # The server is away, as a client without a proxy would see it.
            return
        with client, server:
            back = threading.Thread(target=self.relay, args=(server, client, False), daemon=True)
            back.start()
            self.relay(client, server, True)
            back.join()

    def relay(self, source, sink, is_request):
        seen = b""
        try:
            while data := source.recv(1 << 16):
                with self.lock:
                    self.bytes += len(data)
                    if is_request:
                        seen = self.count(seen + data)
                    is_beyond = self.cut_after is not None and self.requests > self.cut_after
                    is_over = self.is_over
                if is_beyond:
                    if self.holds:
                        is_over.wait()
                    break
                sink.sendall(data)
                if self.cut_after is not None and self.requests >= self.cut_after:
                    self.reached.set()
        except OSError:
            pass
        self.close(source, sink)

    def count(self, seen):
        """Counts the request lines in what was seen; what may be the beginning of another."""
        end = 0
        for line in self.request_line.finditer(seen):
            self.requests += 1
            end = line.end()
        return seen[end:][-LONGEST_REQUEST_LINE:]

    def close(self, *ends):
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
