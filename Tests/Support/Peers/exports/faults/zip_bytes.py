"""Writes ZIP archives, also with false headers and overlapping entries."""

import struct
import zlib


class Entry:
    """A member of an archive; `lies` replaces fields of its headers with false values."""

    def __init__(self, name, data, method=8, flags=None, late_sizes=False, zip64=False, **lies):
        self.name = name if isinstance(name, bytes) else name.encode()
        ascii_only = isinstance(name, bytes) or name.isascii()
        self.flags = (0 if ascii_only else 0x800) if flags is None else flags
        self.flags |= 0x8 if late_sizes else 0
        self.late_sizes, self.zip64, self.method = late_sizes, zip64, method
        self.packed = raw_deflate(data) if method == 8 else data
        self.packed = lies.get("packed", self.packed)
        self.size = lies.get("size", len(data))
        self.checksum = lies.get("checksum", zlib.crc32(data))
        self.offset = 0

    def local(self):
        """Returns header and data, followed by the descriptor if `late_sizes` is set."""
        sizes = (self.checksum, len(self.packed), self.size)
        head, extra = sizes, b""
        if self.late_sizes:
            head = (0, 0, 0)
        elif self.zip64:
            head = (self.checksum, 0xFFFFFFFF, 0xFFFFFFFF)
            extra = struct.pack("<HHQQ", 1, 16, self.size, len(self.packed))
        header = struct.pack("<IHHHHHIIIHH", 0x04034B50, 45 if self.zip64 else 20, self.flags, self.method, 0x6000, 0x5821,
                             *head, len(self.name), len(extra))
        tail = struct.pack("<IIII", 0x08074B50, *sizes) if self.late_sizes else b""
        return header + self.name + extra + self.packed + tail

    def central(self):
        packed, size, offset, extra = len(self.packed), self.size, self.offset, b""
        if self.zip64:
            extra = struct.pack("<HHQQQ", 1, 24, size, packed, offset)
            packed = size = offset = 0xFFFFFFFF
        mode = 0o40755 << 16 if self.name.endswith(b"/") else 0o100644 << 16
        fixed = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 0x31E, 45 if self.zip64 else 20, self.flags, self.method,
                            0x6000, 0x5821, self.checksum, packed, size, len(self.name), len(extra), 0, 0, 0, mode, offset)
        return fixed + self.name + extra


def raw_deflate(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def archive(*entries, overlapping=()):
    """Returns the bytes of an archive; `overlapping` entries are in the directory only and
    point at the data of the first entry."""
    body = b""
    for entry in entries:
        entry.offset = len(body)
        body += entry.local()
    listed = list(entries) + list(overlapping)
    directory = b"".join(entry.central() for entry in listed)
    start, count, end = len(body), len(listed), b""
    if any(entry.zip64 for entry in listed):
        end += struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 0x31E, 45, 0, 0, count, count, len(directory), start)
        end += struct.pack("<IIQI", 0x07064B50, 0, start + len(directory), 1)
        count, start = 0xFFFF, 0xFFFFFFFF
    size = 0xFFFFFFFF if end else len(directory)
    return body + directory + end + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, size, start, 0)
