import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct SQLiteReceivedStoreTests {
    @Test(
        arguments: ReceivedDataStoreContract.clauses {
            try await SQLiteReceivedDataStore.open(at: TemporaryFolder.untilExit() + "/received.db", time: ManualTime())
        })
    func keepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test(
        arguments: AccessTokenStoreContract.clauses {
            SQLiteAccessTokenStore(path: TemporaryFolder.untilExit() + "/tokens")
        })
    func tokensKeepTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test func acknowledgedSamplesAreStoredAfterReopening() async throws {
        let path = TemporaryFolder.untilExit() + "/received.db"
        let first = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        _ = try await first.store(Self.write(0..<3))
        await first.close()
        let second = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        #expect(try await second.store(Self.write(2..<5)) == [.duplicate, .created, .created])
        #expect(try await second.sampleCount(SampleQuery(user: .local, type: "steps")) == 5)
        await second.close()
    }

    @Test func tokensOfAReplacedFileAreVisible() async throws {
        let path = TemporaryFolder.untilExit() + "/tokens"
        let (server, command) = (SQLiteAccessTokenStore(path: path), SQLiteAccessTokenStore(path: path))
        let token = AccessToken(
            id: "00000000000000aa", secretDigest: .init(repeating: 7, count: 32), user: .local, scopes: [.read],
            createdAt: ReceivingSamples.now)
        try await server.add(token)
        // A restored copy, in which the token is then revoked.
        try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)
        #expect(try await command.revoke(id: token.id, at: ReceivingSamples.now))
        #expect(try await server.token(id: token.id)?.revokedAt == ReceivingSamples.now)
        // A deleted file does not open the server to everyone.
        try FileManager.default.removeItem(atPath: path)
        #expect(try await server.tokens().count == 1)
        try await server.close()
        try await command.close()
    }

    @Test func tokensAreVisibleToOtherProcessesWithTheSameFile() async throws {
        let path = TemporaryFolder.untilExit() + "/tokens"
        let server = SQLiteAccessTokenStore(path: path)
        #expect(try await server.tokens().isEmpty)
        let user = try #require(UserName("anna"))
        let command = SQLiteAccessTokenStore(path: path)
        try await command.add(
            AccessToken(
                id: "00000000000000aa", secretDigest: .init(repeating: 7, count: 32), user: user, scopes: [.read],
                createdAt: ReceivingSamples.now))
        #expect(try await server.token(id: "00000000000000aa")?.user == user)
        #expect(try await server.revoke(id: "00000000000000aa", at: ReceivingSamples.now))
        #expect(try await command.token(id: "00000000000000aa")?.revokedAt == ReceivingSamples.now)
    }

    @Test func aDatabaseOfAnotherProgramIsRejected() async throws {
        let path = TemporaryFolder.untilExit() + "/received.db"
        try Data("not a database at all, but long enough to look at".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: SyncFailure.self) { try await SQLiteReceivedDataStore.open(at: path, time: ManualTime()) }
    }

    static func write(_ numbers: Range<Int>) -> ReceivedWrite {
        let samples = Array(ReceivingSamples.steps(numbers.upperBound)[numbers])
        let origin = ReceivedOrigin(bundleID: "b", deviceName: nil, unit: "count")
        return ReceivedWrite(
            user: .local, receivedAt: ReceivingSamples.now,
            content: .samples(type: "steps", ReceivedSampleBatch(origins: [origin], samples: samples)))
    }
}
