"""A server with posts of phones that wait, as `pull` fetches them, and that answers as no good server does.

    with EvilInbox() as server:
        server.posts = {identity: archived()}       # id -> a line of JSON and the body
        server.list = answers["a list in reverse"]  # also: fetch, delete
        ...                                         # pull from http://127.0.0.1:{server.port}
    server.deleted, server.requests

`LISTS`, `POSTS` and `DELETIONS` are the answers to each kind of request, `HEADS` and `FILES` the damaged posts.
"""

import http.server
import itertools
import json
import socket
import sys
import threading
import time
import urllib.parse

RECEIVED = 1_704_067_200_000
MINUTE = 60_000
JSON = {"Content-Type": "application/json"}
# How long an answer without an end goes on, at most: the client gives up much earlier.
LONGEST = 60


def identity(number, hour=0, archive="5eed5eed5eed5eed"):
    """Returns the id of the post number `number`."""
    return f"20240101T{hour:02}{number // 60 % 60:02}{number % 60:02}000-{number // 3600:04}-{archive}"


def head(**changes):
    members = {"version": 1, "method": "POST", "path": ["api"], "query": {}, "device": "phone",
               "headers": [{"name": "content-type", "value": "application/json"}], "receivedAtMilliseconds": RECEIVED, **changes}
    return {name: value for name, value in members.items() if value is not ABSENT}


ABSENT = object()


def archived(body=b"{}", **changes):
    """Returns a post in its archived form."""
    return json.dumps(head(**changes)).encode() + b"\n" + body


