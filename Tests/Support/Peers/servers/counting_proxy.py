#!/usr/bin/env python3
"""A TCP proxy that counts what goes through it.

    with CountingProxy(port) as proxy:
        ...                    # speak to http://127.0.0.1:{proxy.port}
    proxy.requests, proxy.bytes

`requests` are request lines of HTTP/1.1 sent by clients, `bytes` everything in both directions, heads included. With
`cut_after` it lets so many requests through and then closes every connection at once.
"""

import socket
import threading

END_OF_REQUEST_LINE = b" HTTP/1.1\r\n"


class CountingProxy:
    def __init__(self, port, cut_after=None):
        self.target, self.cut_after = ("127.0.0.1", port), cut_after
        self.requests = self.bytes = 0
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

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client, socket.create_connection(self.target) as server:
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
                        seen = seen[-(len(END_OF_REQUEST_LINE) - 1):] + data
                        self.requests += seen.count(END_OF_REQUEST_LINE)
                    if self.cut_after is not None and self.requests > self.cut_after:
                        break
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
