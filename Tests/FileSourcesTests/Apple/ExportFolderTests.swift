import Foundation
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("A folder of exports")
struct ExportFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("The newest export by export date is read, whatever its size, age or name; the others are reported")
    func newest() async throws {
        try write("a.xml", date: "2024-03-01 10:00:00 +0100", records: 5, modified: 3)
        try write("b.xml", date: "2024-05-01 10:00:00 +0200", records: 1, modified: 1)
        try write("sub/c.xml", date: "2024-05-01 07:59:59 +0000", records: 9, modified: 2)
        let found = try await found()
        #expect(found.sources.map(\.location) == [path("b.xml")])
        #expect(
            found.unread.map { "\($0.path) \($0.reason)" } == [
                "\(path("sub/c.xml")) \(path("b.xml")) is newer and is read",
                "\(path("a.xml")) \(path("b.xml")) is newer and is read",
            ])
        #expect(found.unread.last?.exportDate == RFC3339.instant("2024-03-01T09:00:00Z"))
        #expect(found.unread.allSatisfy { $0.advice.isEmpty })
        #expect(try await Exports.read(folder.path).samples.count == 1)
    }

    @Test("Unzipped exports in dated folders are found; those in deeper folders are not")
    func unzipped() async throws {
        try write("2024-03/apple_health_export/export.xml", date: "2024-03-01 10:00:00 +0100", records: 5, modified: 3)
        try write(
            "2024-05/apple_health_export/Exportieren.xml", date: "2024-05-01 10:00:00 +0200", records: 1, modified: 1)
        try write("2024-06/other/export.xml", date: "2024-06-01 10:00:00 +0200", records: 1, modified: 1)
        let found = try await found()
        #expect(found.sources.map(\.location) == [path("2024-05/apple_health_export/Exportieren.xml")])
        #expect(found.unread.map(\.path) == [path("2024-03/apple_health_export/export.xml")])
    }

    @Test("Of exports with one date the largest is read; those without a date rank last, by the time of the file")
    func ties() async throws {
        try write("whole.xml", date: "2024-05-01 10:00:00 +0200", records: 3, modified: 1)
        try write("part.xml", date: "2024-05-01 08:00:00 +0000", records: 2, modified: 4)
        try write("older.xml", date: nil, records: 2, modified: 5)
        try write("newer.xml", date: nil, records: 1, modified: 6)
        let found = try await found()
        #expect(found.sources.map(\.location) == [path("whole.xml")])
        #expect(found.unread.map(\.path) == ["part.xml", "newer.xml", "older.xml"].map(path))
        #expect(found.unread.first?.reason == "\(path("whole.xml")) was exported at the same time and is read")
        #expect(found.unread.dropFirst().allSatisfy { $0.reason == "\(path("whole.xml")) is newer and is read" })
    }

    @Test("A folder with one export is the location of its source, whatever other files it contains")
    func single() async throws {
        try write("export.xml", date: "2024-05-01 10:00:00 +0200", records: 1, modified: 5)
        try write("export_cda.xml", date: nil, records: 9, modified: 6)
        _ = try folder.write("<html/>", as: "page.xml")
        _ = try folder.write("PK\u{3}\u{4} broken", as: "before.zip")
        try touch("before.zip", modified: 4)
        let found = try await found()
        #expect(found.sources.map(\.location) == [folder.path])
        #expect(found.unread.isEmpty)
    }

    @Test("An archive that cannot be read is named if it may be a newer export")
    func unreadable() async throws {
        try write("export.xml", date: "2024-05-01 10:00:00 +0200", records: 1, modified: 5)
        _ = try folder.write("PK\u{3}\u{4} broken", as: "after.zip")
        try touch("after.zip", modified: 6)
        let found = try await found()
        #expect(found.sources.map(\.location) == [folder.path])
        #expect(found.unread.map(\.path) == [path("after.zip")])
        #expect(found.unread.first?.advice.isEmpty == false)
    }

    @Test("Elements other than records are counted by name")
    func elements() async throws {
        let elements =
            " <Me/>\n <Workout a=\"1\">\n <WorkoutEvent/></Workout>\n <Workout/>\n <ActivitySummary/>\n"
            + " <Correlation>\n" + Exports.record() + " </Correlation>\n" + Exports.record()
        let reading = try await Exports.read(elements: elements)
        #expect(reading.account.skippedElements == ["Workout": 2, "ActivitySummary": 1, "Correlation": 1])
        #expect(reading.account.recordsRead == 1)
        #expect(reading.account.isComplete)
    }

    @Test("Elements are counted together from the hundredth name on")
    func kindsWithoutEnd() async throws {
        let reading = try await Exports.read(elements: (0..<300).map { "<Kind\($0)/>" }.joined())
        #expect(reading.account.skippedElements.count == 101)
        #expect(reading.account.skippedElements.values.reduce(0, +) == 300)
    }

    private func found() async throws -> FoundSources {
        let format = AppleHealthFormat(hasher: LibcryptoHasher())
        return try await format.sources(at: folder.path, in: .utc) ?? FoundSources()
    }

    private func path(_ name: String) -> String {
        URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path + "/" + name
    }

    /// Writes an export of `records` records whose file was modified `modified` hours after 1970.
    private func write(_ name: String, date: String?, records: Int, modified: Int) throws {
        let parent = URL(fileURLWithPath: folder.path + "/" + name).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        let date = date.map { " <ExportDate value=\"\($0)\"/>\n" } ?? ""
        let elements = (0..<records).map { Exports.record(value: "\($0 + 1)") }.joined()
        _ = try folder.write(Exports.document(date + elements), as: name)
        try touch(name, modified: modified)
    }

    private func touch(_ name: String, modified: Int) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(modified) * 3_600)],
            ofItemAtPath: folder.path + "/" + name)
    }
}
