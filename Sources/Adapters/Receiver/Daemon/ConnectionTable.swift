import Foundation
import HealthSyncDomain
import Synchronization

/// The open connections, what each is doing, and until when it may: the library's own timeout asks only for silence,
/// and a client that sends a byte a second is never silent.
final class ConnectionTable: Sendable {
    /// What a connection is doing.
    enum Activity {
        /// Between requests.
        case idle
        /// A request's head is being read.
        case head
        /// A request's body is being read.
        case body
        /// The answer is being made; the time is ours.
        case answering
        /// The answer is being sent.
        case sending
        /// A streamed answer is being sent: as long as the client takes it.
        case streaming
    }

    private struct Entry {
        var socket: Int32
        var address: String
        var activity: Activity
        var deadline: Instant?
        /// Whose request is under way, as a proxy says.
        var client: String?
    }

    private struct State {
        var entries: [UInt: Entry] = [:]
        var perAddress: [String: Int] = [:]
        /// Requests under way, by the address that a proxy names.
        var perClient: [String: Int] = [:]
    }

    private let limits: ServerLimits
    private let state = Mutex(State())

    init(limits: ServerLimits) { self.limits = limits }

    /// Whether one more connection from `address` is within the limits.
    func accepts(_ address: String) -> Bool {
        state.withLock { state in
            guard limits.connectionsPerAddress.holds(for: address) else { return true }
            return state.perAddress[address, default: 0] < limits.connectionsPerAddress.count
        }
    }

    /// Whether one more request at once from `client`, whom a proxy names, is within the limits. It is counted until it
    /// ends.
    func accepts(_ client: String, over connection: UInt) -> Bool {
        guard limits.connectionsPerAddress.holds(for: client) else { return true }
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
                socket: socket, address: address, activity: .head, deadline: deadline(of: .head, from: now))
        }
    }

    func closed(_ connection: UInt) {
        state.withLock { state in
            Self.release(connection, in: &state)
            guard let entry = state.entries.removeValue(forKey: connection) else { return }
            let left = state.perAddress[entry.address, default: 1] - 1
            state.perAddress[entry.address] = left > 0 ? left : nil
        }
    }

    func set(_ activity: Activity, of connection: UInt, at now: Instant) {
        state.withLock { state in
            if activity == .idle { Self.release(connection, in: &state) }
            state.entries[connection]?.activity = activity
            state.entries[connection]?.deadline = deadline(of: activity, from: now)
        }
    }

    /// The request that was under way over the connection is not any more.
    private static func release(_ connection: UInt, in state: inout State) {
        guard let client = state.entries[connection]?.client else { return }
        state.entries[connection]?.client = nil
        let left = state.perClient[client, default: 1] - 1
        state.perClient[client] = left > 0 ? left : nil
    }

    func address(of connection: UInt) -> String { state.withLock { $0.entries[connection]?.address ?? "" } }

    /// Shuts down the sockets whose time is over; the daemon notices and closes them.
    func cutOverdue(at now: Instant) {
        cut { entry in entry.deadline.map { $0 <= now } ?? false }
    }

    /// Shuts down the sockets on which no request is under way.
    func cutIdle() {
        cut { entry in entry.activity == .idle || entry.activity == .head }
    }

    private func cut(where isToBeCut: (Entry) -> Bool) {
        // Within the lock: a socket leaves the table before the daemon closes it, so its number is still its own.
        state.withLock { state in
            for (connection, entry) in state.entries where isToBeCut(entry) {
                shutdown(entry.socket, Int32(SHUT_RDWR))
                state.entries[connection]?.deadline = nil
            }
        }
    }

    /// Connections with a request under way.
    var busyCount: Int {
        state.withLock { $0.entries.values.count { $0.activity != .idle && $0.activity != .head } }
    }

    private func deadline(of activity: Activity, from now: Instant) -> Instant? {
        switch activity {
        case .idle, .sending: now.advanced(byMilliseconds: limits.idleMilliseconds)
        case .head: now.advanced(byMilliseconds: limits.headMilliseconds)
        case .body: now.advanced(byMilliseconds: limits.bodyMilliseconds)
        case .answering, .streaming: nil
        }
    }
}
