import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncPostgres
import HealthSyncReceiver
import HealthSyncSQLite
import HealthSyncSystem

/// Opens the stores of a receiving server.
struct LiveReceivedStore: Sendable {
    let time: any TimeSource

    /// Opens the tokens of the store at `location`.
    static func tokens(of location: ReceivedStoreLocation) async throws -> any AccessTokenStore {
        switch location {
        case .sqlite(let path): SQLiteAccessTokenStore(path: ReceivedStoreLocation.tokensPath(beside: path))
        case .postgres(let conninfo): try await PostgresAccessTokenStore.open(at: try PostgresAddress(conninfo))
        }
    }

    /// Opens the store, gives it to `body` and closes it.
    ///
    /// - Parameters:
    ///   - location: The file or the database.
    ///   - database: How PostgreSQL is used.
    ///   - linesFolder: The folder of `steps.jsonl`; `nil` for no such file.
    ///   - body: Uses the store.
    func use(
        _ location: ReceivedStoreLocation, database: DatabaseUse, linesFolder: String?,
        _ body: (any ReceivedDataStore) async throws -> Void
    ) async throws {
        switch location {
        case .sqlite(let path):
            let lock = try await RunLock.acquire(
                inFolder: (path as NSString).deletingLastPathComponent, waitMilliseconds: 2_000, time: time)
            defer { lock.release() }
            try await closing(
                SQLiteReceivedDataStore.open(
                    at: path, time: time, linesFolder: linesFolder, line: linesFolder == nil ? nil : StepsLine.bytes),
                after: body)
        case .postgres(let conninfo):
            // `serve` rejects a lines folder with PostgreSQL.
            var address = try PostgresAddress(conninfo)
            address.statementTimeout = database.statementTimeout ?? 0
            var options = PostgresStoreOptions()
            if let connections = database.connections { options.connections = connections }
            try await closing(PostgresReceivedDataStore.open(at: address, options: options), after: body)
        }
    }

    private func closing(
        _ store: any ReceivedDataStore, after body: (any ReceivedDataStore) async throws -> Void
    ) async throws {
        do {
            try await body(store)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }
}
