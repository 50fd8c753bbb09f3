import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Bounds the bodies of requests that only a signature will identify, while they are received: until then anyone may have
/// sent them. Nothing of them is written to the disk.
final class SignedBodies: Sendable {
    private struct Share {
        var bodies = 0
        var bytes = 0
    }

    private struct State {
        var bytes = 0
        var shares: [String: Share] = [:]
    }

    /// The maximum size of a body in bytes. Apps that sign send 1,000 records of each type at most, about 1 MiB.
    static let largestBody = 8 << 20
    /// The maximum number of bodies that one address sends at once.
    private static let mostOfAddress = 4
    /// The maximum size of the bodies that one address sends at once, in bytes.
    private static let largestOfAddress = 16 << 20
    /// The maximum size of all bodies in bytes.
    private static let largestTotal = 32 << 20
    /// Bodies up to this size in bytes are received even if others use all that is allowed.
    static let alwaysAccepted = 64 << 10

    private let state = Mutex(State())

    /// Begins a body from an address. Returns `false` if the address sends too many.
    func begin(from network: String) -> Bool {
        state.withLock { state in
            guard state.shares[network, default: Share()].bodies < Self.mostOfAddress else { return false }
            state.shares[network, default: Share()].bodies += 1
            return true
        }
    }

    /// Adds a piece of `bytes` bytes to a body that has `size` with it. Returns `false`, and adds nothing, if that exceeds a
    /// limit.
    func add(_ bytes: Int, size: Int, from network: String) -> Bool {
        state.withLock { state in
            let share = state.shares[network, default: Share()]
            let isWithin = state.bytes + bytes <= Self.largestTotal && share.bytes + bytes <= Self.largestOfAddress
            guard size <= Self.alwaysAccepted || isWithin else { return false }
            state.bytes += bytes
            state.shares[network, default: Share()].bytes += bytes
            return true
        }
    }

    /// Ends a body of `bytes` bytes.
    func end(_ bytes: Int, from network: String) {
        state.withLock { state in
            guard var share = state.shares[network] else { return }
            state.bytes -= bytes
            share.bodies -= 1
            share.bytes -= bytes
            state.shares[network] = share.bodies > 0 ? share : nil
        }
    }
}

/// The body of a post that only its signature identifies. It is in memory until it was verified.
final class SignedBody: InboxBody {
    private struct State {
        var bytes: [UInt8] = []
        /// Why the body is not accepted.
        var rejection: HTTPResponse?
        /// Whether the body counts among those that are received.
        var isOpen = false
    }

    private let bodies: SignedBodies
    private let network: String
    private let state: Mutex<State>

    /// - Parameter network: the address of the client, under which limits count.
    init(_ bodies: SignedBodies, from network: String) {
        self.bodies = bodies
        self.network = network
        var state = State()
        state.isOpen = bodies.begin(from: network)
        if !state.isOpen { state.rejection = Self.tooMany }
        self.state = Mutex(state)
    }

    deinit { abandon() }

    private static var tooMany: HTTPResponse {
        .problem(
            429, "too many signed posts without a token at once; send the token too, or try again",
            headers: [.init("Retry-After", "5")])
    }

    /// Why the body was not received; `nil` if it was.
    var rejection: HTTPResponse? { state.withLock { $0.rejection } }

    func append(_ piece: UnsafeRawBufferPointer) -> HTTPResponse? {
        let rejection = state.withLock { state -> HTTPResponse? in
            if let rejection = state.rejection { return rejection }
            guard bodies.add(piece.count, size: state.bytes.count + piece.count, from: network) else {
                state.rejection = Self.tooMany
                return state.rejection
            }
            unsafe state.bytes.append(contentsOf: piece)
            return nil
        }
        if rejection != nil { abandon() }
        return rejection
    }

    func abandon() {
        let count = state.withLock { state -> Int? in
            guard state.isOpen else { return nil }
            defer { (state.isOpen, state.bytes) = (false, []) }
            return state.bytes.count
        }
        if let count { bodies.end(count, from: network) }
    }

    /// Returns the device that signed the body with `signature`, and the body; `nil` if no device did.
    func verified(
        _ signature: [UInt8], by signers: [InboxSigner], hasher: any SecretHasher & MessageHasher
    ) -> (signer: InboxSigner, body: [UInt8])? {
        let body = state.withLock { $0.bytes }
        let signer = signers.first { signer in
            let code = signer.code(hasher)
            unsafe body.withUnsafeBytes { unsafe code.update($0) }
            return hasher.areEqual(code.finish(), signature)
        }
        return signer.map { ($0, body) }
    }
}
