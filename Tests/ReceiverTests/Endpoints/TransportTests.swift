import Foundation
import HealthSyncTestTools
import Testing

@testable import HealthSyncReceiver

@Suite("The bytes of a connection")
struct TransportTests {
    /// Returns a transport and the other end of its connection.
    private func connected(over tls: TLSContext?) throws -> (Transport, Socket) {
        var ends: [Int32] = [0, 0]
        #if os(Linux)
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        #else
            try #require(socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0)
        #endif
        return (try #require(Transport(socket: Socket(owning: ends[0]), tls: tls)), Socket(owning: ends[1]))
    }

    /// Returns the context of a new self-signed certificate.
    private func context() async throws -> TLSContext {
        let folder = try TemporaryFolder()
        let (certificate, key) = (folder.path + "/cert.pem", folder.path + "/key.pem")
        let words = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=localhost", "-keyout", key, "-out", certificate,
        ]
        _ = try await BlockingThread.run { try Command(words, errors: .dropped).output() }
        return try #require(
            TLSContext(
                .init(
                    certificate: String(contentsOfFile: certificate, encoding: .utf8),
                    privateKey: String(contentsOfFile: key, encoding: .utf8))))
    }

    @Test("A closed transport neither reads, writes nor has bytes, and its socket is closed", arguments: [false, true])
    func closed(usesTLS: Bool) async throws {
        let (transport, other) = try connected(over: usesTLS ? await context() : nil)
        _ = other.withDescriptor { send($0, "hello", 5, 0) }
        var buffer = [UInt8](repeating: 0, count: 64)
        if !usesTLS {
            guard case .bytes(5) = transport.read(into: &buffer) else {
                Issue.record("nothing was read")
                return
            }
        }
        transport.close()
        #expect(transport.isClosed && !transport.hasPending)
        #expect(transport.socket.withDescriptor { $0 } == nil)
        guard case .failed = transport.read(into: &buffer), case .failed = transport.write([1]) else {
            Issue.record("a closed transport read or wrote")
            return
        }
        transport.finishWriting(closesNow: false)
        transport.close()
        // The other end receives the end, because no other reference keeps the socket open.
        #expect(other.withDescriptor { recv($0, &buffer, buffer.count, Int32(MSG_DONTWAIT)) } ?? -1 <= 0)
    }
}
