import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSQLite
import HealthSyncSystem
import HealthSyncTestKit
import Synchronization

/// The routes of a receiving server over its database, without sockets.
final class SimulatedServer: Sendable {
    struct Response: Sendable {
        var status: Int
        var retryAfter: String?
        var body: [UInt8]
    }

    private struct Running: Sendable {
        var store: SQLiteReceivedDataStore
        var disk: FailingDisk
        var api: ReceiverAPI
        var path: String
        var requests = 0
    }

    private let files: DatabaseFiles
    private let time: ManualTime
    private let running: Mutex<Running>

    init(in folder: String, time: ManualTime) async throws {
        let files = DatabaseFiles(folder: folder, name: "server")
        self.files = files
        self.time = time
        let started = try await Self.start(at: files.next(), time: time)
        running = Mutex(started)
    }

    private static func start(at path: String, time: ManualTime) async throws -> Running {
        let store = try await SQLiteReceivedDataStore.open(at: path, time: time)
        let disk = FailingDisk(store)
        let services = ReceiverServices(
            store: disk, hasher: LibcryptoHasher(), time: time, limits: ServerLimits(), log: Silence(),
            version: "1.0.0")
        let authenticator = Authenticator(
            store: InMemoryAccessTokenStore(), hasher: LibcryptoHasher(), time: time, allowsOpenAccess: true)
        return Running(
            store: store, disk: disk,
            api: ReceiverAPI(services: services, authenticator: authenticator, metrics: ServerMetrics()), path: path)
    }

    private var store: SQLiteReceivedDataStore { running.withLock { $0.store } }

    /// Lets the disk fail at the next change; if `afterCommit`, the change is stored nevertheless.
    func failNextChange(afterCommit: Bool) {
        running.withLock { $0.disk }.failNextChange(afterCommit: afterCommit)
    }

    /// Kills the server and starts it again with the files as they are.
    func restart() async throws { try await start(with: running.withLock { $0.path }) }

    /// Returns a copy of the database, for `start(with:)`.
    func backup() throws -> String { try files.copy(running.withLock { $0.path }) }

    /// Replaces the database by that at `path`, and starts the server again.
    func start(with path: String) async throws {
        let copy = try files.copy(path)
        await store.close()
        let started = try await Self.start(at: copy, time: time)
        running.withLock { $0 = started }
    }

    func close() async { await store.close() }

    /// Returns the response to a request, as the routes make it.
    func respond(method: String, target: String, headers: [RequestHead.Header], body: [UInt8]) async -> Response {
        let (api, number) = running.withLock { running in
            running.requests += 1
            return (running.api, running.requests)
        }
        let head = RequestHead(
            number: number, method: method, target: target, version: "HTTP/1.1",
            headers: headers + [.init("host", "localhost")], remoteAddress: "127.0.0.1")
        let handler = api.handler(for: head)
        let admission: Admission
        if let quick = handler.quickAdmission() { admission = quick } else { admission = await handler.admission() }
        switch admission {
        case .reject(let response): return await Self.read(response)
        case .accept(let caller):
            return await Self.read(await handler.response(to: HTTPRequest(head: head, caller: caller, body: body)))
        }
    }

    private static func read(_ response: HTTPResponse) async -> Response {
        let retryAfter = response.headers.first { $0.name.lowercased() == "retry-after" }?.value
        var body: [UInt8] = []
        switch response.body {
        case .bytes(let bytes): body = bytes
        case .stream(let stream):
            do {
                while let piece = try await stream.next() { body += piece }
            } catch {
                return Response(status: 599, retryAfter: nil, body: [])
            }
        }
        return Response(status: response.status, retryAfter: retryAfter, body: body)
    }

    /// Returns what the server has, read from the bodies of its responses and records.
    func content() async throws -> Content {
        var content = Content()
        let kinds: [RecordKind] = [.progress, .snapshots, .sleep]
        for kind in kinds {
            let bodies = try await store.fold(RecordScan(user: .local, kind: kind), into: [String: [UInt8]]()) {
                $0[$1.id] = $1.body
            }
            for (id, body) in bodies {
                let members = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
                switch kind {
                case .progress: content.figures[id] = members["quantity"] as? Double ?? .nan
                case .snapshots:
                    content.snapshots[id] = ["steps", "active_energy_kcal", "sleep_minutes"].map {
                        members[$0] as? Double
                    }
                default:
                    let session = try Self.session(members)
                    content.sessions.append(session)
                    content.nights[session] = "\(members["role"] ?? "") of \(members["day"] ?? "")"
                }
            }
        }
        let response = await respond(method: "GET", target: "/steps", headers: [], body: [])
        let answer = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any] ?? [:]
        for sample in answer["samples"] as? [[String: Any]] ?? [] {
            content.samples.append("\(sample["startDate"] ?? "") \(sample["count"] ?? "")")
        }
        return content
    }
}

extension SimulatedServer {
    private static func session(_ members: [String: Any]) throws -> String {
        func seconds(_ member: Any?) throws -> Int64 {
            Int64(try Date(member as? String ?? "", strategy: .iso8601).timeIntervalSince1970)
        }
        let stages = members["stages"] as? [[String: Any]] ?? []
        let asleep = try stages.map { try seconds($0["end_time"]) - seconds($0["start_time"]) }.reduce(0, +)
        return Content.session(
            members["source"] as? String ?? "", try seconds(members["start_time"]), try seconds(members["end_time"]),
            minutes: Double(asleep) / 60)
    }
}

/// Copies of a database in a folder. A killed process leaves the files as they are, with the write-ahead log.
struct DatabaseFiles: Sendable {
    let folder: String
    let name: String
    private static let count = Atomic<Int>(0)

    /// Returns the path of a file that does not exist.
    func next() -> String { "\(folder)/\(name)\(Self.count.wrappingAdd(1, ordering: .relaxed).newValue).sqlite" }

    /// Copies the database at `path` and returns the path of the copy.
    func copy(_ path: String) throws -> String {
        let copy = next()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        return copy
    }
}

/// A log and progress reporter that ignore everything.
struct Silence: EventLog, ProgressReporter {
    func note(_ event: String, level: LogLevel) {}
    func report(phase: String, done: Int64, total: Int64?) {}
    func report(phase: String, done: Int64, total: Int64?, detail: String) {}
}
