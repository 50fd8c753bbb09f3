import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct SourceDetectionTests {
    private static let hasher = LibcryptoHasher()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns the providers that are found at `path`.
    private func providers(
        of path: String, adding formats: [any HealthSourceFormat] = []
    ) async throws -> String {
        let detection = SourceDetection(formats: formats + BuiltInSourceFormats.all(hasher: Self.hasher))
        return try await detection.sources(at: path, in: .utc).sources.map(\.provider).joined(separator: ", ")
    }

    private let export =
        #"<?xml version="1.0"?><HealthData><ExportDate value="2024-05-01 10:00:00 +0200"/></HealthData>"#

    @Test func formatsAreRecognizedByContentWhateverTheName() async throws {
        let line = #"{"startDate":"2024-01-15T08:00:00Z","count":1}"#
        let feed = #"{ "data" : {"metrics":[]}}"#
        #expect(try await providers(of: folder.write("\n\(line)\n", as: "a.zip")) == "jsonLines")
        #expect(try await providers(of: folder.write("oops\n\(line)\n", as: "b.xml")) == "jsonLines")
        #expect(try await providers(of: folder.write(feed, as: "c.jsonl")) == "healthAutoExport")
        #expect(
            try await providers(of: folder.write([0xEF, 0xBB, 0xBF] + Array(feed.utf8), as: "d")) == "healthAutoExport")
        #expect(try await providers(of: folder.write("  " + export, as: "f.json")) == "appleHealth")
    }

    @Test func aFolderIsReadByEveryFormatThatFindsSomething() async throws {
        _ = try folder.write(#"[1]"#, as: "HealthAutoExport-2024-01-01.json")
        await expectFailure(.badInput) { _ = try await providers(of: folder.path) }
        _ = try folder.write(#"{"data":{}}"#, as: "any.json")
        #expect(try await providers(of: folder.path) == "healthAutoExport")
        _ = try folder.write(export, as: "export.xml")
        #expect(try await providers(of: folder.path) == "appleHealth, healthAutoExport")
        #expect(
            try await providers(of: folder.path, adding: [ListFormat()]) == "list, appleHealth, healthAutoExport")
    }

    @Test func anEmptyFolderIsReportedAsEmpty() async throws {
        let failure = await #expect(throws: SyncFailure.self) { try await providers(of: folder.path) }
        #expect(failure?.reason == "the folder is empty")
        #expect(failure?.code == .badInput)
        _ = try folder.write("", as: "notes.txt")
        let other = await #expect(throws: SyncFailure.self) { try await providers(of: folder.path) }
        #expect(other?.reason == "not a source of a supported format")
    }

    @Test func aFolderWithOnlyAnUnreadableExportReportsWhy() async throws {
        let unread = UnreadExport(path: "x.zip", exportDate: nil, reason: "damaged", advice: "export again")
        let detection = SourceDetection(formats: [ListFormat(found: FoundSources(unread: [unread]))])
        let failure = await #expect(throws: SyncFailure.self) {
            try await detection.sources(at: folder.path, in: .utc)
        }
        #expect(failure?.description == "x.zip: damaged; export again")
        #expect(failure?.code == .badInput)
    }

    @Test func aFormatOfAPlugInComesFirst() async throws {
        let path = try folder.write(#"{"data":{}}"#, as: "feed.json")
        #expect(try await providers(of: path, adding: [ListFormat()]) == "list")
        #expect(try await providers(of: path, adding: [ListFormat(found: nil)]) == "healthAutoExport")
    }

    @Test func aURLIsOpenedByTheFormatOfItsScheme() async throws {
        #expect(try await providers(of: "list:anything at all", adding: [ListFormat()]) == "list")
        #expect(try await providers(of: "LIST://host/path", adding: [ListFormat()]) == "list")
        await expectFailure(.badInput) { _ = try await providers(of: "list:x", adding: [ListFormat(found: nil)]) }
    }

    @Test func aURLOfAnUnknownSchemeIsNoInputAndTheSchemesAreListed() async throws {
        let failure = await #expect(throws: SyncFailure.self) {
            try await providers(of: "ftp://host/export.zip", adding: [ListFormat()])
        }
        #expect(failure?.code == .noInput)
        #expect(failure?.reason.contains("\"ftp\"") == true && failure?.advice.contains("list:") == true)
    }

    @Test(arguments: ["", "hello", #"{"a":1}"#, "<html>", "PK", "PK\u{3}\u{4}", "[]", "\u{0}\u{0}"])
    func aFileOfNoFormatIsBadInput(text: String) async throws {
        let path = try folder.write(text, as: "export.zip")
        await expectFailure(.badInput) { _ = try await providers(of: path) }
    }

    @Test func aMissingFileIsNoInput() async {
        await expectFailure(.noInput) { _ = try await providers(of: folder.path + "/none") }
    }

    @Test func aDeviceFileIsRejectedWithoutWaiting() async {
        await expectFailure(.badInput) { _ = try await providers(of: "/dev/zero") }
    }
}

/// A format that finds `found` everywhere.
private struct ListFormat: HealthSourceFormat {
    var found: FoundSources? = FoundSources([EmptySource()])
    var name: String { "list" }
    var schemes: [String] { ["list"] }

    func sources(at location: String, in context: SourceContext) async throws -> FoundSources? { found }
}

private struct EmptySource: HealthDataSource {
    var location: String { "list:" }
    var provider: String { "list" }
    var semantics: SourceSemantics { .feed }
    func fingerprint() async throws -> SourceFingerprint { SourceFingerprint(path: location, content: "") }
    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading { SourceReading() }
}
