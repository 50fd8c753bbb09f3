"""Requests whose framing two programs may read in two ways, as raw bytes, each followed by GET /health.

A probe that is read differently than it is written answers for GET /smuggled, or for a body that is not one of its
own. `probes()` yields (name, bytes); the bytes contain the placeholder @ID@ instead of the id of the sample.
"""

HOST = b"Host: localhost\r\n"
END = b"GET /health HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\n" + HOST + b"\r\n"
BODY = (b'{"samples":[{"uuid":"@ID@","startDate":"2024-01-15T08:00:00Z","endDate":"2024-01-15T09:00:00Z",'
        b'"count":5,"sourceBundleId":"probe"}]}')
SIZE = len(BODY) + 36 - len(b"@ID@")

CONTROLS = [b"\0", b"\x01", b"\x07", b"\x0b", b"\x0c", b"\x1b", b"\x7f"]
INSERTS = CONTROLS + [b"\n", b"\r", b"\r\n", b"\n\r", b"\r\r\n", b" ", b"\t", b":", b",", b";", b"\x80", b"\xff", b"\xc2\x85"]

TARGETS = [b"/health", b"*", b"health", b"//health", b"/health\0", b"/\thealth", b"/health#x", b"http://localhost/health",
           b"HTTP://localhost:80/health?x=1", b"http://localhost", b"http:///health", b"http://a@localhost/health",
           b"https://[::1]/health",
           b"/health HTTP/1.1 ", b"", b" /health", b"/health ", b"/\xff", b"/health\x0b"]
METHODS = [b"GET", b"get", b"HEAD", b"OPTIONS", b"BREW", b"G\tT", b"G(T", b"GET:", b"", b" GET", b"GET\0", b"\xffGET"]
VERSIONS = [b"HTTP/1.1", b"HTTP/1.0", b"HTTP/1.2", b"HTTP/2.0", b"HTTP/0.9", b"HTTP/1.10", b"HTTP/1", b"http/1.1", b"HTTP/1,1",
            b"HTTP/+1.1", b"HTTPS/1.1", b"", b"HTTP/1.1 ", b"HTTP/1.1\t", b"HTTP/ 1.1", b"HTTP/1.1\0"]
LENGTHS = [b"%d", b"+%d", b"-%d", b" %d", b"%d ", b"\t%d\t", b"0%d", b"0x%x", b"%d.0", b"%de0", b"%d,%d", b"%d, 0", b"%d;q=1", b"%d 0",
           b"\x0b%d", b"%d\x0b", b"%d\0", b"\0%d", b"\"%d\"", b"", b"0", b"99999999999999999999", b"18446744073709551616", b"1_0",
           b"\xef\xbc\x91", b"\xc2\xa0%d", b"%d\x85"]
ENCODINGS = [b"chunked", b"Chunked", b"CHUNKED", b" chunked", b"chunked ", b"\tchunked", b"chunked\t", b"\x0bchunked", b"chunked\x0b",
             b"chunked\0", b"\0chunked", b"xchunked", b"chunkedx", b"chunked,", b",chunked", b", chunked", b"chunked, chunked",
             b"identity", b"identity, chunked", b"chunked, identity", b"gzip", b"gzip, chunked", b"chunked;q=1", b"\"chunked\"",
             b"'chunked'", b"chunk", b"", b"cow", b"chunked\x80", b"\xc2\xa0chunked", b"ch\xc3\xbcnked", b"chun\tked", b"chunked\r\n ",
             # The Kelvin sign, whose lower case is k; a combining mark; a character that joins the next one.
             b"chun\xe2\x84\xaaed", b"CHUN\xe2\x84\xaaED", b"chunked\xcc\x81", b"\xd8\x80chunked", b"chunked\xef\xb8\x8f"]
CONNECTIONS = [b"close", b"CLOSE", b" close", b"\tclose", b"close\t", b"x,close", b"x, close", b"x,\tclose", b"x\t,\tclose\t,y", b"x ,close ,y",
               b",close", b"close,", b",,\t,close", b"keep-alive, close", b"close, keep-alive", b"x", b"keep-alive", b"", b",", b"closed",
               b"xclose", b"clos\xc3\xa9", b"clo\xc5\xbfe", b"x\xd8\x80,close", b"x,\xcc\x81close", b"x\xcd\xbeclose", b"x,\xc2\xa0close",
               b"close\xcc\x81", b"x\xf0\x91\x82\xbd,\tclose", b"x;close", b"\"close\""]
