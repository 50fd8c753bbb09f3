import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncTestKit
import HealthSyncTestTools
import Synchronization
import Testing

@Suite struct FileInboxArchiveTests {
    @Test(
        arguments: InboxArchiveContract.clauses {
            FileInboxArchive(folder: TemporaryFolder.untilExit() + "/data/inbox", limit: 1 << 20)
        })
    func keepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test(arguments: InboxArchiveContract.clauses { InMemoryInboxArchive(limit: 1 << 20) })
    func theFakeKeepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test func aKillAtAnyStepLeavesTheWholePostOrNothing() async throws {
        let root = TemporaryFolder.untilExit()
        let copies = Mutex<[(step: FileInboxArchive.Step, path: String)]>([])
        // A copy of the folder is what a killed program leaves.
        let archive = FileInboxArchive(folder: root + "/inbox") { step in
            let path = root + "/copy\(copies.withLock { $0.count })"
            try? FileManager.default.copyItem(atPath: root + "/inbox", toPath: path)
            copies.withLock { $0.append((step, path)) }
        }
        let first = try await archive.put("one", "two")
        try await archive.settle(first, as: InboxOutcome(sender: "App", decodedAt: ReceivingSamples.now))
        let second = try await archive.put("three")
        let found = copies.withLock { $0 }
        #expect(Set(found.map(\.step)) == Set(FileInboxArchive.Step.allCases))
        for (number, copy) in found.enumerated() {
            let reopened = FileInboxArchive(folder: copy.path)
            let isNamed = [.named, .folderSynced].contains(copy.step)
            let isSecond = number > 6
            let expected = (isSecond ? [first] : []) + (isNamed ? [isSecond ? second : first] : [])
            #expect(try await reopened.entries(limit: 9).map(\.id).sorted() == expected, "\(copy.step)")
            for id in expected {
                let body = String(decoding: try await reopened.post(id).body, as: UTF8.self)
                #expect(body == (id == first ? "onetwo" : "three"))
            }
            try reopened.prepare()
            #expect(try FileManager.default.contentsOfDirectory(atPath: copy.path + "/incoming") == [])
            let next = try await reopened.put("next")
            #expect(try await reopened.waiting(limit: 9).last == next)
        }
    }

    @Test func anotherProcessKeepsThePostThatIsBeingReceived() async throws {
        let folder = TemporaryFolder.untilExit() + "/inbox"
        let writer = try FileInboxArchive(folder: folder).begin(FileInboxArchive.head())
        try Array("body".utf8).withUnsafeBytes { try writer.append($0) }
        let other = FileInboxArchive(folder: folder)
        try other.prepare()
        let id = try await writer.commit()
        #expect(try await other.post(id).body == Array("body".utf8))
        #expect(try await other.waiting(limit: 1) == [id])
    }

    @Test func aRunningArchiveContinuesInTheFolderOfARestore() async throws {
        let root = TemporaryFolder.untilExit()
        let archive = FileInboxArchive(folder: root + "/inbox")
        let old = try await archive.put("old")
        // A restore moves the folder away. That of a backup contains only the posts.
        try FileManager.default.moveItem(atPath: root + "/inbox", toPath: root + "/replaced")
        try FileManager.default.createDirectory(atPath: root + "/inbox/decoded", withIntermediateDirectories: true)
        let new = try await archive.put("new")
        #expect(new > old)
        #expect(try await archive.waiting(limit: 9) == [new])
        #expect(try await archive.post(new).body == Array("new".utf8))
    }

