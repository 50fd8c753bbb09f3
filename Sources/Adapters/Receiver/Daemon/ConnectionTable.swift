import HealthSyncDomain
import Synchronization

/// The open connections with their activity and deadline.
final class ConnectionTable: Sendable {
    /// The activity of a connection.
    enum Activity {
        /// Between requests.
        case idle
        /// A request's head is being read.
        case head
        /// A task checks a token or another secret. If it is invalid, the task waits before it answers.
        case deciding
        /// A request's body is being read.
        case body
        /// The body of a rejected request is being read and discarded.
        case discarding
        /// The response, or a piece of it, is being created, which has no deadline.
        case responding
        /// The response waits for something that may not happen, such as the arrival of a post.
        case waiting
        /// A wait was ended early, and the response is being created.
        case ending
        /// The response, or a piece of it, is being sent.
        case sending
        /// The last response was sent, and what the client still sends is discarded.
        case lingering
    }

    /// Who makes a request, as far as connections are shared out.
    enum Party: Equatable {
        /// Someone who showed no token.
        case anyone
        /// A user, by whatever token.
        case user(UserName)
        /// The only user of a server that requires no token.
        case everyone
    }

    private struct Entry {
        let socket: Socket
        /// The key of the client's address.
        var network: String
        var activity: Activity
        /// When the activity began.
        var since: Instant
        var deadline: Instant?
        /// The bytes of the body that were received.
        var received = 0
        /// The client of the current request, as forwarded by the proxy.
        var client: String?
        /// Who makes the current request, as soon as it was accepted.
        var party: Party?
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
            return state.perAddress[ClientAddress.network(of: address), default: 0] < limits.connectionsPerAddress.count
        }
    }

    /// Counts a request from the forwarded address `client` until it ends; returns `false`, without counting it, if it
    /// exceeds the limit on concurrent requests.
    func accepts(_ client: String, over connection: UInt) -> Bool {
        guard limits.connectionsPerAddress.applies(to: client) else { return true }
        let client = ClientAddress.network(of: client)
        return state.withLock { state in
            guard state.entries[connection] != nil else { return true }
            let count = state.perClient[client, default: 0]
            guard count < limits.connectionsPerAddress.count else { return false }
            state.perClient[client] = count + 1
            state.entries[connection]?.client = client
            return true
        }
    }

    /// Notes who makes the current request of the connection. Returns `false` if the requests of the same user already hold
    /// their share of the connections.
    func accepts(_ party: Party, over connection: UInt) -> Bool {
        state.withLock { state in
            state.entries[connection]?.party = party
            // Most servers are far from full, and then nothing needs to be counted.
            guard case .user = party, state.entries.count > limits.connectionsPerUser else { return true }
            let count = state.entries.values.count { $0.party == party && Self.isHeld($0.activity) }
            return count < limits.connectionsPerUser
        }
    }

    /// Returns whether a new client cannot have a connection with this activity at once.
    private static func isHeld(_ activity: Activity) -> Bool {
        switch activity {
        case .body, .responding, .sending, .ending: true
        case .idle, .head, .deciding, .discarding, .waiting, .lingering: false
        }
    }

    func opened(_ connection: UInt, socket: Socket, address: String, at now: Instant) {
        let network = ClientAddress.network(of: address)
        state.withLock { state in
            state.perAddress[network, default: 0] += 1
            state.entries[connection] = Entry(
                socket: socket, network: network, activity: .head, since: now,
                deadline: deadline(of: .head, from: now))
        }
    }

    func closed(_ connection: UInt) {
        state.withLock { state in
            Self.release(connection, in: &state)
            guard let entry = state.entries.removeValue(forKey: connection) else { return }
            let remaining = state.perAddress[entry.network, default: 1] - 1
            state.perAddress[entry.network] = remaining > 0 ? remaining : nil
        }
    }

    func set(_ activity: Activity, of connection: UInt, at now: Instant) {
        state.withLock { state in
            if activity == .idle {
                Self.release(connection, in: &state)
                state.entries[connection]?.party = nil
            }
            if activity == .body || activity == .discarding { state.entries[connection]?.received = 0 }
            state.entries[connection]?.activity = activity
            state.entries[connection]?.since = now
            state.entries[connection]?.deadline = deadline(of: activity, from: now)
        }
    }

    /// Notes that the response of a request waits, or no longer does.
    func set(isWaiting: Bool, of connection: UInt, at now: Instant) {
        state.withLock { state in
            let (former, activity): (Activity, Activity) = isWaiting ? (.responding, .waiting) : (.waiting, .responding)
            // A wait that was ended early stays so until the response is sent.
            guard state.entries[connection]?.activity == former else { return }
            state.entries[connection]?.activity = activity
            state.entries[connection]?.since = now
        }
    }

    /// Extends the deadline of a body of which `bytes` were received.
    func received(_ bytes: Int, on connection: UInt) {
        let allowed = Int64(bytes) * 1_000 / max(1, limits.bodyBytesPerSecond)
        state.withLock { state in
            guard let entry = state.entries[connection], entry.activity == .body, entry.deadline != nil else { return }
            state.entries[connection]?.received = bytes
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

    /// Shuts down the sockets whose deadline has passed; the server's thread then closes them.
    func shutDownOverdue(at now: Instant) {
        shutDown { entry in entry.deadline.map { $0 <= now } ?? false }
    }

    private func shutDown(where condition: (Entry) -> Bool) {
        state.withLock { state in
            for (connection, entry) in state.entries where condition(entry) {
                entry.socket.shutDown()
                state.entries[connection]?.deadline = nil
            }
        }
    }

    /// Ends the bodies that are being read after what has arrived: a complete one is still answered, and an incomplete one
    /// is dropped.
    func endBodies() {
        state.withLock { state in
            for entry in state.entries.values where entry.activity == .body || entry.activity == .discarding {
                entry.socket.shutDownReading()
            }
        }
    }

    /// Returns the connection to close when a client cannot be accepted otherwise: the one that has waited longest for its
    /// client; `nil` if all are busy, or if one will be available as soon as its wait has ended.
    func mostDispensable(at now: Instant) -> UInt? {
        state.withLock { state in
            let candidates = state.entries.compactMap { key, entry in
                rank(entry, at: now).map { ($0, entry.since, key) }
            }
            guard let first = candidates.min(by: { $0 < $1 }) else { return nil }
            // One wait for each new client.
            let isEnding =
                state.entries[first.2]?.activity == .waiting
                && state.entries.values.contains { $0.activity == .ending }
            return isEnding ? nil : first.2
        }
    }

    /// Returns whether the wait of a request was ended early.
    func isEnding(_ connection: UInt) -> Bool { state.withLock { $0.entries[connection]?.activity == .ending } }

    /// Notes that the wait of a request is ended early. Returns `false` if it does not wait.
    func beginEnding(_ connection: UInt, at now: Instant) -> Bool {
        state.withLock { state in
            guard state.entries[connection]?.activity == .waiting else { return false }
            state.entries[connection]?.activity = .ending
            state.entries[connection]?.since = now
            return true
        }
    }

    /// Returns how dispensable a connection is, 0 for the most; `nil` if it is busy.
    private func rank(_ entry: Entry, at now: Instant) -> Int? {
        let age = now.milliseconds - entry.since.milliseconds
        switch entry.activity {
        case .idle, .lingering: return 0
        // Before clients that have just connected, because a wait that ends loses nothing.
        case .waiting: return 1
        case .head: return 2
        case .discarding: return 3
        // So that clients that guess tokens, whose answers are delayed, or that need none shut nobody out.
        case .deciding: return age >= limits.decisionMilliseconds ? 3 : nil
        case .body where entry.party == .anyone: return age >= limits.decisionMilliseconds ? 3 : nil
        case .body:
            let isSlow = Int64(entry.received) * 1_000 < age * limits.bodyBytesPerSecond
            return isSlow && age >= limits.patienceMilliseconds ? 4 : nil
        case .sending: return age >= limits.patienceMilliseconds ? 5 : nil
        case .responding, .ending: return nil
        }
    }

    /// The number of connections with a current request.
    var busyCount: Int {
        state.withLock { state in
            state.entries.values.count { $0.activity != .idle && $0.activity != .head && $0.activity != .lingering }
        }
    }

    private func deadline(of activity: Activity, from now: Instant) -> Instant? {
        switch activity {
        case .idle, .sending: now.advanced(byMilliseconds: limits.idleMilliseconds)
        case .head: now.advanced(byMilliseconds: limits.headMilliseconds)
        case .body, .discarding: now.advanced(byMilliseconds: limits.bodyMilliseconds)
        case .lingering: now.advanced(byMilliseconds: limits.lingerMilliseconds)
        case .deciding, .responding, .waiting, .ending: nil
        }
    }
}