NAMES = [b"Content-Length", b"content-length", b"Content-Length ", b"Content-Length\t", b" Content-Length", b"Content\tLength",
         b"Content-Length\0", b"\0Content-Length", b"Content_Length", b"Content-Length\x0b", b"Content-Length\xa0", b"X:Content-Length",
         b"(Content-Length)", b"", b"Content-Length\r", b"Content-Length\n", b"Content\r\n-Length"]
LINES = [b": 1", b":", b":\r\n:", b" folded", b"\tfolded", b" ", b"\t", b"Nonsense", b"Nonsense:", b"A:\r\n b", b"A: b\r\n\tc", b"A: b\r\n c: d",
         b"A: b\n c", b"A: b\nB: c", b"A: b\rB: c", b"A\0: b", b"A: b\0c", b"A: \0", b"A:b\r", b"\rA: b", b"\nA: b", b"A: b\r\r", b"A : b",
         b"A\t: b", b"=: b", b"A: b\x7f", b"A: \x1b[0m", b"\"A\": b", b"A[]: b", b"A: " + b"b" * 20_000, b"A" * 20_000 + b": b"]
SIZES = [b"%x", b"%X", b"0%x", b"0x%x", b"+%x", b"-%x", b" %x", b"%x ", b"\t%x", b"%x\t", b"%x;", b"%x;a", b"%x;a=b", b"%x;a=\"b\"", b"%x ;a=b",
         b"%x; a=b", b"%x;a\0", b"%x;\n", b"%x;a\r", b"%x\0", b"\0%x", b"%xg", b"g%x", b"%x,", b"%x\x0b", b"", b"0", b"00000000000000%x",
         b"0000000000000000000%x", b"1%016x", b"ffffffffffffffff%x", b"%x;" + b"a" * 100, b"%x;" + b"a" * 300, b"%x;" + b"a" * 20_000, b"%x\xff"]
TRAILERS = [b"", b"A: b\r\n", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b": b\r\n", b":\r\n", b" b\r\n", b"A: b\r\n c\r\n",
            b"A\r\n", b"A: b\n", b"A: b\r", b"A: \0\r\n", b"A\0: b\r\n", b"A : b\r\n", b"GET /smuggled HTTP/1.1\r\n", b"\n", b"A: " + b"b" * 20_000 + b"\r\n"]
# A chunk ends with CR LF, and so does the line of its size.
ENDS = [b"\n", b"\r", b"", b"\r\r\n", b"\n\r", b"\0\r\n", b" \r\n", b"\r\n\r\n", b"\r\n ", b"xx"]


def number(form, size):
    return form % ((size,) * form.count(b"%"))


def post(headers, body=BODY):
    return b"POST /steps HTTP/1.1\r\n" + HOST + headers + b"\r\n" + body


def chunked(size=b"%x", after_size=b"\r\n", after_chunk=b"\r\n", last=b"0", after_last=b"\r\n", trailer=b"", end=b"\r\n"):
    return post(b"Transfer-Encoding: chunked\r\n",
                number(size, SIZE) + after_size + BODY + after_chunk + last + after_last + trailer + end)


def heads():
    for name, values, form in [
        ("target", TARGETS, b"GET %s HTTP/1.1\r\n"), ("method", METHODS, b"%s /health HTTP/1.1\r\n"),
        ("version", VERSIONS, b"GET /health %s\r\n"),
    ]:
        for value in values:
            yield f"{name} {value[:20]!r}", form % value + HOST + b"\r\n"
    for line in LINES:
        yield f"line {line[:20]!r} first", b"GET /health HTTP/1.1\r\n" + line + b"\r\n" + HOST + b"\r\n"
        yield f"line {line[:20]!r} last", b"GET /health HTTP/1.1\r\n" + HOST + line + b"\r\n\r\n"
        yield f"line {line[:20]!r} before a body", post(b"Content-Length: %d\r\n" % SIZE + line + b"\r\n")
        yield f"line {line[:20]!r} before chunks", post(b"Transfer-Encoding: chunked\r\n" + line + b"\r\n", b"%x\r\n" % SIZE + BODY + b"\r\n0\r\n\r\n")
    for insert in INSERTS:
        request = b"GET /health HTTP/1.1\r\n" + HOST + b"A: bc\r\n\r\n"
        for place in (0, 3, 4, 11, 12, 20, 21, 22, 26, 27, 28, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47):
            yield f"{insert!r} at {place}", request[:place] + insert + request[place:]


