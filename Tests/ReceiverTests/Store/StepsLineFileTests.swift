import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct StepsLineFileTests {
    private let folder = TemporaryFolder.untilExit()
    private var file: String { folder + "/lines/steps.jsonl" }

    private func open() async throws -> SQLiteReceivedDataStore {
        try await SQLiteReceivedDataStore.open(
            at: folder + "/received.db", time: ManualTime(), linesFolder: folder + "/lines"
        ) { sample, _ in
            Array("\(sample.idText)\n".utf8)
        }
    }

    private func lines() throws -> [String] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private static func ids(_ numbers: Range<Int>) -> [String] {
        ReceivingSamples.steps(numbers.upperBound)[numbers].map(\.idText)
    }

    @Test func aSampleHasOneLine() async throws {
        let store = try await open()
        _ = try await store.store(SQLiteReceivedStoreTests.write(0..<3))
        _ = try await store.store(SQLiteReceivedStoreTests.write(1..<5))
        #expect(try lines() == Self.ids(0..<5))
        #expect(try await store.removeAllSamples(of: "steps", user: .local) == 5)
        #expect(try lines().isEmpty)
        _ = try await store.store(SQLiteReceivedStoreTests.write(0..<2))
        #expect(try lines() == Self.ids(0..<2))
        await store.close()
    }

    /// Covers every state in which a process can be killed between the commit and the end of writing: none, part or all
    /// of the last lines are in the file.
    @Test func aCrashBetweenCommitAndFileNeitherLosesNorRepeatsLines() async throws {
        let store = try await open()
        _ = try await store.store(SQLiteReceivedStoreTests.write(0..<3))
        let before = try Data(contentsOf: URL(fileURLWithPath: file)).count
        _ = try await store.store(SQLiteReceivedStoreTests.write(3..<6))
        await store.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        for length in stride(from: before, through: whole.count, by: 5) {
            try whole.prefix(length).write(to: URL(fileURLWithPath: file))
            let again = try await open()
            #expect(try lines() == Self.ids(0..<6), "\(length) bytes")
            await again.close()
        }
        let last = try await open()
        _ = try await last.store(SQLiteReceivedStoreTests.write(5..<7))
        #expect(try lines() == Self.ids(0..<7))
        await last.close()
    }

    @Test func anExistingFileIsContinued() async throws {
        try FileManager.default.createDirectory(atPath: folder + "/lines", withIntermediateDirectories: true)
        try Data("old\n".utf8).write(to: URL(fileURLWithPath: file))
        let store = try await open()
        _ = try await store.store(SQLiteReceivedStoreTests.write(0..<1))
        await store.close()
        let again = try await open()
        #expect(try lines() == ["old"] + Self.ids(0..<1))
        await again.close()
    }

    @Test func eachUserHasASeparateFile() async throws {
        let store = try await open()
        var write = SQLiteReceivedStoreTests.write(0..<2)
        write.user = try #require(UserName("anna"))
        _ = try await store.store(write)
        _ = try await store.store(SQLiteReceivedStoreTests.write(0..<1))
        _ = try await store.removeAllSamples(of: "steps", user: .local)
        #expect(try lines().isEmpty)
        #expect(
            try String(contentsOfFile: folder + "/lines/anna/steps.jsonl", encoding: .utf8)
                == Self.ids(0..<2).map { $0 + "\n" }.joined())
        await store.close()
    }

    /// A folder replaces the file of one user. The samples of this user are not acknowledged, even if they are already
    /// stored, until the file contains them. Other users are not affected.
    @Test func aFileThatCannotBeWrittenStopsOnlyItsUser() async throws {
        let store = try await open()
        let anna = try #require(UserName("anna"))
        func write(_ numbers: Range<Int>, of user: UserName) -> ReceivedWrite {
            var write = SQLiteReceivedStoreTests.write(numbers)
            write.user = user
            return write
        }
        _ = try await store.store(write(0..<2, of: anna))
        let annas = folder + "/lines/anna/steps.jsonl"
        try FileManager.default.moveItem(atPath: annas, toPath: annas + "-aside")
        try FileManager.default.createDirectory(atPath: annas, withIntermediateDirectories: false)
        let users = try (0..<12).map { try #require(UserName("user\($0)")) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in users { group.addTask { _ = try await store.store(write(0..<5, of: user)) } }
            group.addTask {
                await #expect(throws: SyncFailure.self) { try await store.store(write(1..<4, of: anna)) }
            }
            try await group.waitForAll()
        }
        for user in users {
            let lines = try String(contentsOfFile: folder + "/lines/\(user)/steps.jsonl", encoding: .utf8)
            #expect(lines == Self.ids(0..<5).map { $0 + "\n" }.joined())
        }
        await #expect(throws: SyncFailure.self) { try await store.store(write(1..<4, of: anna)) }
        _ = try await store.store(write(0..<1, of: .local))
        try FileManager.default.removeItem(atPath: annas)
        try FileManager.default.moveItem(atPath: annas + "-aside", toPath: annas)
        #expect(try await store.store(write(1..<4, of: anna)) == [.duplicate, .duplicate, .duplicate])
        #expect(
            try String(contentsOfFile: annas, encoding: .utf8) == Self.ids(0..<4).map { $0 + "\n" }.joined())
        await store.close()
    }
}
