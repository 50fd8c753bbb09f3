import HealthSyncDomain
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

    /// Begins a request of a token, and returns its connection as soon as the server reads the body.
    private static func body(
        of token: String?, path: String = "/steps", to server: ServerUnderTest
    ) async throws -> RawSocket {
        let socket = try RawSocket(port: server.port)
        let credentials = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        try socket.send(
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(credentials)Expect: 100-continue\r\nContent-Length: 50000\r\n\r\n"
        )
        #expect(try await socket.answer(upTo: "\r\n\r\n").contains("100 Continue"))
        return socket
    }

    /// The clock does not move, so every body arrives faster than any rate.
    @Test(arguments: [1, 2, 5, 8]) func aUserHoldsHalfOfTheConnectionsAtMost(connections: Int) async throws {
        let share = max(1, connections / 2)
        try await ServerUnderTest.run(limits: Self.limits(connections), time: SteppedTime()) { server in
            let tokens = [try await server.token("anna", [.ingest]), try await server.token("anna", [.ingest, .read])]
            let bert = ["Authorization": "Bearer \(try await server.token("bert", [.ingest]))"]
            var held: [RawSocket] = []
            for number in 0..<share { held.append(try await Self.body(of: tokens[number % 2], to: server)) }
            guard connections > 1 else { return }
            for token in tokens {
                let answer = try await server.send(
                    "POST", "/steps", #"{"samples":[]}"#, headers: ["Authorization": "Bearer \(token)"])
                #expect(answer.status == 429)
                #expect(answer.headers["retry-after"] == "1")
            }
            for _ in 0..<connections {
                #expect(try await server.send("POST", "/steps", #"{"samples":[]}"#, headers: bert).status == 200)
            }
            try held.removeLast().send([UInt8](repeating: 0x20, count: 50_000))
            var status = 429
            while status == 429 {
                status = try await server.send(
                    "POST", "/steps", #"{"samples":[]}"#, headers: ["Authorization": "Bearer \(tokens[0])"]
                ).status
            }
            #expect(status == 200, "once a request has ended")
            withExtendedLifetime(held) {}
        }
    }

    @Test func bodiesOfAnyoneShutNobodyOut() async throws {
        let time = SteppedTime()
        try await ServerUnderTest.run(limits: Self.limits(2), allowsOpenAccess: false, time: time) { server in
            let bodies = [
                try await Self.body(of: nil, path: "/inbox", to: server),
                try await Self.body(of: nil, path: "/inbox", to: server),
            ]
            // Faster than a slow client, and for longer than a token takes.
            for body in bodies { try body.send([UInt8](repeating: 0x20, count: 40_000)) }
            time.advance(milliseconds: 1_001)
            #expect(try await server.send("GET", "/health").status == 200)
            withExtendedLifetime(bodies) {}
        }
    }
}
