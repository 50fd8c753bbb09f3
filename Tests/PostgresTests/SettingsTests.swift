import HealthSyncDomain
import HealthSyncPostgres
import HealthSyncTestKit
import Testing

@Suite(.enabled(if: TestServer.isInstalled, "no PostgreSQL server is installed"))
struct SettingsTests {
    @Test func connectionsAreLimited() async throws {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        var options = PostgresStoreOptions()
        options.connections = 2
        let store = try await PostgresReceivedDataStore.open(at: server.address(database), options: options)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                guard let user = UserName("user\(number)") else { continue }
                group.addTask { _ = try await store.store(Writes.steps([Writes.sample(number)], user: user)) }
                group.addTask { _ = try await store.inventory(of: user) }
            }
            try await group.waitForAll()
        }
        let sessions = try await server.sql(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)' AND application_name = 'healthsync'",
            in: database)
        #expect(sessions == "2")
        await store.close()
    }

    @Test func aSlowStatementIsEndedAndReportedAsBusy() async throws {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        var address = try server.address(database)
        let setUp = try await PostgresReceivedDataStore.open(at: address)
        _ = try await setUp.store(Writes.steps([Writes.sample(1)]))
        await setUp.close()
        // Long enough for the statements that open the store, to which it also applies.
        address.statementTimeout = 20
        let store = try await PostgresReceivedDataStore.open(at: address)
        // The trigger is slower than the timeout, for the samples of this database only.
        _ = try await server.sql(
            """
            CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$;
            CREATE TRIGGER slow BEFORE INSERT ON healthsync.sample_pages FOR EACH ROW EXECUTE FUNCTION slow()
            """, in: database)
        let failure = await #expect(throws: SyncFailure.self) {
            try await store.store(Writes.steps([Writes.sample(2)]))
        }
        #expect(failure?.code == .busy)
        _ = try await server.sql("DROP FUNCTION slow CASCADE", in: database)
        #expect(try await store.store(Writes.steps([Writes.sample(2)])) == [.created])
        await store.close()
    }

    @Test(arguments: ["40001", "40P01"])
    func aTransactionThatMetAnotherOneIsRepeatedUpToFiveTimes(state: String) async throws {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        let store = try await PostgresReceivedDataStore.open(at: server.address(database))
        // A sequence counts also in transactions that are rolled back.
        _ = try await server.sql(
            """
            CREATE SEQUENCE public.attempts;
            CREATE SEQUENCE public.needed MINVALUE 0 START 5;
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('public.attempts') < (SELECT last_value FROM public.needed) THEN
                    RAISE EXCEPTION 'met another transaction' USING ERRCODE = '\(state)';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER fail BEFORE INSERT ON healthsync.sample_pages FOR EACH ROW EXECUTE FUNCTION fail()
            """, in: database)
        #expect(try await store.store(Writes.steps([Writes.sample(1)])) == [.created])
        #expect(try await server.sql("SELECT last_value FROM public.attempts", in: database) == "5")
        _ = try await server.sql("SELECT setval('public.attempts', 1, false), setval('public.needed', 6)", in: database)
        let failure = await #expect(throws: SyncFailure.self) {
            try await store.store(Writes.steps([Writes.sample(2)]))
        }
        #expect(failure?.code == .busy)
        #expect(try await server.sql("SELECT last_value FROM public.attempts", in: database) == "5")
        #expect(try await store.sampleCount(SampleQuery(user: .local, type: "steps")) == 1)
        await store.close()
    }

    /// A session that first used the tables when they were empty finds rows by their keys later, without statistics.
    @Test func lookUpsUseTheirKeysWithoutStatistics() async throws {
        let server = try await TestServer.shared.value
        let (database, stores) = try await Writes.stores(1)
        _ = try await server.sql("ALTER SYSTEM SET autovacuum = off", in: database)
        _ = try await server.sql("SELECT pg_reload_conf()", in: database)
        func store(_ number: Int) async throws {
            let record = ReceivedRecord(
                id: "new\(number)", day: CalendarDay(ordinal: 20_000), start: ReceivingSamples.now,
                body: Array("{}".utf8))
            let write = ReceivedWrite(
                user: .local, receivedAt: ReceivingSamples.now, content: .records(.progress, [record]))
            #expect(try await stores[0].store(write) == [.created])
        }
        for number in 0..<10 { try await store(number) }
        _ = try await server.sql(
            """
            INSERT INTO healthsync.records SELECT user_id, 'progress', 'old' || i, 0, false, '', '', '2024-10-04', 0, '{}', 0, 0
            FROM healthsync.users, generate_series(1, 20000) AS i
            """, in: database)
        for number in 10..<400 { try await store(number) }
        // The statistics of a session are complete when it has ended.
        await stores[0].close()
        var sessions = "1"
        while sessions != "0" {
            sessions = try await server.sql(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)' AND pid <> pg_backend_pid()",
                in: database)
        }
        let read = try await server.sql(
            "SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname LIKE 'records%'", in: database)
        // A look-up by another index, or without an index for each record, reads 20,000 entries.
        #expect(try #require(Int(read)) < 20_000)
    }
}
