#!/usr/bin/env python3
"""Sends requests with ambiguous framing to a receiving server, and compares its reading of them with that of h11.

    probe_framing.py --port PORT [--only TEXT] [--sample N] [--through-proxy]

A server may be stricter than h11: then it must answer 400, 408, 411, 413, 414, 417, 431, 501 or 505 and close the
connection, or close it without an answer. Otherwise its answers must be those of the requests that h11 reads, in their
order, and the stored samples must be those of the bodies that h11 reads. Behind a proxy, which reads the
requests first and forwards what it makes of them, requests of other clients over the same connection to the server must
get their own answers. Prints each failure and a count; exits with 1 after a failure.
Needs h11 from PyPI.
"""

import argparse
import http.client
import json
import re
import socket
import sys
import uuid

import h11

import framing_probes

STRICT = {400, 408, 411, 413, 414, 417, 431, 501, 505}


def expected(data):
    """Returns (method, path, body) of each request that h11 reads, and whether it rejects what follows."""
    found, rest = [], data
    while rest:
        # One empty line before a request is allowed (RFC 9112, section 2.2); h11 rejects it.
        rest = rest[2:] if rest.startswith(b"\r\n") else rest
        connection = h11.Connection(h11.SERVER)
        connection.receive_data(rest)
        method, path, body = None, None, b""
        try:
            while True:
                event = connection.next_event()
                if event is h11.NEED_DATA:
                    connection.receive_data(b"")
                    if connection.next_event() is h11.NEED_DATA:
                        return found, True
                    return found, True
                if isinstance(event, h11.Request):
                    method, path = event.method.decode(), event.target.decode("latin-1")
                elif isinstance(event, h11.Data):
                    body += bytes(event.data)
                elif isinstance(event, h11.EndOfMessage):
                    break
                else:
                    return found, True
        except h11.RemoteProtocolError:
            return found, True
        found.append((method, path, body))
        rest = connection.trailing_data[0]
        if connection.their_state is h11.MUST_CLOSE:
            return found, False
    return found, False


def answers(data, methods):
    """Returns the status and body of each final response."""
    found, rest = [], data
    while rest:
        connection = h11.Connection(h11.CLIENT)
        method = methods[len(found)] if len(found) < len(methods) else "GET"
        connection.send(h11.Request(method=method if method == "HEAD" else "GET", target="/", headers=[("Host", "x")]))
        connection.send(h11.EndOfMessage())
        connection.receive_data(rest)
        connection.receive_data(b"")
        status, body = None, b""
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Response):
                status = event.status_code
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                break
            elif not isinstance(event, h11.InformationalResponse):
                raise h11.RemoteProtocolError(f"no response: {event}")
        found.append((status, body))
        rest = connection.trailing_data[0]
    return found


def exchange(port, data):
    """Returns everything that the server sends until it closes the connection; None if it does not close it."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=1200) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(1 << 16):
                received += piece
        except TimeoutError:
            return None
        except OSError:
            pass
    return received


def fits(request, answer):
    """Returns whether the answer is one to the request."""
    method, path, body = request
    # An absolute target (RFC 9112, section 3.2.2).
    path = re.sub(r"^https?://[^/?#@]+", "", path, flags=re.I).partition("?")[0]
    status, content = answer
    if path in ("", "/"):
        return status in (200, 303) and method in ("GET", "HEAD") or status == 405
    if method not in ("GET", "HEAD", "POST"):
        return status in (400, 404, 405, 501) or (method, status, content) == ("OPTIONS", 200, b"")
    if path == "/health":
        return status == 200 and (method == "HEAD" or json.loads(content) == {"status": "ok"}) or (status, method) == (405, "POST")
    if path == "/steps" and method == "POST":
        try:
            samples = json.loads(body)["samples"]
        except (ValueError, KeyError, TypeError):
            return status == 400 and b'"error"' in content
        return status == 200 and json.loads(content)["received"] == len(samples)
    return status in (400, 404, 405)


def verdict(data, received):
    """Returns what is wrong, or None."""
    if received is None:
        return "the connection stays open"
    requests, rejects = expected(data)
    try:
        found = answers(received, [method for method, _, _ in requests])
    except h11.RemoteProtocolError as error:
        return f"unreadable answers: {error}: {received[:200]!r}"
    if found and found[-1][0] in STRICT and not (len(found) <= len(requests) and fits(requests[len(found) - 1], found[-1])):
        found.pop()
    elif not rejects and len(found) < len(requests) and received:
        return f"{len(found)} answers to {len(requests)} requests, without a rejection"
    if len(found) > len(requests):
        return f"{len(found)} answers {[status for status, _ in found]} where h11 reads {len(requests)} requests"
    for request, answer in zip(requests, found):
        if not fits(request, answer):
            return f"the answer {answer[0]} {answer[1][:80]!r} to {request[0]} {request[1]}"
    return None


def health(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1200)
    try:
        connection.request("GET", "/health")
        answer = connection.getresponse()
        return (answer.status, json.loads(answer.read())) == (200, {"status": "ok"})
    except (OSError, ValueError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--only", default="", help="only the probes whose name contains this text")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="only every Nth probe")
    parser.add_argument("--through-proxy", action="store_true")
    options = parser.parse_args()
    failures, allowed, count = [], set(), 0
    for number, (name, data) in enumerate(framing_probes.probes()):
        if options.only not in name or number % options.sample:
            continue
        count += 1
        data = data.replace(b"@ID@", str(uuid.uuid4()).encode())
        for _, path, body in expected(data)[0]:
            try:
                allowed |= {sample["uuid"].lower() for sample in json.loads(body)["samples"]} if path == "/steps" else set()
            except (ValueError, KeyError, TypeError):
                pass
        received = exchange(options.port, data)
        problem = None if options.through_proxy else verdict(data, received)
        if problem:
            failures.append(f"{name}: {problem}")
        if not all(health(options.port) for _ in range(3 if options.through_proxy else 1)):
            failures.append(f"{name}: another client got no or a wrong answer")
    connection = http.client.HTTPConnection("127.0.0.1", options.port, timeout=1200)
    connection.request("GET", "/steps")
    stored = {sample["uuid"].lower() for sample in json.loads(connection.getresponse().read())["samples"]}
    connection.close()
    if stored - allowed and not options.through_proxy:
        failures.append(f"{len(stored - allowed)} samples are stored that no request contains as h11 reads it")
    if not options.only and not stored:
        failures.append("no sample of a valid request is stored")
    for failure in failures:
        print(failure)
    print(f"{count} probes, {len(stored)} stored samples, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
