import Foundation
import HealthSyncReceiver
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Malformed and hostile requests from an independent client.
@Suite struct RawProbeTests {
    @Test func everyProbeGetsAResponseOrIsClosedAndTheServerContinues() async throws {
        let corpus = ProjectFile.corpora + "/http-raw-llhttp"
        let arguments = FileManager.default.fileExists(atPath: corpus) ? ["--corpus", corpus] : []
        var limits = ServerLimits()
        limits.headMilliseconds = 1_000
        limits.bodyMilliseconds = 1_500
        try await ServerUnderTest.run(limits: limits) { server in
            let (status, output) = try await Peer.run(
                "servers/probe_http.py", ["--port", "\(server.port)", "--patience", "10"] + arguments)
            #expect(status == 0, "\(output)")
        }
    }

    @Test func slowClientsAreClosedAndOthersServed() async throws {
        var limits = ServerLimits()
        limits.headMilliseconds = 400
        limits.bodyMilliseconds = 400
        try await ServerUnderTest.run(limits: limits) { server in
            let head = "POST /steps HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n"
            for text in ["GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: a", head + "{\"samples\""] {
                // The client sends nothing more; the server closes the connection.
                let received = try await server.exchange { try $0.send(text) }
                #expect(received.isEmpty)
            }
            let health = try await server.send("GET", "/health")
            #expect(health.status == 200)
        }
    }

    @Test func connectionsFromOneAddressAreLimited() async throws {
        var limits = ServerLimits()
        limits.connectionsPerAddress = .init(4, includesLoopback: true)
        try await ServerUnderTest.run(limits: limits) { server in
            var held: [RawSocket] = []
            // After a response the connection is counted.
            for _ in 0..<4 {
                let socket = try RawSocket(port: server.port)
                held.append(socket)
                try socket.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await socket.answer(upTo: "}").contains("HTTP/1.1 200"))
            }
            #expect(
                try await server.exchange { try $0.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n") }.isEmpty)
            withExtendedLifetime(held) {}
        }
    }
}
