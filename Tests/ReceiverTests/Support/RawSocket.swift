import Foundation
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools

/// A TCP connection to loopback for raw bytes.
final class RawSocket: Sendable {
    private let descriptor: Int32

    init(port: Int) throws {
        #if os(Linux)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // Only a test that hangs waits that long.
        var patience = timeval(tv_sec: 1_200, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw ContractViolation("cannot connect to port \(port)") }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // If the server closes the connection while we send, its response, if any, is already in the buffer.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Ends the sending direction.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns the bytes up to the first occurrence of `end`. Blocks a thread of its own.
    func answer(upTo end: String) async throws -> String {
        try await BlockingThread.run { String(decoding: try self.read(upTo: Array(end.utf8)), as: UTF8.self) }
    }

    /// Waits until the server has sent as much as the buffers hold and waits for this client to read; returns the number of
    /// bytes that have arrived.
    func filled() async throws -> Int {
        var arrived: (before: Int32, now: Int32) = (0, 0)
        repeat {
            try await SystemClock().wait(milliseconds: 20)
            arrived.before = arrived.now
            guard ioctl(descriptor, UInt(FIONREAD), &arrived.now) == 0 else { throw ContractViolation("ioctl failed") }
        } while arrived.now == 0 || arrived.now != arrived.before
        return Int(arrived.now)
    }

    /// Returns all bytes until the server closes the connection.
    func readToEnd() throws -> [UInt8] { try read(upTo: nil) }

    private func read(upTo end: [UInt8]?) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN { throw ContractViolation("no response, and the connection is still open") }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            if let end, bytes.firstRange(of: end) != nil { return bytes }
        }
    }
}