class EvilInbox(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self):
        self.posts, self.deleted, self.requests = {}, [], []
        self.lock = threading.Lock()
        self.behave()
        super().__init__(("127.0.0.1", 0), Handler)
        self.port = self.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def behave(self):
        """Answers as a good server does from now on."""
        self.list, self.fetch, self.delete = good_list, good_fetch, good_delete

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, address):
        """Ignores closed connections; reports any other error."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, socket.timeout)):
            super().handle_error(request, address)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    path_of_posts = "/api/v1/inbox/posts"

    def log_message(self, *_):
        pass

    def reply(self, body=b"{}", status=200, fields=JSON):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        if "Content-Length" not in fields:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, pieces, status=200):
        """Sends pieces until the client closes the connection, at the end of which it is closed."""
        self.close_connection = True
        self.send_response(status)
        self.send_header("Connection", "close")
        self.end_headers()
        end = time.monotonic() + LONGEST
        for piece in pieces:
            if time.monotonic() > end:
                return
            self.wfile.write(piece)

    def do_GET(self):
        target = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(target.query, keep_blank_values=True))
        with self.server.lock:
            self.server.requests.append(f"GET {self.path}")
        if target.path == self.path_of_posts:
            self.server.list(self, query.get("after"))
        else:
            self.server.fetch(self, urllib.parse.unquote(target.path.rsplit("/", 1)[1]))

    def do_DELETE(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        with self.server.lock:
            self.server.requests.append(f"DELETE {self.path}")
        self.server.delete(self, query.get("ids", "").split(","))


# Good answers.

def good_list(handler, after):
    with handler.server.lock:
        posts = sorted(handler.server.posts.items())
    following = [(name, content) for name, content in posts if after is None or name > after][:100]
    handler.reply(listed((name, len(content)) for name, content in following))


def good_fetch(handler, name):
    content = handler.server.posts.get(name)
    handler.reply(b"{}", 404) if content is None else handler.reply(content, fields={"Content-Type": "application/octet-stream"})


def good_delete(handler, names):
    with handler.server.lock:
        for name in names:
            if handler.server.posts.pop(name, None) is not None:
                handler.server.deleted.append(name)
    handler.reply()


def listed(posts):
    return json.dumps({"posts": [{"id": name, "bytes": size} for name, size in posts]}).encode()


# Lists.

LISTS = {}


def fixed(body, status=200, fields=JSON):
    return lambda handler, _: handler.reply(body, status, fields)


def changed(change):
    """A list of the posts that wait, as `change` returns it."""
    def answer(handler, after):
        names = [name for name in sorted(handler.server.posts) if after is None or name > after]
        handler.reply(listed(change([(name, len(handler.server.posts[name])) for name in names])))
    return answer


def endless(page):
    """Lists ever higher ids of posts that do not exist."""
    def answer(handler, after):
        first = 0 if after is None else int(after[-16:], 16) + 1
        names = (f"20250101T000000000-0000-{number:016x}" for number in itertools.count(first))
        handler.reply(listed((name, 4096) for name in itertools.islice(names, page)))
    return answer


def define_lists():
    for name, body in {
        "nothing": b"", "null": b"null", "an object": b"{}", "no posts": b'{"posts":null}', "an object as posts": b'{"posts":{}}',
        "posts without ids": b'{"posts":[{"bytes":1}]}', "posts without sizes": b'{"posts":[{"id":"a"}]}',
        "numbers as ids": b'{"posts":[{"id":1,"bytes":1}]}', "a page": b"<html></html>", "deep lists": b"[" * 100_000,
        "5 MiB of spaces": b" " * (5 << 20), "half a list": b'{"posts":[{"id":"2024', "NUL bytes": bytes(100),
        "a number beyond 64 bits": b'{"posts":[{"id":"a","bytes":9223372036854775808}]}',
        "a fraction": b'{"posts":[{"id":"a","bytes":1.5}]}',
    }.items():
        LISTS[name] = fixed(body)
    for status in (201, 202, 204, 205, 206, 207, 208, 226, 300, 304, 400, 401, 403, 404, 409, 410, 422, 500, 503):
        LISTS[f"status {status}"] = fixed(b"" if status in (204, 304) else b'{"posts":[]}', status)
    LISTS["a redirect"] = fixed(b"", 302, {"Location": "http://127.0.0.1:9/"})
    for size in (-(1 << 63), -1, 0, 1 << 40, (1 << 63) - 1):
        LISTS[f"posts of {size} bytes"] = changed(lambda posts, size=size: [(name, size) for name, _ in posts])
    LISTS["a list in reverse"] = changed(lambda posts: posts[::-1])
    LISTS["each post twice"] = changed(lambda posts: [post for post in posts for _ in range(2)])
    LISTS["the list twice"] = changed(lambda posts: posts * 2)
    LISTS["a list that begins again"] = lambda handler, _: good_list(handler, None)
    LISTS["the same post for ever"] = lambda handler, _: handler.reply(listed([(sorted(handler.server.posts or {"x": 0})[0], 10)]))
    for page in (1, 1_000, 30_000):
        LISTS[f"a list without an end, {page} a page"] = endless(page)
    LISTS["a body without an end"] = lambda handler, _: handler.stream(itertools.repeat(b" " * 65_536))
    for name in ("", ".", "..", "../../../../tmp/x", "/etc/passwd", "a\0b", "é", "x" * 100_000, "20240101T000000000",
                 "20240230T000000000-0000-00", "00010101T000000000-0000-00", "99991231T235959999-9999-ffffffffffffffff",
                 "22010101T000000000-0000-00", "18991231T235959999-0000-00", "20240101T000000000-" + "0" * 30,
                 "20240101T000000000-0000-zz", "20240101T000000000/0000-00"):
        LISTS[f"the id {name[:40]!r}"] = changed(lambda posts, name=name: sorted([(name, 10), *posts]))


# Posts.

POSTS = {}


def define_posts():
    def truncated(handler, name):
        content = handler.server.posts[name]
        handler.close_connection = True
        handler.reply(content[:len(content) // 2], fields={"Content-Length": str(len(content))})

    def dripped(handler, name):
        """A line that never ends, at a rate that is not a standstill."""
        def pieces():
            while True:
                yield b" " * 100
                time.sleep(0.1)
        handler.stream(pieces())

    for status in (204, 205, 206, 304, 401, 403, 404, 410, 500, 503):
        POSTS[f"status {status}"] = fixed(b"" if status in (204, 304) else b"{}", status)
    POSTS["half a post"] = truncated
    POSTS["nothing"] = fixed(b"")
    POSTS["a page"] = fixed(b"<html>\n</html>")
    POSTS["a line without an end"] = lambda handler, _: handler.stream(itertools.repeat(b" " * 65_536))
    POSTS["a body without an end"] = lambda handler, _: handler.stream(itertools.chain([archived()], itertools.repeat(bytes(65_536))))
    POSTS["a line in drips"] = dripped


# Answers to the request to delete archived posts.

DELETIONS = {f"status {status}": fixed(b"{}" if status not in (204, 304) else b"", status)
             for status in (200, 202, 204, 207, 304, 400, 401, 403, 404, 409, 410, 500)}
DELETIONS["a body without an end"] = lambda handler, _: handler.stream(itertools.repeat(b" " * 65_536))

# Heads of which no program writes any, by name.
TIMES = [
    -(1 << 63), -(1 << 63) + 1, -(10 ** 15), -62_167_219_200_001, -62_167_219_200_000, -62_135_596_800_001, -62_135_596_800_000,
    -2_208_988_800_001, 7_289_654_400_000, 253_402_300_799_999, 253_402_300_800_000, 10 ** 15, 1 << 53, 1 << 62,
    (1 << 63) - 86_400_001, (1 << 63) - 1, 1 << 63, -(1 << 63) - 1, 1e300, -1e300, 1.5, None, "x", "1704067200000", True, [], {}, ABSENT,
]
GOOD_TIMES = [-2_208_988_800_000, -1, 0, RECEIVED, 7_289_654_399_999]
OTHERS = {
    "version": [0, 2, -1, (1 << 63) - 1, 1e300, "1", None, ABSENT],
    "method": ["", " ", "GET /", "P\0ST", "A\nB", "é", "x" * 100_000, 1, None, [], ABSENT],
    "path": ["", 1, None, {}, [1], [None], ABSENT],
    "query": ["", 1, None, [], {"a": 1}, {"a": None}, ABSENT],
    "headers": ["", 1, None, {}, [1], [None], [{}], [{"name": "a"}], [{"name": 1, "value": "b"}], ABSENT],
    "device": ["..", "a/b", "A", "a\nb", "a\0b", "é", "\x1b[2J", "x" * 65, "x" * 100_000, 1, None, [], ABSENT],
}


def damaged_heads():
    """Returns archived posts with a damaged head, by name."""
    return {f"{name} {'absent' if value is ABSENT else repr(value)[:40]}": archived(**{name: value})
            for name, values in {"receivedAtMilliseconds": TIMES, **OTHERS}.items() for value in values}


def damaged_files():
    """Returns files that are not posts, by name."""
    good = archived()
    return {
        "nothing": b"", "a line feed": b"\n", "no line feed": good[:good.index(b"\n")], "half a line": good[:40], "NUL bytes": bytes(4096),
        "NUL bytes and a line feed": bytes(4096) + b"\n", "a list": b"[]\n{}", "null": b"null\n", "a number": b"1\n", "a page": b"<html>\n",
        "not UTF-8": good.replace(b"phone", b"ph\xff\xfee"), "deep lists": b"[" * 100_000 + b"\n", "deep objects": b'{"a":' * 100_000 + b"\n",
        "a line of 3 MiB": b" " * (3 << 20) + good, "a line of 3 MiB without an end": b" " * (3 << 20), "two heads": good[:-3] + good,
        "a byte order mark": b"\xef\xbb\xbf" + good[:-3], "UTF-16": good.decode().encode("utf-16"),
    }


define_lists()
define_posts()
