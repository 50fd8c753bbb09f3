import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncSystem
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
        let writer = SQLiteSampleExport(path: temporary.path, files: PosixFiles())
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
        let abandoned = SQLiteSampleExport(path: temporary.path, files: PosixFiles())
        try await abandoned.begin()
        try await abandoned.append(rows())
        await abandoned.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder) == [])
        try Data("mine".utf8).write(to: URL(fileURLWithPath: temporary.path))
        let writer = SQLiteSampleExport(path: temporary.path, files: PosixFiles())
        let failure = await #expect(throws: SyncFailure.self) { try await writer.begin() }
        #expect(failure?.code == .cannotCreate)
        #expect(FileManager.default.contents(atPath: temporary.path) == Data("mine".utf8))
        let nowhere = SQLiteSampleExport(path: temporary.folder + "/no/such/folder.db", files: PosixFiles())
        let missing = await #expect(throws: SyncFailure.self) { try await nowhere.begin() }
        #expect(missing?.code == .cannotCreate)
    }

    @Test(
        "The file is moved into place durably, and failures are reported",
        arguments: [
            false, true,
        ])
    func name(isTaken: Bool) async throws {
        let temporary = try TemporaryDatabase()
        let writer = SQLiteSampleExport(path: temporary.path, files: NamelessFiles(isTaken: isTaken))
        try await writer.begin()
        try await writer.append(rows())
        let failure = await #expect(throws: SyncFailure.self) { try await writer.finish() }
        #expect(failure?.code == (isTaken ? .cannotCreate : .storage))
        await writer.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder) == [])
    }

    /// Files that cannot be moved into place.
    private struct NamelessFiles: LocalFiles {
        let isTaken: Bool
        func putInPlace(_ draft: String, as path: String) throws(SyncFailure) -> Bool {
            if isTaken { return false }
            throw SyncFailure(.storage, subject: path, reason: "no disk", advice: "add one")
        }
        func status(of path: String) throws(SyncFailure) -> LocalFileStatus? { nil }
        func read(_ path: String, limit: Int) throws(SyncFailure) -> [UInt8] { [] }
        func makePrivateFolder(_ path: String) throws(SyncFailure) {}
        func makePrivateFile(_ path: String, _ bytes: [UInt8]) throws(SyncFailure) -> Bool { false }
        func createDraft(of path: String) throws(SyncFailure) -> LocalDraft { try PosixFiles().createDraft(of: path) }
        func isWritable(_ path: String) -> Bool { false }
        func freeBytes(at path: String) -> Int64? { nil }
    }
}
