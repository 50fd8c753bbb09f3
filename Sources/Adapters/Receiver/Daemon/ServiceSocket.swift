import CHealthSyncSockets
import Foundation
package import HealthSyncDomain

/// A listening socket that the service manager opened for this process (the protocol of sd_listen_fds, without its
/// library). Connections that arrive while the server restarts wait in it.
package struct ServiceSocket: Sendable, Hashable {
    let descriptor: Int32
    /// The numeric address it listens on.
    package let host: String
    /// The port it listens on.
    package let port: UInt16

    /// The descriptor of the first socket that the protocol passes.
    private static let first: Int32 = 3

    /// Returns the socket that `LISTEN_FDS` and `LISTEN_PID` pass to this process; `nil` if they pass none.
    ///
    /// - Throws: `SyncFailure` with `.configuration` if they pass several, or something else than a listening TCP socket.
    package static func passed(_ variables: [String: String]) throws(SyncFailure) -> ServiceSocket? {
        guard let count = variables["LISTEN_FDS"], variables["LISTEN_PID"] == String(getpid()) else { return nil }
        guard count == "1" else {
            throw failure("\(count) sockets were passed", advice: "pass one: a single ListenStream= in the socket unit")
        }
        var port: UInt16 = 0
        let host = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer -> String? in
            guard let text = buffer.baseAddress, unsafe healthsync_adopt(first, text, buffer.count, &port) == 0 else {
                return nil
            }
            return unsafe String(cString: text)
        }
        guard let host else {
            throw failure(
                "the passed socket does not listen on TCP", advice: "use ListenStream= with an address and a port")
        }
        return ServiceSocket(descriptor: first, host: host, port: port)
    }

    private static func failure(_ reason: String, advice: String) -> SyncFailure {
        SyncFailure(.configuration, subject: "LISTEN_FDS", reason: reason, advice: advice)
    }
}
