"""Sends requests as phones do, with http.client only."""

import gzip
import http.client
import time
import urllib.parse

from senders.neutral import Request

PLACES = ("bearer", "raw", "X-API-Key", "api-key", "path")


def authorize(request, token, place="bearer"):
    """Returns the request with the token in a header or in the path."""
    if place == "path":
        rest = request.path if request.path.startswith("/") else "/" + request.path
        return Request(request.method, f"/device/{token}{'' if rest == '/' else rest}", request.headers, request.body)
    headers = {"bearer": {"Authorization": f"Bearer {token}"}, "raw": {"Authorization": token}}.get(place, {place: token})
    return Request(request.method, request.path, {**request.headers, **headers}, request.body)


def compressed(request):
    """Returns the request with a gzip body."""
    return Request(request.method, request.path, {**request.headers, "Content-Encoding": "gzip"}, gzip.compress(request.body))


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def accepted(self):
        return 200 <= self.status < 300


def send(base, request, timeout=1200):
    """Sends the request on its own connection. Raises OSError or http.client.HTTPException without an answer."""
    parts = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)
    try:
        connection.request(request.method, parts.path.rstrip("/") + request.path, request.body, request.headers)
        answer = connection.getresponse()
        return Answer(answer.status, dict(answer.headers), answer.read())
    finally:
        connection.close()


def send_with_retries(base, request, limit=1200, pause=0.05):
    """Sends until the answer is neither 408, 429 nor 5xx, as apps do. `base` is a function: the server may move."""
    deadline = time.monotonic() + limit
    while True:
        try:
            answer = send(base(), request)
            if answer.status < 500 and answer.status not in (408, 429):
                return answer
        except (OSError, http.client.HTTPException):
            pass
        if time.monotonic() > deadline:
            raise TimeoutError(f"no answer to {request.method} {request.path} in {limit} s")
        time.sleep(pause)
