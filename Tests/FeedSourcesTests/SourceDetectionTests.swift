import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestTools
import Testing

@Suite struct SourceDetectionTests {
    private static let hasher = LibcryptoHasher()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Provider of what is found; stands in for the Apple Health source whatever it is asked for.
    private func provider(of path: String, appleHealth: Bool = false) async throws -> String {
        let detection = SourceDetection(hasher: Self.hasher) { path in
            FoundSources(appleHealth ? [JSONLinesSource(path: "apple:\(path)", hasher: Self.hasher)] : [])
        }
        return try await detection.sources(at: path).sources
            .map { $0.location.hasPrefix("apple:") ? "appleHealth" : $0.provider }.joined(separator: ", ")
    }

    @Test func tellsFormatsByContentWhateverTheName() async throws {
        let line = #"{"startDate":"2024-01-15T08:00:00Z","count":1}"#
        let feed = #"{ "data" : {"metrics":[]}}"#
        #expect(try await provider(of: folder.write("\n\(line)\n", as: "a.zip")) == "jsonLines")
        #expect(try await provider(of: folder.write("oops\n\(line)\n", as: "b.xml")) == "jsonLines")
        #expect(try await provider(of: folder.write(feed, as: "c.jsonl")) == "healthAutoExport")
        #expect(
            try await provider(of: folder.write([0xEF, 0xBB, 0xBF] + Array(feed.utf8), as: "d")) == "healthAutoExport")
        #expect(try await provider(of: folder.write("PK\u{3}\u{4}", as: "e.json"), appleHealth: true) == "appleHealth")
        #expect(try await provider(of: folder.write("  <?xml ?>", as: "f.json"), appleHealth: true) == "appleHealth")
    }

    @Test func tellsFoldersByWhatIsInThem() async throws {
        _ = try folder.write(#"[1]"#, as: "HealthAutoExport-2024-01-01.json")
        await expectFailure(.badInput) { _ = try await provider(of: folder.path) }
        _ = try folder.write(#"{"data":{}}"#, as: "any.json")
        #expect(try await provider(of: folder.path) == "healthAutoExport")
        #expect(try await provider(of: folder.path, appleHealth: true) == "appleHealth, healthAutoExport")
    }

    @Test func aFolderWithNothingButAnExportThatCannotBeReadSaysWhy() async throws {
        let unread = UnreadExport(path: "x.zip", exportDate: nil, reason: "is damaged", advice: "export again")
        let detection = SourceDetection(hasher: Self.hasher) { _ in FoundSources(unread: [unread]) }
        let failure = await #expect(throws: SyncFailure.self) { try await detection.sources(at: folder.path) }
        #expect(failure?.description == "x.zip: is damaged; export again")
        #expect(failure?.code == .badInput)
    }

    @Test(arguments: ["", "hello", #"{"a":1}"#, "<html>", "PK", "[]", "\u{0}\u{0}"])
    func whatIsNotRecognisedIsBadInput(text: String) async throws {
        let path = try folder.write(text, as: "export.zip")
        await expectFailure(.badInput) { _ = try await provider(of: path) }
    }

    @Test func whatIsMissingIsNoInput() async {
        await expectFailure(.noInput) { _ = try await provider(of: folder.path + "/none") }
    }

    @Test func deviceFilesAreRefusedAndNotWaitedFor() async {
        await expectFailure(.badInput) { _ = try await provider(of: "/dev/zero") }
    }
}
