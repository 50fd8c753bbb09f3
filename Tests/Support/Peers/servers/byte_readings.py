"""Reads header values and targets byte by byte, as a reference for the parsers of the receiving server.

    byte_readings.py [--readings] TEMPLATES SCALARS

A line of TEMPLATES is the name of a reading, `raw` or `percent`, pieces in hexadecimal, and which scalars are inserted (from
the first, each Nth), separated by tabs and commas:

    connection<TAB>raw<TAB>782c,636c6f7365<TAB>0<TAB>1

SCALARS contains a Unicode scalar in hexadecimal on each line. The value of a template for a scalar is its pieces, joined
by the UTF-8 of the scalar (`percent`: with each byte as %XX). The output has one line for each template: the CRC-32 of the
readings of each block of 256 scalars, each reading followed by a line feed. With --readings, the readings themselves.

Written from the RFCs. A reading never decodes UTF-8: every separator is one ASCII byte, and bytes from 0x80 on are no
separator, no white space, no letter and no digit.

Every field value (RFC 9110, 5.5): white space around it is not part of it; white space is SP and HTAB only (OWS,
5.6.3). A value with any other control character (00-08, 0A-1F, 7F) makes the request invalid: `invalid`.

Lists (RFC 9110, 5.6.1): members are separated by `,` with OWS around them; empty members are ignored. Names and tokens are
compared without regard to the case of A-Z (RFC 9110, 5.6.2, and 2.1 of RFC 5234: ASCII only).

x-forwarded-for    The address of the client. The peer 127.0.0.1 is a trusted proxy, which appended the last element. The
                   element after the last comma, without OWS, is one of: an IPv4 address; an IPv6 address, possibly with a
                   zone (RFC 4007: `%` and 1 or more unreserved characters, which is not part of the result); an IPv6
                   address in brackets; `IPv4:port`; `[IPv6]:port`. A port is 1 to 5 digits up to 65535. Anything
                   else, also an empty element: `127.0.0.1`. An IPv4-mapped IPv6 address is that IPv4 address.
connection         `close` if a member is the option close, else `keep` (RFC 9112, 9.6).
transfer-encoding  `chunked` for exactly that coding, else `invalid` (RFC 9112, 6.1: the server knows no other coding).
content-length     1 to 18 digits: the number, else `invalid` (RFC 9110, 8.6).
expect             `continue` if a member of the list is 100-continue, else `none` (RFC 9110, 10.1.1).
content-encoding   `identity` if empty or identity, `gzip` for gzip and x-gzip, else `unknown` (RFC 9110, 8.4).
accept             `lines` if the media range of a member, up to `;`, is application/x-ndjson, else `object`. Weights
                   and quoted strings are not regarded.
content-type       `form` if the part before the first `;`, without OWS, is application/x-www-form-urlencoded, else
                   `other` (RFC 9110, 8.3.1).
cookie             The value of the first cookie __Host-healthsync, in hexadecimal, or `none` (RFC 6265, 4.2.1): pairs are
                   separated by `;` with OWS around them, the name ends at the first `=`, and is compared exactly.
authorization      The token of the scheme Bearer, in hexadecimal, or `none` (RFC 6750, 2.1): scheme, 1 or more SP, and
                   1 or more bytes without SP.
prefer             The seconds of the preference wait, at most 30, or 0 (RFC 7240): the first member with that name counts;
                   parameters after `;` are ignored; around `=` there may be OWS; the value is 1 or more digits.
host               `loopback` for localhost, [::1] and 127. with digits and dots, each possibly with `:` and digits
                   (RFC 3986, 3.2.2 and 3.2.3), else `other`.
authority          The header Host of a request of HTTP/1.1: `valid` for a host, possibly with `:` and digits (RFC 3986, 3.2.2),
                   else `invalid` (RFC 9112, 3.2). A host is 1 or more unreserved characters (of the characters of a name
                   in RFC 3986 those that no program reads otherwise), or brackets around 1 or more colons and
                   unreserved characters, possibly with a zone as above.
origin             `loopback` if a scheme of any bytes without `:` is followed by `://` and such a host, else `other`.
same-origin        `same` if the value is http:// or https:// with the host kiosk.example, else `other` (RFC 6454, 4: the
                   scheme and the host are compared without regard to case).
allowed-origin     `yes` if the value is https://kiosk.example without regard to case, else `no`.
request-method     `yes` for DELETE, GET, HEAD, OPTIONS, PATCH, POST and PUT without regard to case, else `no`.
signature          64 hexadecimal digits, possibly after `sha256=`, in lower case; else `invalid`.
target             Path and query (RFC 3986, 3.3 and 3.4). The path begins with `/` and ends at the first `?`. Segments
                   end at `/`, parameters at `&` (empty ones are ignored), names at the first `=`. Then %XX is decoded; in a
                   name `+` is a space, in a value it is not, because a time has one. Of a repeated name the last value
                   counts. Malformed %XX, a zero byte and bytes that are not UTF-8 make the target `invalid`. The result
                   is the segments in hexadecimal, each after `/`, then the parameters as `?name=value` in hexadecimal,
                   ordered by the bytes of the names.
form               The fields of a form, as the parameters above, in their order, each after `&`. `+` is a space in values,
                   too (WHATWG URL, 5.1).
"""

