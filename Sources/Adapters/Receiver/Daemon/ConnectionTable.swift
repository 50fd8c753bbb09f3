import Foundation
import HealthSyncDomain
import Synchronization

/// The open connections with their activity and deadline. The library's own timeout only detects silence, and a client
/// that sends a byte a second is never silent.
final class ConnectionTable: Sendable {
    /// The activity of a connection.
    enum Activity {
        /// Between requests.
        case idle
        /// A request's head is being read.
        case head
        /// A request's body is being read.
        case body
        /// The response is being created, which has no deadline.
        case responding
        /// The response is being sent.
        case sending
        /// A streamed response is being sent, which has no deadline.
        case streaming
    }

    private struct Entry {
        var socket: Int32
        var address: String
        var activity: Activity
        /// When the activity began.
        var since: Instant
        var deadline: Instant?
        /// The client of the current request, as forwarded by the proxy.
        var client: String?
    }

    private struct State {
        var entries: [UInt: Entry] = [:]
        var perAddress: [String: Int] = [:]
        /// The number of current requests of each forwarded address.
        var perClient: [String: Int] = [:]
    }

    private let limits: ServerLimits
    private let state = Mutex(State())

    init(limits: ServerLimits) { self.limits = limits }

    /// Returns whether another connection from `address` is within the limits.
    func accepts(_ address: String) -> Bool {
        state.withLock { state in
            guard limits.connectionsPerAddress.applies(to: address) else { return true }
            return state.perAddress[address, default: 0] < limits.connectionsPerAddress.count
        }
    }

    /// Counts a request from the forwarded address `client` until it ends; returns `false`, without counting it, if it
    /// exceeds the limit on concurrent requests.
    func accepts(_ client: String, over connection: UInt) -> Bool {
        guard limits.connectionsPerAddress.applies(to: client) else { return true }
        return state.withLock { state in
            guard state.entries[connection] != nil else { return true }
            let count = state.perClient[client, default: 0]
            guard count < limits.connectionsPerAddress.count else { return false }
            state.perClient[client] = count + 1
            state.entries[connection]?.client = client
            return true
        }
    }

    func opened(_ connection: UInt, socket: Int32, address: String, at now: Instant) {
        state.withLock { state in
            state.perAddress[address, default: 0] += 1
            state.entries[connection] = Entry(
                socket: socket, address: address, activity: .head, since: now,
                deadline: deadline(of: .head, from: now))
        }
    }

    func closed(_ connection: UInt) {
        state.withLock { state in
            Self.release(connection, in: &state)
            guard let entry = state.entries.removeValue(forKey: connection) else { return }
            let remaining = state.perAddress[entry.address, default: 1] - 1
            state.perAddress[entry.address] = remaining > 0 ? remaining : nil
        }
    }

    func set(_ activity: Activity, of connection: UInt, at now: Instant) {
        state.withLock { state in
            if activity == .idle { Self.release(connection, in: &state) }
            state.entries[connection]?.activity = activity
            state.entries[connection]?.since = now
            state.entries[connection]?.deadline = deadline(of: activity, from: now)
        }
    }

    /// Extends the deadline of a body of which `bytes` were received.
    func received(_ bytes: Int, on connection: UInt) {
        let allowed = Int64(bytes) * 1_000 / max(1, limits.bodyBytesPerSecond)
        state.withLock { state in
            guard let entry = state.entries[connection], entry.activity == .body, entry.deadline != nil else { return }
            state.entries[connection]?.deadline = deadline(of: .body, from: entry.since)?
                .advanced(byMilliseconds: allowed)
        }
    }

    /// Ends the count of the current request of the connection.
    private static func release(_ connection: UInt, in state: inout State) {
        guard let client = state.entries[connection]?.client else { return }
        state.entries[connection]?.client = nil
        let remaining = state.perClient[client, default: 1] - 1
        state.perClient[client] = remaining > 0 ? remaining : nil
    }

    func address(of connection: UInt) -> String { state.withLock { $0.entries[connection]?.address ?? "" } }

    /// Shuts down the sockets whose deadline has passed; the daemon then closes them.
    func shutDownOverdue(at now: Instant) {
        shutDown { entry in entry.deadline.map { $0 <= now } ?? false }
    }

    /// Shuts down the sockets without a current request.
    func shutDownIdle() {
        shutDown { entry in entry.activity == .idle || entry.activity == .head }
    }

    private func shutDown(where condition: (Entry) -> Bool) {
        // Under the lock, because an entry is removed before the daemon closes its socket: the descriptor is still
        // valid.
        state.withLock { state in
            for (connection, entry) in state.entries where condition(entry) {
                shutdown(entry.socket, Int32(SHUT_RDWR))
                state.entries[connection]?.deadline = nil
            }
        }
    }

    /// The number of connections with a current request.
    var busyCount: Int {
        state.withLock { $0.entries.values.count { $0.activity != .idle && $0.activity != .head } }
    }

    private func deadline(of activity: Activity, from now: Instant) -> Instant? {
        switch activity {
        case .idle, .sending: now.advanced(byMilliseconds: limits.idleMilliseconds)
        case .head: now.advanced(byMilliseconds: limits.headMilliseconds)
        case .body: now.advanced(byMilliseconds: limits.bodyMilliseconds)
        case .responding, .streaming: nil
        }
    }
}
