import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// The local archive of posts that were pulled from a server.
@Suite struct PulledPostsTests {
    private static let id = "20261122T221839123-0001-1f3ad0a26b5c9e47"

    /// Returns the archived form of a post with this body.
    private static func form(_ body: String) async throws -> [UInt8] {
        let folder = TemporaryFolder.untilExit() + "/inbox"
        let archive = FileInboxArchive(folder: folder)
        let id = try await archive.put(body)
        return Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/waiting/\(id)")))
    }

    private static func put(_ form: [UInt8], _ id: String, in archive: FileInboxArchive) async throws {
        let writer = try #require(try archive.begin(pulling: id))
        for start in stride(from: 0, to: form.count, by: 100) {
            try form[start..<min(form.count, start + 100)].withUnsafeBytes { try writer.append($0) }
        }
        try await writer.commit()
    }

    @Test func aPostKeepsItsIDAndIsArchivedOnce() async throws {
        let archive = FileInboxArchive(folder: TemporaryFolder.untilExit() + "/inbox")
        #expect(try await archive.unconfirmed() == [])
        try await Self.put(Self.form("body"), Self.id, in: archive)
        #expect(try await archive.post(Self.id).body == Array("body".utf8))
        #expect(try await archive.waiting(limit: 9) == [Self.id])
        #expect(try archive.begin(pulling: Self.id) == nil)
        try await archive.settle(Self.id, as: InboxOutcome(sender: "App", decodedAt: ReceivingSamples.now))
        #expect(try archive.begin(pulling: Self.id) == nil)
        #expect(try await archive.unconfirmed() == [Self.id])
        // Until the server has deleted it, it may be offered again.
        #expect(try await archive.prune(before: Instant(seconds: 4_000_000_000), bytes: 0) == 0)
        #expect(try archive.begin(pulling: Self.id) == nil)
        try await archive.confirmed([Self.id])
        #expect(try await archive.unconfirmed() == [])
        #expect(try await archive.prune(before: Instant(seconds: 4_000_000_000), bytes: 0) == 1)
    }

    @Test func whatIsNotAPostIsRejected() async throws {
        let folder = TemporaryFolder.untilExit() + "/inbox"
        let archive = FileInboxArchive(folder: folder)
        for id in ["", "../x", "x", Self.id + "/../y", String(Self.id.dropLast(9)) + "../../abc"] {
            await Self.expect(.badInput) { _ = try archive.begin(pulling: id) }
        }
        for id in [
            "18991231T235959999-0000-00", "22010101T000000000-0000-00", "99991231T235959999-9999-ffffffffffffffff",
        ] {
            await Self.expect(.badInput) { _ = try archive.begin(pulling: id) }
        }
        for form in ["", "no line", "{}\n", "not json\nbody"] {
            await Self.expect(.badInput) { try await Self.put(Array(form.utf8), Self.id, in: archive) }
            #expect(try await archive.entries(limit: 9).isEmpty)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/incoming") == [])
        #expect(try await archive.unconfirmed() == [])
    }

    @Test func twoProcessesDoNotPullTheSamePost() async throws {
        let folder = TemporaryFolder.untilExit() + "/inbox"
        let (first, second) = (FileInboxArchive(folder: folder), FileInboxArchive(folder: folder))
        let form = try await Self.form("body")
        let writer = try #require(try first.begin(pulling: Self.id))
        await Self.expect(.busy) { _ = try second.begin(pulling: Self.id) }
        try second.prepare()
        try form.withUnsafeBytes { try writer.append($0) }
        try await writer.commit()
        #expect(try second.begin(pulling: Self.id) == nil)
        #expect(try await second.post(Self.id).body == Array("body".utf8))
        let other = String(Self.id.dropLast()) + "8"
        try #require(try first.begin(pulling: other)).discard()
        #expect(try second.begin(pulling: other) != nil)
    }

    @Test func archivesCreateDifferentIDs() async throws {
        var ids: Set<String> = []
        for _ in 0..<20 {
            ids.insert(try await FileInboxArchive(folder: TemporaryFolder.untilExit() + "/inbox").put("x"))
        }
        #expect(ids.count == 20)
    }

    private static func expect(_ code: SyncFailure.Code, _ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("nothing was thrown")
        } catch let failure as SyncFailure {
            #expect(failure.code == code)
        } catch {
            Issue.record(error)
        }
    }
}
