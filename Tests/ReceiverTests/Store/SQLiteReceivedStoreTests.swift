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

    @Test func whatWasAnsweredIsThereAfterReopening() async throws {
        let path = TemporaryFolder.untilExit() + "/received.db"
        let first = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        _ = try await first.store(Self.write(0..<3))
        await first.close()
        let second = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        #expect(try await second.store(Self.write(2..<5)) == [.duplicate, .created, .created])
        #expect(try await second.sampleCount(SampleQuery(user: .local, type: "steps")) == 5)
        await second.close()
    }

    @Test func tokensAreSeenByAnotherProcessOverTheSameFile() async throws {
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

    @Test func aDatabaseOfAnotherProgramIsLeftAlone() async throws {
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
