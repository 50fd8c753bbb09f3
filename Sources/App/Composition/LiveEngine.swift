import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncSystem

/// Opens the engine of a command: the lock, the database and the connection to the server.
struct LiveEngine: Sendable {
    let request: EngineRequest
    let time: any TimeSource
    /// The destination formats of plug-ins.
    let senders: [any HealthDestinationFormat]

    func open() async throws -> OpenEngine {
        let settings = request.settings
        switch request.access {
        case .reading:
            let database = try await SQLiteDatabase.open(at: settings.databasePath, access: .readOnly, time: time)
            return try await opened(database, lock: nil, progress: nil)
        case .writing:
            let lock = try await RunLock.acquire(
                inFolder: settings.dataDirectory, waitMilliseconds: Int64(settings.limits.lockWaitSeconds) * 1000,
                time: time)
            do {
                let database = try await SQLiteDatabase.open(
                    at: settings.databasePath, time: time, hasher: LibcryptoHasher(), log: request.log)
                let progress = SharedProgress(
                    request.progress, file: ProgressFile(folder: settings.dataDirectory), time: time)
                return try await opened(database, lock: lock, progress: progress)
            } catch {
                lock.release()
                throw error
            }
        }
    }

    /// Returns the zones in which the days of a database were derived, without opening an engine.
    static func storedDayZones(_ settings: Settings, time: any TimeSource) async -> StoredDayZones? {
        guard
            let database = try? await SQLiteDatabase.open(at: settings.databasePath, access: .readOnly, time: time)
        else { return nil }
        let counted = try? await database.tracking.storedDayZones()
        try? await database.close()
        return counted
    }

    /// Returns the UTC offsets that sources stated, as evidence of the user's zone, without opening an engine.
    static func zoneEvidence(_ settings: Settings, time: any TimeSource) async -> [ZoneEvidence] {
        guard
            let database = try? await SQLiteDatabase.open(at: settings.databasePath, access: .readOnly, time: time)
        else { return [] }
        let evidence = try? await database.tracking.zoneEvidence()
        try? await database.close()
        return evidence ?? []
    }

    private func opened(
        _ database: SQLiteDatabase, lock: RunLock?, progress: SharedProgress?
    ) async throws -> OpenEngine {
        let folder = request.settings.dataDirectory
        let ports = EnginePorts(
            pages: database.pages, tracking: database.tracking, repository: database.repository,
            outbox: database.outbox, shoes: database.shoes, intervals: database.intervals,
            runs: database.runs, runWatch: DataFolderWatch(folder: folder),
            verifications: database.verifications, hold: PauseFile(folder: folder, time: time),
            server: try await server(), hasher: LibcryptoHasher(), time: time, random: SystemRandom(), log: request.log,
            progress: progress ?? request.progress)
        let log = request.log
        return OpenEngine(ports: ports, settings: request.engineSettings) {
            do {
                try await database.close()
            } catch {
                // The next run checkpoints the rest of the write-ahead log.
                let reason = (error as? SyncFailure)?.reason ?? FailureText.of(error)
                log.note("closing the database: \(reason); everything is stored", level: .warning)
            }
            progress?.finish()
            lock?.release()
        }
    }

    private func server() async throws -> HealthDestination? {
        guard let server = request.settings.server else { return nil }
        let delivery = request.settings.delivery
        let timeout = Int(delivery.requestTimeoutMilliseconds)
        return try DestinationFormats(senders).destination(
            for: DestinationRequest(
                address: server.url, token: server.token,
                userProfile: UUIDText.text(try await request.userProfile.id(request.settings)),
                batchesInFlight: delivery.concurrency, timeoutMilliseconds: timeout, time: time,
                http: PlugInExchange(inFlight: delivery.concurrency, timeoutMilliseconds: timeout, time: time)))
    }
}

/// The formats of destinations: those of plug-ins, which come first, and the built-in ones.
struct DestinationFormats: Sendable {
    /// All formats; the first that recognizes an address opens it.
    let all: [any HealthDestinationFormat]

    /// Creates the list of `senders` followed by the built-in formats.
    init(_ senders: [any HealthDestinationFormat]) { all = senders + [HTTPDestinationFormat()] }

    /// Opens the destination at the address of `request`. A call of a plug-in's sender returns before the lease of its
    /// batch expires; the built-in sender keeps to its timeout itself.
    ///
    /// - Throws: `SyncFailure` with `.configuration` if no format recognizes the address.
    func destination(for request: DestinationRequest) throws -> HealthDestination {
        guard let format = all.first(where: { $0.recognizes(request.address) }) else {
            throw SyncFailure(
                .configuration, subject: request.address, reason: "no sender accepts this address",
                advice: "use \(all.map(\.addressForm).joined(separator: " or "))")
        }
        var destination = try format.destination(for: request)
        if !(format is HTTPDestinationFormat) {
            destination.sender = TimeLimitedSender(
                destination.sender, milliseconds: 2 * Int64(request.timeoutMilliseconds), time: request.time)
        }
        return destination
    }
}
