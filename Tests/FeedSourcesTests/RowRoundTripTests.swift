import Foundation
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct RowRoundTripTests {
    private func write(_ rows: [SampleRow], by writer: any SampleRowWriter) async throws {
        try await writer.begin()
        try await writer.append(Array(rows.prefix(rows.count / 2)))
        try await writer.append(Array(rows.dropFirst(rows.count / 2)))
        try await writer.finish()
    }

    @Test func exportedLinesAreReadBackAsTheSameSamples() async throws {
        let folder = try TemporaryFolder()
        let rows = RandomRows.make(3_000, seed: 11)
        let path = folder.path + "/out.jsonl"
        try await write(rows, by: JSONLinesRowWriter(path: path))
        let reading = try await CollectedReading.collect(
            JSONLinesSource(path: path, hasher: LibcryptoHasher()), RandomRows.selection)
        #expect(reading.account.problems.map(\.what) == [])
        #expect(reading.samples == rows.map(SourceSample.init))
    }

    @Test func pythonReadsTheSameRowsFromBothForms() async throws {
        let folder = try TemporaryFolder()
        let rows = RandomRows.make(1_000, seed: 12)
        try await write(rows, by: JSONLinesRowWriter(path: folder.path + "/out.jsonl"))
        try await write(rows, by: CSVRowWriter(path: folder.path + "/out.csv"))
        let read = try await Peer.lines(
            of: "feeds/check_rows.py", [folder.path(of: "out.jsonl"), folder.path(of: "out.csv")])
        #expect(
            read.map(String.init)
                == rows.map { "\($0.id) \($0.interval.start.milliseconds) \($0.interval.milliseconds)" })
    }

    @Test func equalRowsGiveEqualBytesWithSortedNames() async throws {
        let folder = try TemporaryFolder()
        let origin = SampleOrigin(sourceName: "a\"b", device: "d", isUserEntered: true, isPreAggregated: true)
        let row = SampleRow(
            id: SampleID(high: 1, low: 2), type: SampleTypeDefinition.stepCount.type, origin: origin,
            interval: InstantRange(start: Instant(milliseconds: 0), end: Instant(milliseconds: 1)), value: 5,
            unit: "count", zoneName: "UTC",
            detail: SampleDetail(
                externalID: "e", syncVersion: 1, minimum: 0.5, maximum: 2, measurementCount: 3, stateMilliseconds: 4))
        try await write([row], by: JSONLinesRowWriter(path: folder.path + "/one.jsonl"))
        let text = try String(contentsOfFile: folder.path + "/one.jsonl", encoding: .utf8)
        let expected =
            #"{"count":5,"endDate":"1970-01-01T00:00:00.001Z","externalID":"e","maximum":2,"measurementCount":3,"#
            + #""minimum":0.5,"preAggregated":true,"sourceBundleId":"a\"b","sourceDeviceName":"d","#
            + #""startDate":"1970-01-01T00:00:00Z","stateMilliseconds":4,"syncVersion":1,"timeZone":"UTC","#
            + #""type":"HKQuantityTypeIdentifierStepCount","unit":"count","#
            + #""uuid":"00000000-0000-0001-0000-000000000002","value":5,"wasUserEntered":true}"# + "\n"
        #expect(text == expected)
    }

    @Test func pythonRestoresTextsThatASpreadsheetWouldRun() async throws {
        let folder = try TemporaryFolder()
        let starts = [
            "=", "+", "-", "@", "\t", "\r", "\n", "'", "''=", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "", "x=",
            " =", "\"=", "x;", ";", "x\t", "x\r\n", "x;'", "x; \"", ";;", "a,b;\u{FEFF}",
        ]
        // What a program may skip before a sign: white space and characters without width.
        let blanks = [
            " ", "\u{A0}", "\u{B}", "\u{FEFF}", "\u{200B}", "\u{2003}", "\u{85}", "\u{AD}", "\u{0}", "\u{7F}",
        ]
        // A combining character forms one character with the sign before it.
        let texts = (starts + blanks + blanks.map { "x;" + $0 }).flatMap { start in
            ["", "=1", "1+1", "\u{301}cmd|' /C calc'!A0", "-2;@x\t+3;'\n=4"].map { start + $0 }
        }
        let rows = texts.enumerated().map { number, text in
            let start = Instant(milliseconds: Int64(number) * 1_000)
            return SampleRow(
                id: SampleID(high: 0, low: UInt64(number)), type: SampleType(rawValue: "t"),
                origin: SampleOrigin(sourceName: text, device: text),
                interval: InstantRange(start: start, end: start), value: -1.5, unit: text, zoneName: text,
                detail: SampleDetail(externalID: text, minimum: -2, maximum: -1))
        }
        let path = folder.path + "/out.csv"
        try await write(rows, by: CSVRowWriter(path: path))
        let script = """
            import csv, json, re, sys, unicodedata
            names = ["sourceBundleId", "sourceDeviceName", "unit", "timeZone", "externalID"]
            rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8", newline=""), strict=True))
            def runs(part):
                skipped = lambda c: c in '" ' or c.isspace() or unicodedata.category(c) in ("Cf", "Cc", "Zs")
                rest = part
                while rest and skipped(rest[0]): rest = rest[1:]
                return rest[:1] in list("=+-@＝＋－＠")
            def parts(text): return re.split("([;\\t\\r\\n])", text)
            for row in rows:
                for name in names:
                    assert row[name][:1] not in ("\\t", "\\r", "\\n"), row
                    assert not any(map(runs, parts(row[name]))), row
            assert all((row["value"], row["minimum"], row["maximum"]) == ("-1.5", "-2", "-1") for row in rows)
            restored = lambda text: "".join(part.removeprefix("'") for part in parts(text))
            print(json.dumps([[restored(row[name]) for name in names] for row in rows]))
            """
        let read = try Command(["python3", "-c", script, path]).output()
        let restored = try JSONDecoder().decode([[String]].self, from: Data(read))
        #expect(restored.map { $0.map { Array($0.utf8) } } == texts.map { Array(repeating: Array($0.utf8), count: 5) })
        let plain = folder.path + "/plain.csv"
        try await write(rows, by: CSVRowWriter(path: plain, escapesFormulas: false))
        #expect(try String(contentsOfFile: plain, encoding: .utf8).contains(",=1+1,=1+1,"))
    }
}
