import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import Testing

@Suite("Export of samples to SQLite")
struct SampleExportTests {
    private func rows() -> [SampleRow] {
        (0..<500).map { (number: Int) -> SampleRow in
            let origin = SampleOrigin(sourceName: "Anna’s Watch", device: "d", isUserEntered: number % 2 == 0)
            let start = Instant(milliseconds: Int64(number) * 1500)
            var row = SampleRow(
                id: SampleID(high: UInt64(number), low: 1), type: StoreFilling.type.type, origin: origin,
                interval: InstantRange(start: start, end: start.advanced(byMilliseconds: Int64(number) * 500)),
                value: Double(number) / 4, unit: "count")
            if number % 3 == 0 { row.zoneName = "Asia/Tokyo" }
            if number % 5 == 0 { row.detail = SampleDetail(externalID: "x\(number)", minimum: 0.5) }
            return row
        }
    }

    private func text(of row: SampleRow) -> String {
        let cells: [String] = [
            row.id.description, row.type.rawValue, row.origin.sourceName, "d", RFC3339.string(row.interval.start),
            RFC3339.string(row.interval.end), row.value.description, "count", row.zoneName ?? "",
            row.origin.isUserEntered ? "1" : "0", "0", row.detail?.externalID ?? "", "",
            row.detail == nil ? "" : "0.5", "", "", "",
        ]
        return cells.joined(separator: "|")
    }

    @Test("Python reads back every row in order")
    func roundTrip() async throws {
        let temporary = try TemporaryDatabase()
        let rows = rows()
        let writer = SQLiteSampleExport(path: temporary.path)
        try await writer.begin()
        try await writer.append(Array(rows[..<200]))
        try await writer.append([])
        try await writer.append(Array(rows[200...]))
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
        try await writer.finish()
        await writer.discard()
        let script = """
            import sqlite3, sys
            for row in sqlite3.connect(sys.argv[1]).execute('SELECT * FROM sample ORDER BY rowid'):
                print("|".join("" if cell is None else str(cell) for cell in row))
            """
        let expected = rows.map(text)
        #expect(
            try PythonSQLite.run(script, [temporary.path]).split(separator: "\n").map(String.init) == expected)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder) == ["healthsync.db"])
        #expect(
            try FileManager.default.attributesOfItem(atPath: temporary.path)[.posixPermissions] as? Int == 0o600)
    }

    @Test("An existing file is not replaced, and an abandoned export leaves no files")
    func existingFile() async throws {
        let temporary = try TemporaryDatabase()
        let abandoned = SQLiteSampleExport(path: temporary.path)
        try await abandoned.begin()
        try await abandoned.append(rows())
        await abandoned.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder) == [])
        try Data("mine".utf8).write(to: URL(fileURLWithPath: temporary.path))
        let writer = SQLiteSampleExport(path: temporary.path)
        let failure = await #expect(throws: SyncFailure.self) { try await writer.begin() }
        #expect(failure?.code == .cannotCreate)
        #expect(FileManager.default.contents(atPath: temporary.path) == Data("mine".utf8))
        let nowhere = SQLiteSampleExport(path: temporary.folder + "/no/such/folder.db")
        let missing = await #expect(throws: SyncFailure.self) { try await nowhere.begin() }
        #expect(missing?.code == .cannotCreate)
    }

    @Test("A file that gets the name meanwhile stays, and nothing else does")
    func nameIsTaken() async throws {
        let temporary = try TemporaryDatabase()
        let writer = SQLiteSampleExport(path: temporary.path)
        try await writer.begin()
        try await writer.append(rows())
        try Data("mine".utf8).write(to: URL(fileURLWithPath: temporary.path))
        let failure = await #expect(throws: SyncFailure.self) { try await writer.finish() }
        #expect(failure?.code == .cannotCreate)
        await writer.discard()
        #expect(try Data(contentsOf: URL(fileURLWithPath: temporary.path)) == Data("mine".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder).count == 1)
    }

    @Test("A draft that disappeared is reported")
    func draftIsGone() async throws {
        let temporary = try TemporaryDatabase()
        let writer = SQLiteSampleExport(path: temporary.path)
        try await writer.begin()
        try await writer.append(rows())
        for name in try FileManager.default.contentsOfDirectory(atPath: temporary.folder) {
            try FileManager.default.removeItem(atPath: temporary.folder + "/" + name)
        }
        await #expect(throws: SyncFailure.self) { try await writer.finish() }
        await writer.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder) == [])
    }
}
