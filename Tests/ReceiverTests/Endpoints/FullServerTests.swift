import HealthSyncReceiver
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// A server whose connections are all in use.
@Suite struct FullServerTests {
    private static func limits(_ connections: Int = 4) -> ServerLimits {
        var limits = ServerLimits()
        limits.connections = connections
        return limits
    }

    private static let health = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test(arguments: ["", "GET /health HTTP/1.1\r\nHost: local"])
    func aQuietConnectionIsClosedForANewClient(start: String) async throws {
        // The clock does not move: nothing is closed because of a deadline.
        try await ServerUnderTest.run(limits: Self.limits(), time: SteppedTime()) { server in
            let quiet = try (0..<20).map { _ in try RawSocket(port: server.port) }
            for socket in quiet { try socket.send(start) }
            for _ in 0..<8 { #expect(try await server.send("GET", "/health").status == 200) }
            withExtendedLifetime(quiet) {}
        }
    }

    @Test func aConnectionBetweenRequestsIsClosedForANewClient() async throws {
        try await ServerUnderTest.run(limits: Self.limits(), time: SteppedTime()) { server in
            let idle = try (0..<4).map { _ in try RawSocket(port: server.port) }
            for socket in idle {
                try socket.send(Self.health)
                #expect(try await socket.answer(upTo: "}").contains("HTTP/1.1 200"))
            }
            #expect(try await server.send("GET", "/health").status == 200)
            #expect(try await BlockingThread.run { try idle[0].readToEnd() }.isEmpty, "the one that was idle longest")
            try idle[3].send(Self.health)
            #expect(try await idle[3].answer(upTo: "}").contains("HTTP/1.1 200"))
        }
    }

    @Test func aRequestInProgressKeepsItsConnectionWhileItKeepsItsRate() async throws {
        let time = SteppedTime()
        let head = "POST /steps HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 14\r\n\r\n"
        try await ServerUnderTest.run(limits: Self.limits(1), time: time) { server in
            let busy = try RawSocket(port: server.port)
            try busy.send(head)
            #expect(try await busy.answer(upTo: "\r\n\r\n").contains("100 Continue"))
            let port = server.port
            let waiting = Task { try await BlockingThread.run { try Self.exchange(port: port) } }
            try busy.send(#"{"samples":[]}"#)
            #expect(try await busy.answer(upTo: "\"results\":[]").contains("HTTP/1.1 200"))
            #expect(try await waiting.value.contains("HTTP/1.1 200"), "once the first client is idle")
            let slow = try RawSocket(port: server.port)
            try slow.send(head)
            #expect(try await slow.answer(upTo: "\r\n\r\n").contains("100 Continue"))
            time.advance(milliseconds: 6_000)
            #expect(try await server.send("GET", "/health").status == 200, "instead of the slow body")
        }
    }

    private static func exchange(port: Int) throws -> String {
        let socket = try RawSocket(port: port)
        try socket.send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return String(decoding: try socket.readToEnd(), as: UTF8.self)
    }
}