def lengths():
    for value in LENGTHS:
        yield f"length {value!r}", post(b"Content-Length:" + number(value, SIZE) + b"\r\n")
        yield f"length {value!r} and chunks", post(
            b"Content-Length: " + number(value, 5) + b"\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n" + SMUGGLED)
        yield f"two lengths, {value!r}", post(b"Content-Length: %d\r\nContent-Length: " % SIZE + number(value, SIZE) + b"\r\n")
    for name in NAMES:
        yield f"name {name!r}", post(name + b": %d\r\n" % len(SMUGGLED), SMUGGLED)
        yield f"name {name!r} after a length", post(b"Content-Length: 0\r\n" + name + b": %d\r\n" % len(SMUGGLED), SMUGGLED)
    for fold in (b"\r\n ", b"\r\n\t", b"\n ", b"\n\t", b"\r ", b"\r\n\r\n "):
        yield f"folded length {fold!r}", post(b"Content-Length:" + fold + b"%d\r\n" % len(SMUGGLED), SMUGGLED)
        yield f"folded after a length {fold!r}", post(b"Content-Length: 0" + fold + b"%d\r\n" % len(SMUGGLED), SMUGGLED)
        yield f"folded encoding {fold!r}", post(b"Transfer-Encoding:" + fold + b"chunked\r\n", b"0\r\n\r\n" + SMUGGLED)
    for value in ENCODINGS:
        yield f"encoding {value!r}", post(b"Transfer-Encoding:" + value + b"\r\n", b"%x\r\n" % SIZE + BODY + b"\r\n0\r\n\r\n")
        yield f"encoding {value!r} and a length", post(b"Content-Length: 5\r\nTransfer-Encoding: " + value + b"\r\n", b"0\r\n\r\n" + SMUGGLED)
        yield f"two encodings, {value!r}", post(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: " + value + b"\r\n", b"0\r\n\r\n" + SMUGGLED)
        yield f"encoding {value!r} in HTTP/1.0", post(b"Transfer-Encoding: " + value + b"\r\n", b"0\r\n\r\n" + SMUGGLED).replace(b"HTTP/1.1", b"HTTP/1.0", 1)


def chunks():
    for size in SIZES:
        yield f"chunk size {size[:20]!r}", chunked(size=size)
        yield f"last chunk {size[:20]!r}", chunked(last=number(size, 0))
    for end in ENDS:
        for part in ("after_size", "after_chunk", "after_last", "end"):
            yield f"{end!r} {part}", chunked(**{part: end})
            yield f"{end!r} {part}, then a request", chunked(**{part: end}) + SMUGGLED
    for trailer in TRAILERS:
        yield f"trailer {trailer[:20]!r}", chunked(trailer=trailer)
    for insert in INSERTS:
        data = chunked(trailer=b"A: b\r\n")
        start = data.index(b"\r\n\r\n") + 4
        for place in (0, 1, 2, 3, 4):
            yield f"{insert!r} in the chunks at {place}", data[:start + place] + insert + data[start + place:]


def bodies():
    yield "body", post(b"Content-Length: %d\r\n" % SIZE)
    yield "longer body", post(b"Content-Length: %d\r\n" % SIZE, BODY + SMUGGLED)
    yield "shorter body", post(b"Content-Length: %d\r\n" % (SIZE + 20))
    yield "get with a body", b"GET /health HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(SMUGGLED) + SMUGGLED
    yield "head with a body", b"HEAD /health HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(SMUGGLED) + SMUGGLED
    yield "body without a length", post(b"", SMUGGLED)
    yield "expectation", post(b"Content-Length: %d\r\nExpect: 100-continue\r\n" % SIZE)
    yield "upgrade", b"GET /health HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n" + SMUGGLED
    yield "close", b"GET /health HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n" + SMUGGLED
    yield "two hosts", b"GET /health HTTP/1.1\r\n" + HOST + HOST + b"\r\n"
    yield "no host", b"GET /health HTTP/1.1\r\n\r\n"


def connections():
    for value in CONNECTIONS:
        yield f"connection {value!r}", b"GET /health HTTP/1.1\r\n" + HOST + b"Connection:" + value + b"\r\n\r\n" + SMUGGLED
    yield "two connections", b"GET /health HTTP/1.1\r\n" + HOST + b"Connection: x\r\nConnection: y,\tclose\r\n\r\n" + SMUGGLED


def probes():
    for part in (heads, lengths, chunks, bodies, connections):
        for name, data in part():
            yield f"{part.__name__}: {name}", data + END
