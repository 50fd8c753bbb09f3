"""Unusual and hostile archives with a small export, and unzipped folders."""

import random
import unicodedata

from faults.export_text import HEAD, Export, case, ordinary
from faults.zip_bytes import Entry, archive

FOLDER = "apple_health_export/"
MAIN = FOLDER + "export.xml"
CLINICAL = (HEAD + '<ClinicalDocument xmlns="urn:hl7-org:v3">' + "<!-- clinical -->" * 4000 + "</ClinicalDocument>").encode()
GPX = b'<?xml version="1.0"?><gpx version="1.1"></gpx>'
NAMES = ["Export.xml", "Exportieren.xml", "exportar.xml", "导出.xml", "書き出したデータ.xml", "экспорт.xml"]


def zipped(file, about, *entries, export=None, main=MAIN, overlapping=(), **more):
    """Returns a case whose file is an archive of these entries."""
    entry, _ = case(file, about, export, main=main if export and not more.get("error") else None, **more)
    return entry, archive(*entries, overlapping=overlapping)


def good():
    export = ordinary()
    data = export.data

    def usual(file, about, *entries, main=MAIN, **more):
        return zipped(file, about, *entries, export=export, main=main, **more)

    yield usual("usual.zip", "the archive of an iPhone", Entry(FOLDER, b"", 0), Entry(MAIN, data),
                Entry(FOLDER + "export_cda.xml", CLINICAL), Entry(FOLDER + "workout-routes/route_1.gpx", GPX))
    yield usual("no-folder.zip", "no folder inside", Entry("export.xml", data), main="export.xml")
    yield usual("stored.zip", "not compressed", Entry(MAIN, data, 0))
    yield usual("macosx.zip", "repacked on a Mac: resource forks with the names of exports",
                Entry("__MACOSX/apple_health_export/._export.xml", b"\0\5\x16\7" + data[:60]), Entry(MAIN, data))
    for number, name in enumerate(NAMES):
        yield usual(f"localized-{number}.zip", f"main file {name}", Entry(FOLDER + name, data), main=FOLDER + name)
    for name, codec in (("导出.xml", "utf-8"), ("書き出したデータ.xml", "cp932"), ("données.xml", "latin-1")):
        yield usual(f"mojibake-{codec}.zip", f"a name in {codec} without the UTF-8 flag",
                    Entry(FOLDER.encode() + name.encode(codec), data), main=None)
    composed = unicodedata.normalize("NFD", "exporté.xml")
    yield usual("decomposed-name.zip", "a name in NFD", Entry(FOLDER + composed, data), main=FOLDER + composed)
    yield usual("late-sizes.zip", "bit 3: sizes in the central directory only", Entry(MAIN, data, late_sizes=True),
                Entry(FOLDER + "export_cda.xml", CLINICAL, late_sizes=True))
    yield usual("zip64.zip", "zip64 fields and end record", Entry(MAIN, data, zip64=True), Entry(FOLDER + "a.gpx", GPX))
    yield usual("clinical-first-and-larger.zip", "export_cda.xml is larger than the export and comes first",
                Entry(FOLDER + "export_cda.xml", CLINICAL), Entry(MAIN, data))
    disguised = HEAD.encode() + b"<!-- <HealthData> -->" + CLINICAL[len(HEAD):]
    yield usual("clinical-in-disguise.zip", "export_cda.xml that looks like an export is never chosen",
                Entry(FOLDER + "export_cda.xml", disguised), Entry(MAIN, data))
    yield usual("parent-folders-in-name.zip", "a name with parent folders: read or refused, nothing written outside",
                Entry("../../../export.xml", data), main="../../../export.xml", certain=False, at_least=0)
    dense = Export()
    noise = random.Random(2)
    for _ in range(12):
        dense.record().add("<!-- " + "".join(noise.choice("0123456789abcdef") for _ in range(4000)) + " " * 1_000_000 + " -->\n")
    yield zipped("dense-but-honest.zip", "some 300:1, under the limit of 500:1", Entry(MAIN, dense.close().data), export=dense)


def hostile():
    data = ordinary().data
    locked = bytes(random.Random(3).randrange(256) for _ in range(len(data) + 12))
    yield zipped("encrypted.zip", "needs a password", Entry(MAIN, data, 8, flags=1, packed=locked), error="encrypted")
    yield zipped("empty.zip", "an archive without entries", error="empty-archive")
    yield zipped("only-folders.zip", "folders and nothing in them", Entry(FOLDER, b"", 0), error="no-export")
    yield zipped("no-export.zip", "an archive of other files", Entry("photo.jpg", b"\xff\xd8\xff\xe0" * 50, 0),
                 Entry("notes/readme.txt", b"hello"), error="no-export")
    yield zipped("clinical-only.zip", "only export_cda.xml", Entry(FOLDER + "export_cda.xml", CLINICAL), error="no-export")
    first = Entry(MAIN, data)
    second = Entry(FOLDER + "export2.xml", data)
    yield zipped("overlapping.zip", "two entries share their data", first, overlapping=[second], error="overlap")
    head, tail = ordinary().data.split(b"</HealthData>")
    bomb = head + b"<!--" + b" " * (64 << 20) + b"-->" + b"</HealthData>" + tail
    yield zipped("bomb.zip", "64 MB of spaces, some 1000:1", Entry(MAIN, bomb), error="bomb")
    yield zipped("bomb-that-lies.zip", "the same with a false size of 1000 bytes: refused as bomb or as damaged",
                 Entry(MAIN, bomb, size=1000), error="bomb", certain=False)


def damaged():
    export = ordinary(400)
    whole = archive(Entry(MAIN, export.data))
    yield case("cut-archive.zip", "cut off: no central directory", error="damaged")[0], whole[:-120]
    yield case("text.zip", "text with the name .zip", error="not-an-export")[0], b"hello, this is not an archive\n" * 9
    yield case("no-bytes.zip", "a file of no bytes", error="not-an-export")[0], b""
    yield zipped("wrong-checksum.zip", "the data do not match their checksum: incomplete or refused",
                 Entry(MAIN, export.data, checksum=0x12345678), export=export, incomplete=True, certain=False, at_least=0)
    packed = bytearray(Entry(MAIN, export.data).packed)
    packed[len(packed) // 2:] = b"\xff" * (len(packed) - len(packed) // 2)
    yield zipped("broken-deflate.zip", "the compressed data are invalid from the middle on",
                 Entry(MAIN, export.data, packed=bytes(packed)), export=export, incomplete=True, certain=False, at_least=0)
    yield zipped("unknown-method.zip", "an unknown compression method", Entry(MAIN, export.data, 99), error="damaged",
                 certain=False)


def folders():
    """Yields cases of several files: the bytes are a dictionary from path to data."""
    export = ordinary()
    beside = {"export_cda.xml": CLINICAL, "workout-routes/route_1.gpx": GPX, "electrocardiograms/ecg_1.csv": b"Name,Anna\n"}
    entry, data = case("folder-unzipped", "the folder above apple_health_export", export, main=MAIN)
    yield entry, {MAIN: data, **{FOLDER + name: text for name, text in beside.items()}}
    entry, data = case("folder-itself", "apple_health_export itself, localized", export, main="導出.xml")
    yield entry, {"導出.xml": data, **beside}
    entry, _ = case("folder-without-export", "a folder without any export", error="no-export")
    yield entry, beside


def cases():
    for group in (good, hostile, damaged, folders):
        yield from group()
