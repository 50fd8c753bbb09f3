#!/usr/bin/env python3
"""A small receiving server that stores everything and injects faults by a script.

    receiving_server.py --port 0 --dir DIR [--plain] [--token T] [--script FAULTS.json]

Listens on 127.0.0.1, prints `ready PORT`, and ends on SIGTERM or SIGINT. The
endpoints are those of the receiving API: POST/GET/DELETE /steps, POST /api/v1/sleep,
/api/v1/progress, /api/v1/snapshots, /api/v1/samples/{type}, DELETE /api/v1/{kind}/{id},
GET /api/v1/capabilities, GET /health; and for tests GET /state (everything stored) and
PUT /script (replaces the fault script), both without token, log or faults.

DIR/received.jsonl, requests.jsonl and violations.jsonl are described in receiver/store.py,
the fault script in receiver/script.py. A server that is restarted with the same DIR
continues with the stored data.

--plain  a server without extensions: no capabilities, only /steps and single sleep
         sessions, no gzip, responses of /steps contain only `saved` and `message`
"""

import argparse
import http.server
import json
import signal
import socket
import sys
import threading

sys.dont_write_bytecode = True
from receiver.handler import Handler  # noqa: E402
from receiver.script import Script  # noqa: E402
from receiver.store import Store  # noqa: E402


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, _request, _address):
        """Ignores closed connections; reports any other error."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, socket.timeout)):
            super().handle_error(_request, _address)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--dir", required=True)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--token")
    parser.add_argument("--script")
    options = parser.parse_args(arguments)
    entries = []
    try:
        if options.script:
            with open(options.script, encoding="utf-8") as file:
                entries = json.load(file)
        script = Script(entries)
    except (OSError, ValueError) as error:
        parser.error(f"--script {options.script}: {error}")
    server = Server(("127.0.0.1", options.port), Handler)
    server.store = Store(options.dir, lenient_revisions=options.plain)
    server.script, server.plain, server.token = script, options.plain, options.token
    server.stopping = threading.Event()

    def stop(_signal, _frame):
        server.stopping.set()
        threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    print(f"ready {server.server_address[1]}", flush=True)
    server.serve_forever(poll_interval=0.05)
    server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