import ipaddress
import re
import sys
import zlib

BLOCK = 256
DIGITS = frozenset(b"0123456789")
UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
CONTROLS = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
LONGEST_WAIT = 30
METHODS = {b"DELETE", b"GET", b"HEAD", b"OPTIONS", b"PATCH", b"POST", b"PUT"}


def members(value):
    return [member for member in (part.strip(b" \t") for part in value.split(b",")) if member]


def is_number(value, longest=None):
    # bytes.isdigit() is true for ASCII digits only.
    return value.isdigit() and (longest is None or len(value) <= longest)


def ipv4(value):
    try:
        return ipaddress.IPv4Address(value.decode("ascii"))
    except ValueError:
        return None


def ipv6(value):
    address, mark, zone = value.partition(b"%")
    if mark and (not zone or not UNRESERVED.issuperset(zone)):
        return None
    try:
        found = ipaddress.IPv6Address(address.decode("ascii"))
    except ValueError:
        return None
    return found.ipv4_mapped or found


def is_port(value):
    return value[:1] == b":" and is_number(value[1:], 5) and int(value[1:]) <= 65535


def forwarded(value):
    last = value.split(b",")[-1].strip(b" \t")
    if last.startswith(b"["):
        address, bracket, rest = last[1:].partition(b"]")
        found = ipv6(address) if bracket and (not rest or is_port(rest)) else None
    else:
        address, colon, port = last.partition(b":")
        found = ipv6(last) or ipv4(last) or (ipv4(address) if colon and is_port(b":" + port) else None)
    return str(found or "127.0.0.1")


def connection(value):
    return "close" if any(member.lower() == b"close" for member in members(value)) else "keep"


def transfer_encoding(value):
    return "chunked" if value.lower() == b"chunked" else "invalid"


def content_length(value):
    return str(int(value)) if is_number(value, 18) else "invalid"


def expect(value):
    return "continue" if any(member.lower() == b"100-continue" for member in members(value)) else "none"


def content_encoding(value):
    coding = value.lower()
    return "identity" if coding in (b"", b"identity") else "gzip" if coding in (b"gzip", b"x-gzip") else "unknown"


def media_type(value):
    return value.split(b";")[0].strip(b" \t").lower()


def accept(value):
    return "lines" if any(media_type(member) == b"application/x-ndjson" for member in members(value)) else "object"


def content_type(value):
    return "form" if media_type(value) == b"application/x-www-form-urlencoded" else "other"


def cookie(value):
    for pair in value.split(b";"):
        name, equals, content = pair.strip(b" \t").partition(b"=")
        if equals and name == b"__Host-healthsync":
            return content.hex()
    return "none"


def authorization(value):
    words = [word for word in value.split(b" ") if word]
    return words[1].hex() if len(words) == 2 and words[0].lower() == b"bearer" else "none"


def prefer(value):
    for member in members(value):
        name, _, number = member.split(b";")[0].partition(b"=")
        if name.strip(b" \t").lower() == b"wait":
            number = number.strip(b" \t")
            return str(min(int(number), LONGEST_WAIT)) if is_number(number) else "0"
    return "0"


HOST = re.compile(rb"(?:localhost|\[::1\]|127\.[0-9.]*)(?::[0-9]*)?", re.IGNORECASE)


