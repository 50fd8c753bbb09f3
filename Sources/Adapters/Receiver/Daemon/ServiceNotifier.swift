import CHealthSyncSockets
import Foundation

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
