import HealthSyncDomain
import HealthSyncPostgres
import HealthSyncTestKit
import Testing

/// PgBouncer in transaction mode, with three sessions for all connections to a database. Version 1.18 of Debian 12 does not
/// know prepared statements.
@Suite(.enabled(if: TestServer.isInstalled && TestServer.hasPooler, "PostgreSQL or PgBouncer is not installed"))
struct PoolerTests {
    @Test(
        arguments: ReceivedDataStoreContract.clauses {
            let server = try await TestServer.pooled.value
            return try await PostgresReceivedDataStore.open(at: server.address(server.newDatabase()))
        })
    func keepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test(
        arguments: AccessTokenStoreContract.clauses {
            let server = try await TestServer.pooled.value
            return try await PostgresAccessTokenStore.open(at: server.address(server.newDatabase()))
        })
    func tokensKeepTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test func manyConnectionsShareThreeSessionsAndLeaveNothingBehind() async throws {
        let server = try await TestServer.pooled.value
        let database = try await server.newDatabase()
        var stores: [PostgresReceivedDataStore] = []
        for _ in 0..<4 { stores.append(try await PostgresReceivedDataStore.open(at: server.address(database))) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<48 {
                let store = stores[number % stores.count]
                guard let user = UserName("user\(number % 12)") else { continue }
                group.addTask {
                    let samples = (0..<20).map { Writes.sample(number * 100 + $0) }
                    #expect(
                        try await store.store(Writes.steps(samples, user: user))
                            == [StoreOutcome](repeating: .created, count: 20))
                    _ = try await store.inventory(of: user)
                }
            }
            try await group.waitForAll()
        }
        let stored = try await server.samples(in: database).map { $0[3] }
        #expect(stored.count == 960 && Set(stored).count == 960)
        let sessions = try await server.sql(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)' AND application_name = 'healthsync'",
            in: database)
        #expect(try #require(Int(sessions)) <= 3)
        // Another program that shares these sessions finds them as they were.
        let settings =
            "SELECT current_setting('enable_seqscan'), current_setting('search_path'), "
            + "current_setting('statement_timeout'), (SELECT count(*) FROM pg_prepared_statements)"
        for _ in 0..<3 {
            #expect(
                try await server.sql(settings, in: database, throughPooler: true) == #"on|"$user", public|0|0"#)
        }
        for store in stores { await store.close() }
    }

    @Test func aSlowStatementIsEnded() async throws {
        let server = try await TestServer.pooled.value
        let database = try await server.newDatabase()
        var address = try server.address(database)
        // Long enough for the statements that open the store, to which it also applies.
        address.statementTimeout = 20
        let store = try await PostgresReceivedDataStore.open(at: address)
        _ = try await server.sql(
            """
            CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$;
            CREATE TRIGGER slow BEFORE INSERT ON healthsync.sample_pages FOR EACH ROW EXECUTE FUNCTION slow()
            """, in: database)
        let failure = await #expect(throws: SyncFailure.self) {
            try await store.store(Writes.steps([Writes.sample(1)]))
        }
        #expect(failure?.code == .busy)
        _ = try await server.sql("DROP FUNCTION slow CASCADE", in: database)
        #expect(try await store.store(Writes.steps([Writes.sample(1)])) == [.created])
        await store.close()
    }

    @Test func theStoreContinuesAfterARestartOfTheServer() async throws {
        let server = try await TestServer(isPooled: true)
        let store = try await PostgresReceivedDataStore.open(at: server.address(server.newDatabase()))
        #expect(try await store.store(Writes.steps([Writes.sample(1)])) == [.created])
        try await server.tell("crash")
        var outcomes: [StoreOutcome]?
        for _ in 0..<1_000 where outcomes == nil {
            // The server is reached again, but sessions of the store may still have to find out that they ended.
            outcomes = try? await store.store(Writes.steps([Writes.sample(1), Writes.sample(2)]))
        }
        // A request that failed during its commit may have been stored.
        #expect(outcomes?.first == .duplicate && outcomes?.count == 2)
        await store.close()
    }
}