def host(value):
    return "loopback" if HOST.fullmatch(value) else "other"


AUTHORITY = re.compile(rb"(?:[A-Za-z0-9._~-]+|\[[A-Za-z0-9._~:-]+(?:%[A-Za-z0-9._~-]+)?\])(?::[0-9]*)?")


def authority(value):
    return "valid" if AUTHORITY.fullmatch(value) else "invalid"


def origin(value):
    _, mark, rest = value.partition(b":")
    return host(rest[2:]) if mark and rest.startswith(b"//") else "other"


def same_origin(value):
    return "same" if value.lower() in (b"http://kiosk.example", b"https://kiosk.example") else "other"


def allowed_origin(value):
    return "yes" if value.lower() == b"https://kiosk.example" else "no"


def request_method(value):
    return "yes" if value.upper() in METHODS else "no"


SIGNATURE = re.compile(rb"(?:sha256=)?([0-9A-Fa-f]{64})")


def signature(value):
    found = SIGNATURE.fullmatch(value)
    return found[1].lower().decode("ascii") if found else "invalid"


class Malformed(Exception):
    pass


PERCENT = re.compile(rb"%(?:([0-9A-Fa-f]{2})|)")


def decoded(value, plus_is_space):
    def byte(match):
        if match[1] is None:
            raise Malformed
        return bytes([int(match[1], 16)])

    value = PERCENT.sub(byte, value.replace(b"+", b" ") if plus_is_space else value)
    if b"\0" in value:
        raise Malformed
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed from None
    return value


def pairs(value, plus_is_space):
    for pair in value.split(b"&"):
        if pair:
            name, _, content = pair.partition(b"=")
            yield decoded(name, True), decoded(content, plus_is_space)


def target(value):
    if not value.startswith(b"/"):
        return "invalid"
    path, _, query = value[1:].partition(b"?")
    try:
        segments = [decoded(segment, False).hex() for segment in path.split(b"/")]
        parameters = dict(pairs(query, False))
    except Malformed:
        return "invalid"
    parts = [] if segments == [""] else ["/" + segment for segment in segments]
    return "".join(parts + [f"?{name.hex()}={parameters[name].hex()}" for name in sorted(parameters)])


def form(value):
    try:
        return "".join(f"&{name.hex()}={content.hex()}" for name, content in pairs(value, True))
    except Malformed:
        return "invalid"


FIELDS = {
    "x-forwarded-for": forwarded, "connection": connection, "transfer-encoding": transfer_encoding,
    "content-length": content_length, "expect": expect, "content-encoding": content_encoding, "accept": accept,
    "content-type": content_type, "cookie": cookie, "authorization": authorization, "prefer": prefer, "host": host,
    "authority": authority, "origin": origin, "same-origin": same_origin, "allowed-origin": allowed_origin, "request-method": request_method,
    "signature": signature,
}


def reading(name, value):
    """Returns the reading of a value: the bytes after the colon of a header line, a target or the body of a form."""
    if name == "target":
        return target(value)
    if name == "form":
        return form(value)
    value = value.strip(b" \t")
    return "invalid" if CONTROLS.search(value) else FIELDS[name](value)


def main(arguments):
    shows = arguments[0] == "--readings"
    templates, scalars = arguments[1:] if shows else arguments
    with open(scalars, encoding="ascii") as file:
        raw = [chr(int(line, 16)).encode("utf-8") for line in file]
    percent = ["".join(f"%{byte:02X}" for byte in scalar).encode("ascii") for scalar in raw]
    with open(templates, encoding="ascii") as file:
        for line in file:
            name, form_of_scalar, pieces, start, step = line.rstrip("\n").split("\t")
            pieces = [bytes.fromhex(piece) for piece in pieces.split(",")]
            inserted = (percent if form_of_scalar == "percent" else raw)[int(start)::int(step)]
            readings = [reading(name, scalar.join(pieces)) for scalar in inserted]
            if shows:
                print(" ".join(readings))
                continue
            blocks = (readings[first:first + BLOCK] for first in range(0, len(readings), BLOCK))
            print(" ".join(f"{zlib.crc32(''.join(r + chr(10) for r in block).encode('ascii')):08x}" for block in blocks))


if __name__ == "__main__":
    main(sys.argv[1:])
