#!/usr/bin/env python3
"""A TCP proxy that counts requests and bytes.

    with CountingProxy(port) as proxy:
        ...                    # send requests to http://127.0.0.1:{proxy.port}
    proxy.requests, proxy.bytes

`requests` counts the HTTP/1.1 request lines that clients send, of one `method` if given. `bytes` counts all bytes in both
directions, including heads. With `cut_after` the proxy forwards this number of requests and then closes every connection
immediately or, with `holds`, keeps later requests without a response until the next `limit`. `reached` is set when the
last request is forwarded.
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
        """Resets the counter and closes connections after `cut_after` requests; never if it is None."""
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
            client.close()  # The server is down; the client sees the same as without a proxy.
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
        """Counts the request lines in `seen`; returns the rest, which may be the start of another one."""
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
