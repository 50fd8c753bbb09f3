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
        try await ServerUnderTest.run { server in
            let (status, output) = try await Peer.run(
                "servers/probe_http.py", ["--port", "\(server.port)"] + arguments)
            #expect(status == 0, "\(output)")
        }
    }

    @Test func slowClientsAreClosedAndOthersServed() async throws {
        var limits = ServerLimits()
        limits.headMilliseconds = 400
        limits.bodyMilliseconds = 400
        let time = SteppedTime()
        try await ServerUnderTest.run(limits: limits, time: time, closesSlowConnections: true) { server in
            let (head, body) = (try RawSocket(port: server.port), try RawSocket(port: server.port))
            try head.send("GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: a")
            try body.send(
                "POST /steps HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 50\r\n\r\n")
            #expect(try await body.answer(upTo: "\r\n\r\n").contains("100 Continue"))
            try body.send("{\"samples\"")
            // The clients send nothing more. Time passes until the server closes the connections.
            let passing = Task {
                while !Task.isCancelled { await time.advance(quarters: 1) }
            }
            for socket in [head, body] { #expect(try await BlockingThread.run { try socket.readToEnd() }.isEmpty) }
            passing.cancel()
            await passing.value
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
