import Foundation
import HealthSyncDomain
import HealthSyncPostgres
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite(.enabled(if: TestServer.isInstalled, "no PostgreSQL server is installed"))
struct OpeningTests {
    @Test func ofSeveralConcurrentProcessesOneCreatesTheTables() async throws {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        let address = try server.address(database)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask { await (try PostgresReceivedDataStore.open(at: address)).close() }
                group.addTask { await (try PostgresAccessTokenStore.open(at: address)).close() }
            }
            try await group.waitForAll()
        }
        let found = try await server.sql(
            "SELECT version FROM healthsync.schema_version ORDER BY version", in: database)
        #expect(found == "1\n2\n3\n4")
    }

    /// A migration may last longer than a statement waits for a lock.
    @Test func anotherProcessWaitsUntilTheMigrationEnds() async throws {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        let migration = Task {
            try await server.sql("SELECT pg_advisory_lock(x'48535047'::int), pg_sleep(25)", in: database)
        }
        let locks = """
            SELECT count(*) FROM pg_locks JOIN pg_database ON oid = database
            WHERE datname = current_database() AND locktype = 'advisory' AND granted
            """
        while try await server.sql(locks, in: database) == "0" {}
        await (try PostgresReceivedDataStore.open(at: server.address(database))).close()
        _ = try await migration.value
        #expect(try await server.sql("SELECT max(version) FROM healthsync.schema_version", in: database) == "4")
    }

    @Test func migrationAddsTheDayToIDsOfHours() async throws {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        let address = try server.address(database)
        await (try PostgresReceivedDataStore.open(at: address)).close()
        _ = try await server.sql(
            """
            DELETE FROM healthsync.schema_version WHERE version >= 2;
            DROP TABLE healthsync.sample_pages;
            ALTER TABLE healthsync.series DROP change, DROP emptied, DROP last_position, DROP alive, DROP rows_after;
            ALTER TABLE healthsync.user_locks RENAME TO positions;
            ALTER TABLE healthsync.positions ADD last_position bigint NOT NULL DEFAULT 0;
            CREATE TABLE healthsync.samples ();
            ALTER TABLE healthsync.tokens DROP COLUMN parent_id;
            INSERT INTO healthsync.records
                SELECT 7, 'progress', id, 1, deleted, 'steps', 'hour', day::date, 0, '{"source_id":"' || id || '"}', 0, 0
                FROM (VALUES ('steps/hour/2024-01-15T23:00:00Z', '2024-01-16', false),
                    ('steps/hour/2024-01-15T09:00:00Z', '2024-01-15', false),
                    ('steps/hour/2024-01-15/2024-01-15T09:00:00Z', '2024-01-15', false),
                    ('steps/hour/2024-01-15T10:00:00Z', '1970-01-01', true),
                    ('mine', '2024-01-15', false)) AS old (id, day, deleted)
            """, in: database)
        await (try PostgresReceivedDataStore.open(at: address)).close()
        let found = try await server.sql(
            "SELECT id || ' ' || ((body::json ->> 'source_id') = id) FROM healthsync.records ORDER BY id", in: database)
        #expect(
            found == """
                mine true
                steps/hour/2024-01-15/2024-01-15T09:00:00Z true
                steps/hour/2024-01-15T10:00:00Z true
                steps/hour/2024-01-16/2024-01-15T23:00:00Z true
                """)
    }

    @Test func theSchemaMatchesTheDocumentation() async throws {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        await (try PostgresReceivedDataStore.open(at: try server.address(database))).close()
        let question = try ProjectFile.text("Tests/Support/Peers/servers/postgres_schema.sql")
        #expect(try await server.sql(question, in: database) + "\n" == ProjectFile.text("docs/schema-postgres.sql"))
    }

    @Test func aNewerSchemaIsRejected() async throws {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        let address = try server.address(database)
        await (try PostgresReceivedDataStore.open(at: address)).close()
        _ = try await server.sql("INSERT INTO healthsync.schema_version VALUES (99)", in: database)
        let failure = await #expect(throws: SyncFailure.self) { try await PostgresReceivedDataStore.open(at: address) }
        #expect(failure?.reason.contains("99") == true)
    }

    @Test func aForeignSchemaIsUnchanged() async throws {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        _ = try await server.sql("CREATE SCHEMA healthsync; CREATE TABLE healthsync.theirs ()", in: database)
        let address = try server.address(database)
        await #expect(throws: SyncFailure.self) { try await PostgresReceivedDataStore.open(at: address) }
        let tables = try await server.sql(
            "SELECT relname FROM pg_class WHERE relnamespace = 'healthsync'::regnamespace", in: database)
        #expect(tables == "theirs")
    }

    @Test func failuresDoNotContainThePassword() async throws {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        let words = "host=\(server.folder) \(TestServer.patience)"
        for (address, reason) in [
            ("\(words) user=guarded password=geheim dbname=\(database)", "password authentication failed"),
            ("\(words) user=guarded dbname=\(database) passfile=/nowhere", "no password"),
            ("\(words) user=healthsync password=geheim dbname=nowhere", "\"nowhere\" does not exist"),
            ("host=\(server.folder)/none user=healthsync password=geheim", "No such file"),
            ("host=127.0.0.1 port=1 user=healthsync password=geheim", "refused"),
            ("postgres://guarded:geheim@\(database)%zz", "invalid PostgreSQL address"),
        ] {
            let failure = await #expect(throws: SyncFailure.self) {
                try await PostgresReceivedDataStore.open(at: PostgresAddress(address))
            }
            #expect(failure?.reason.contains(reason) == true, "\(failure?.description ?? "")")
            #expect(failure?.description.contains("geheim") == false)
        }
    }

    @Test func thePasswordMayBeInAFile() async throws {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        _ = try await server.sql("GRANT CREATE ON DATABASE \(database) TO guarded", in: database)
        let folder = try TemporaryFolder()
        let file = try folder.write("*:*:*:guarded:right\n", as: "passwords")
        let store = try await PostgresReceivedDataStore.open(
            at: PostgresAddress(
                "host=\(server.folder) user=guarded dbname=\(database) passfile=\(file) \(TestServer.patience)"))
        #expect(try await store.store(Writes.steps([Writes.sample(1)])) == [.created])
        await store.close()
    }

    @Test func anEncodingOtherThanUTF8IsRejected() async throws {
        let server = try await TestServer.shared.value
        let name = "latin" + UUID().uuidString.prefix(8).lowercased()
        _ = try await server.sql("CREATE DATABASE \(name) ENCODING 'LATIN1' TEMPLATE template0", in: "postgres")
        let failure = await #expect(throws: SyncFailure.self) {
            try await PostgresReceivedDataStore.open(at: server.address(name))
        }
        #expect(failure?.reason.contains("UTF-8") == true)
    }
}
