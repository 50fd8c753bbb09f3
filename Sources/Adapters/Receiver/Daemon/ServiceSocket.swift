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

/// Notifies systemd of the state of the service (the protocol of sd_notify, without its library).
package enum ServiceNotifier {
    /// Sends `state` to the socket in `NOTIFY_SOCKET`, if set. Failures are ignored.
    package static func notify(_ state: String, variables: [String: String]) {
        guard let name = variables["NOTIFY_SOCKET"], let first = name.utf8.first else { return }
        #if os(Linux)
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(name.utf8)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.count < capacity else { return }
        // A leading @ denotes the zero byte of a name in the abstract namespace.
        if first == 0x40 { path[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + path.count)
        let bytes = Array(state.utf8)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(descriptor, bytes, bytes.count, 0, $0, length)
            }
        }
    }
}