    @Test func foldersAndFilesArePrivate() async throws {
        let folder = TemporaryFolder.untilExit() + "/inbox"
        let archive = FileInboxArchive(folder: folder)
        let id = try await archive.put("body")
        try await archive.settle(id, as: InboxOutcome(sender: "App", decodedAt: ReceivingSamples.now))
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        #expect(names == ["decoded", "decoded/\(id)", "decoded/\(id).outcome", "incoming", "undecoded", "waiting"])
        for name in [""] + names {
            let details = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            let isFolder = details[.type] as? FileAttributeType == .typeDirectory
            #expect(details[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test func theFileIsALineOfJSONAndTheBodyAsReceived() async throws {
        let folder = TemporaryFolder.untilExit() + "/inbox"
        let id = try await FileInboxArchive(folder: folder).put("a\n\u{0}b")
        let file = try Data(contentsOf: URL(fileURLWithPath: folder + "/waiting/" + id))
        let end = try #require(file.firstIndex(of: 0x0A))
        #expect(file[(end + 1)...] == Data("a\n\u{0}b".utf8))
        let head = try #require(try JSONSerialization.jsonObject(with: file[..<end]) as? [String: Any])
        #expect(head["method"] as? String == "POST")
        #expect(head["device"] as? String == "phone")
        #expect(head["receivedAtMilliseconds"] as? Int == 1_700_000_000_123)
        #expect(id.hasPrefix("20231114T221320123-"))
    }

    @Test func gzipBodiesAreDecompressed() async throws {
        let folder = try TemporaryFolder()
        let text = (0..<60_000).map { "line \($0 &* 7919)\n" }.joined()
        try folder.write(text, as: "body")
        let packed = Array(try Command(["gzip", "-c", folder.path(of: "body")]).output())
        let archive = FileInboxArchive(folder: folder.path(of: "inbox"), limit: text.utf8.count)
        let writer = try archive.begin(FileInboxArchive.head(encoding: "gzip"))
        // Pieces that split the header, and whose last one is a byte.
        for piece in [
            packed[..<5], packed[5..<70_000], packed[70_000..<(packed.count - 1)], packed[(packed.count - 1)...],
        ] {
            try piece.withUnsafeBytes { try writer.append($0) }
        }
        let start = try writer.start()
        #expect(start == Array(text.utf8.prefix(start.count)))
        #expect(start.count > 60_000)
        let id = try await writer.commit()
        #expect(try await archive.post(id).body == Array(text.utf8))
        #expect(try await archive.entries(limit: 1).first?.bytes == Int64(packed.count))
        let smaller = FileInboxArchive(folder: folder.path(of: "inbox"), limit: text.utf8.count - 1)
        await #expect(throws: SyncFailure.self) { try await smaller.post(id) }
    }

    @Test(arguments: ["gzip", "br"])
    func aBodyThatCannotBeDecompressedIsArchived(encoding: String) async throws {
        let archive = FileInboxArchive(folder: TemporaryFolder.untilExit() + "/inbox")
        let writer = try archive.begin(FileInboxArchive.head(encoding: encoding))
        try Array("not compressed".utf8).withUnsafeBytes { try writer.append($0) }
        #expect(try writer.start() == [])
        let id = try await writer.commit()
        #expect(try await archive.waiting(limit: 1) == [id])
        let failure = await #expect(throws: SyncFailure.self) { try await archive.post(id) }
        #expect(failure?.code == .badInput)
    }

    @Test func aTruncatedGzipBodyIsRejected() async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "0123456789", count: 9_000), as: "body")
        let packed = Array(try Command(["gzip", "-c", folder.path(of: "body")]).output())
        let archive = FileInboxArchive(folder: folder.path(of: "inbox"))
        for damaged in [Array(packed.dropLast()), packed + [0], []] {
            let writer = try archive.begin(FileInboxArchive.head(encoding: "gzip"))
            try damaged.withUnsafeBytes { try writer.append($0) }
            let id = try await writer.commit()
            let failure = await #expect(throws: SyncFailure.self) { try await archive.post(id) }
            #expect(failure?.code == .badInput)
        }
    }

    @Test func aFolderThatCannotBeCreatedIsAStorageFailure() throws {
        let folder = try TemporaryFolder()
        try folder.write("", as: "inbox")
        let failure = #expect(throws: SyncFailure.self) {
            try FileInboxArchive(folder: folder.path(of: "inbox")).begin(FileInboxArchive.head())
        }
        #expect(failure?.code == .storage)
    }

    @Test func anEmptyArchiveIsReadWithoutCreatingIt() async throws {
        let folder = TemporaryFolder.untilExit() + "/inbox"
        let archive = FileInboxArchive(folder: folder)
        #expect(try await archive.waiting(limit: 1) == [])
        #expect(try await archive.entries(limit: 1) == [])
        #expect(try await archive.counts() == [.waiting: 0, .decoded: 0, .undecoded: 0])
        #expect(try await archive.prune(before: ReceivingSamples.now, bytes: 0) == 0)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}

extension FileInboxArchive {
    fileprivate static func head(encoding: String? = nil) -> InboxHead {
        InboxHead(
            method: "POST", path: [], headers: encoding.map { [.init("content-encoding", $0)] } ?? [], device: "phone",
            receivedAt: Instant(milliseconds: 1_700_000_000_123))
    }

    func put(_ pieces: String...) async throws -> String {
        let writer = try begin(Self.head())
        for piece in pieces { try Array(piece.utf8).withUnsafeBytes { try writer.append($0) } }
        return try await writer.commit()
    }
}
