"""Random exports that something damaged: bytes of the XML, or bytes and headers of the archive.

The text is that of random_exports.py within a few days, so that deriving it is quick. Whether a damaged document is still
well-formed is for expat to decide, and whether an archive can still be read, for zipfile.
"""

import datetime
import io
import random
import zipfile

from random_exports import Document

LIMIT = 12_000
TOKENS = [
    b"<", b">", b"&", b'"', b"'", b"/>", b"]]>", b"-->", b"<!--", b"<![CDATA[", b"?>", b"<?xml version='1.0'?>", b"</Record>",
    b"<Record", b"</HealthData>", b"<HealthData>", b"&#0;", b"&#xD800;", b"&lt;", b"&nbsp;", b"&#x41;", b"\0", b"\x0b", b"\x85",
    b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xa8", b"=", b" ", b"\r", b"0", b"9", b"-",
    b"<!DOCTYPE HealthData>", b"<Vendor>", b"</Vendor>", b"<a:b xmlns:a='x'/>", b"<!-- -- -->", b"<!-- -> -->", bytes(500),
]


class Days(Document):
    """A random export of two days."""

    def span(self):
        start = datetime.datetime(2024, 3, 1) + datetime.timedelta(seconds=self.rng.randrange(172_800))
        end = start + datetime.timedelta(seconds=self.rng.choice([0, 1, 60, 599, 3_600]))
        return [("creationDate", self.date(end)), ("startDate", self.date(start)), ("endDate", self.date(end))]


def document(rng):
    """Returns the bytes of a small export that is well-formed."""
    while True:
        text = Days(rng).text().encode()
        if len(text) < LIMIT:
            return text


def _cut(rng, data):
    """Returns the start and the end of a short range of `data`."""
    start = rng.randrange(len(data))
    return start, min(len(data), start + rng.choice([1, 1, 2, 5, 40, 300]))


def _tag(rng, data):
    """Returns the range of a tag, comment or other markup."""
    start = data.rfind(b"<", 0, rng.randrange(len(data)) + 1)
    end = data.find(b">", max(start, 0))
    return max(start, 0), len(data) if end < 0 else end + 1


def replace_byte(rng, data):
    place = rng.randrange(len(data))
    return data[:place] + bytes([rng.choice(b"\"'<>&= /-019aZ\x00\x01\x7f\x80\xc3\xff")]) + data[place + 1:]


def insert(rng, data):
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(TOKENS) + data[place:]


def remove(rng, data):
    start, end = rng.choice([_cut, _tag])(rng, data)
    return data[:start] + data[end:]


def repeat(rng, data):
    start, end = rng.choice([_cut, _tag])(rng, data)
    place = rng.choice([end, rng.randrange(len(data))])
    return data[:place] + data[start:end] + data[place:]


def move(rng, data):
    start, end = _tag(rng, data)
    rest = data[:start] + data[end:]
    place = _tag(rng, rest)[0] if rest else 0
    return rest[:place] + data[start:end] + rest[place:]


def shorten(rng, data):
    return data[:rng.randrange(len(data))]


def add_after(rng, data):
    return data + rng.choice([data, bytes(70_000), b"<HealthData/>", b"\n \n", b"<!-- end -->", b"text", b"<?end?>", b"\xff"])


TEXT_DAMAGE = [replace_byte, insert, remove, repeat, move] * 4 + [shorten, add_after]


def damaged(rng, data, kinds, least=0):
    """Returns `data` after up to three random changes."""
    for _ in range(rng.choice([least, 1, 1, 2, 3])):
        data = rng.choice(kinds)(rng, data) or data
    return data


def text(seed):
    """Returns a document that is damaged or, at times, unchanged."""
    rng = random.Random(f"text {seed}")
    return damaged(rng, document(rng), TEXT_DAMAGE)


class Stream(io.BytesIO):
    """A file without seeking: sizes and checksums follow the data of a member."""

    def seekable(self):
        return False

    def seek(self, *_):
        raise io.UnsupportedOperation("seek")


def packed(rng, data):
    """Returns an archive of an export in one of the forms that zipfile writes."""
    file = rng.choice([io.BytesIO, Stream])()
    method = rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED])
    with zipfile.ZipFile(file, "w", method) as archive:
        members = [("apple_health_export/export.xml", data), ("apple_health_export/export_cda.xml", b"<ClinicalDocument/>"),
                   ("apple_health_export/workout-routes/route.gpx", b"<gpx/>" * 50), ("apple_health_export/", b"")]
        rng.shuffle(members)
        for name, content in members[:rng.randrange(5)] + [member for member in members if member[1] is data]:
            if name not in archive.namelist():
                with archive.open(zipfile.ZipInfo(name), "w", force_zip64=rng.random() < 0.3) as member:
                    member.write(content)
        archive.comment = rng.choice([b"", b"", b"a comment", b"PK\5\6" + bytes(18)])
    return file.getvalue()


def change_field(rng, data):
    """Changes a field of a header."""
    starts = [data.find(sign) for sign in (b"PK\1\2", b"PK\3\4")] + [data.rfind(sign) for sign in (b"PK\1\2", b"PK\5\6")]
    place = rng.choice([start for start in starts if start >= 0] or [0]) + rng.randrange(4, 46)
    value = rng.choice([b"\0\0", b"\xff\xff", b"\xff\xff\xff\xff", b"\1", b"\0\0\0\x80", b"\x63\0"])
    return data[:place] + value + data[place + len(value):]


ARCHIVE_DAMAGE = [replace_byte, insert, remove, change_field, change_field, change_field, shorten, add_after]


def archive(seed):
    """Returns a document, an archive of it, and the same archive, which is damaged in four of five cases."""
    rng = random.Random(f"archive {seed}")
    data = document(rng)
    whole = packed(rng, data)
    return data, whole, damaged(rng, whole, ARCHIVE_DAMAGE)
