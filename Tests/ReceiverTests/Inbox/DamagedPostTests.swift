import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncTestTools
import Testing

/// Archived files that this program did not write, and posts that it could not read again. `inbox.test_evil_pull` has the table.
@Suite struct DamagedPostTests {
    private let folder = TemporaryFolder.untilExit() + "/inbox"
    private static let id = "20261122T221839123-0001-1f3ad0a26b5c9e47"

    private static let head: [String: String] = [
        "version": "1", "method": #""POST""#, "path": "[]", "query": "{}", "headers": "[]", "device": #""phone""#,
        "receivedAtMilliseconds": "1700000000000",
    ]

    /// Puts a file with a head of these members into the archive.
    private func archive(_ member: String, _ value: String) throws -> FileInboxArchive {
        let members = Self.head.merging([member: value]) { $1 }.map { "\"\($0)\":\($1)" }
        let archive = FileInboxArchive(folder: folder)
        try archive.prepare()
        let path = URL(fileURLWithPath: "\(folder)/waiting/\(Self.id)")
        try Data("{\(members.joined(separator: ","))}\nbody".utf8).write(to: path)
        return archive
    }

    @Test(arguments: [
        ("receivedAtMilliseconds", "-2208988800001", false), ("receivedAtMilliseconds", "-2208988800000", true),
        ("receivedAtMilliseconds", "7289654399999", true), ("receivedAtMilliseconds", "7289654400000", false),
        ("version", "0", false), ("version", "1", true), ("version", "2", false), ("device", #""""#, true),
        ("device", "\"\(String(repeating: "a", count: 64))\"", true),
        ("device", "\"\(String(repeating: "a", count: 65))\"", false),
        ("device", #""A""#, false), ("method", #""""#, false), ("method", #""\u0000""#, false),
        ("method", "\"\(String(repeating: "a", count: 32_768))\"", true),
        ("method", "\"\(String(repeating: "a", count: 32_769))\"", false),
    ])
    func aHeadIsCheckedWhenItIsRead(member: String, value: String, isGood: Bool) async throws {
        let archive = try archive(member, value)
        let entry = try await archive.entry(Self.id)
        #expect((entry.damage == nil) == isGood)
        #expect(try await archive.entries(limit: 9) == [entry])
        if isGood {
            #expect(try await archive.post(Self.id).body == Array("body".utf8))
        } else {
            let failure = await #expect(throws: SyncFailure.self) { try await archive.post(Self.id) }
            #expect(failure == entry.damage && failure?.code == .badInput && failure?.subject == Self.id)
            #expect(failure?.advice == "delete it: \(folder)/waiting/\(Self.id)")
            #expect(entry.head.receivedAt == RFC3339.instant("2026-11-22T22:18:39.123Z"))
        }
    }

    @Test(arguments: [
        (-2_208_988_800_001, false), (-2_208_988_800_000, true), (7_289_654_399_999, true), (7_289_654_400_000, false),
    ])
    func aPostThatCouldNotBeReadAgainIsNotAccepted(milliseconds: Int64, isGood: Bool) async throws {
        let archive = FileInboxArchive(folder: folder)
        let head = InboxHead(method: "POST", path: [], device: "phone", receivedAt: Instant(milliseconds: milliseconds))
        guard isGood else {
            let failure = #expect(throws: SyncFailure.self) { try archive.begin(head) }
            #expect(failure?.code == .storage)
            return
        }
        let id = try await archive.begin(head).commit()
        #expect(try await archive.post(id).head == head)
    }

    @Test func anIDInTheDistantFutureDoesNotDisplaceLaterOnes() async throws {
        let archive = try archive("version", "1")
        let far = "99991231T235959999-9999-ffffffffffffffff"
        try FileManager.default.moveItem(atPath: "\(folder)/waiting/\(Self.id)", toPath: "\(folder)/waiting/\(far)")
        let reopened = FileInboxArchive(folder: folder)
        let id = try await reopened.put("later")
        #expect(try await archive.waiting(limit: 9) == [id, far])
    }
}
