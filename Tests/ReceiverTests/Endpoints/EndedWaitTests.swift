import HealthSyncDomain
import HealthSyncReceiver
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Requests that wait for posts, on a server that needs their connections.
@Suite struct EndedWaitTests {
    private static let phone = UserName("phone")
    private static let empty = #"{"posts":[]}"#

    private static func limits(_ connections: Int) -> ServerLimits {
        var limits = ServerLimits()
        limits.connections = connections
        return limits
    }

    private static func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

    /// Sends requests that wait, each for another time, and returns their connections once they wait.
    private static func polls(
        _ count: Int, from first: Int = 10, method: String = "GET", token: String, _ server: ServerUnderTest,
        _ time: SteppedTime
    ) async throws -> [RawSocket] {
        var sockets: [RawSocket] = []
        for seconds in first..<first + count {
            let socket = try RawSocket(port: server.port)
            try socket.send(
                "\(method) /api/v1/inbox/posts HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=\(seconds)\r\n"
                    + "Authorization: Bearer \(token)\r\n\r\n")
            await time.waiter(of: Int64(seconds) * 1_000)
            sockets.append(socket)
        }
        return sockets
    }

    private static func rest(_ socket: RawSocket) async throws -> String {
        String(decoding: try await BlockingThread.run { try socket.readToEnd() }, as: UTF8.self)
    }

    @Test("A new client gets the connection of the longest wait, which is answered", arguments: ["GET", "HEAD"])
    func aWaitEndsForANewClient(method: String) async throws {
        let time = SteppedTime()
        try await ServerUnderTest.run(limits: Self.limits(4), time: time) { server in
            let anna = try await server.token("anna", [.inbox])
            let bert = Self.bearer(try await server.token("bert", [.inbox]))
            let device = Self.bearer(try await server.token("anna", [], device: Self.phone))
            let waiting = try await Self.polls(4, method: method, token: anna, server, time)
            // The clock does not move, so no wait ends by itself.
            #expect(try await server.send("GET", "/api/v1/inbox/posts", headers: bert).text == Self.empty)
            let ended = try await Self.rest(waiting[0])
            #expect(ended.hasPrefix("HTTP/1.1 200 ") && ended.lowercased().contains("connection: close"))
            #expect(ended.hasSuffix(method == "HEAD" ? "\r\n\r\n" : Self.empty))
            for _ in 0..<4 { #expect(try await server.send("GET", "/health").status == 200) }
            #expect(try await server.send("POST", "/inbox", "body", headers: device).status == 200)
            guard method == "GET" else { return }
            for socket in waiting.dropFirst() {
                #expect(try await socket.answer(upTo: "}]}").contains("\"bytes\":"), "the others wait on")
            }
        }
    }

    @Test("As many new clients as connections that wait are served one after the other")
    func manyNewClients() async throws {
        let time = SteppedTime()
        try await ServerUnderTest.run(limits: Self.limits(4), time: time) { server in
            let anna = try await server.token("anna", [.inbox])
            let waiting = try await Self.polls(4, token: anna, server, time)
            let port = server.port
            let clients = try (0..<4).map { _ in try RawSocket(port: port) }
            for client in clients {
                try client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await client.answer(upTo: "}").contains("HTTP/1.1 200"))
            }
            #expect(try await Self.rest(waiting[0]).hasSuffix(Self.empty))
        }
    }

    @Test("A wait ends before a client is dropped that has just connected")
    func aWaitEndsBeforeAHead() async throws {
        let time = SteppedTime()
        try await ServerUnderTest.run(limits: Self.limits(4), time: time) { server in
            let anna = try await server.token("anna", [.inbox])
            let connecting = try RawSocket(port: server.port)
            try connecting.send("GET /health HTTP/1.1\r\nHost: local")
            let waiting = try await Self.polls(3, token: anna, server, time)
            #expect(try await server.send("GET", "/health").status == 200)
            try connecting.send("host\r\n\r\n")
            #expect(try await connecting.answer(upTo: "}").contains("HTTP/1.1 200"))
            #expect(try await Self.rest(waiting[0]).hasSuffix(Self.empty))
        }
    }

    @Test("A further request of a token ends its longest wait; other tokens are not affected")
    func aTokenHasLimitedWaits() async throws {
        let time = SteppedTime()
        let inboxes = UserInboxes.empty()
        try await ServerUnderTest.run(time: time, inboxes: inboxes) { server in
            let (one, other) = (
                try await server.token("anna", [.inbox]), try await server.token("anna", [.inbox])
            )
            let device = Self.bearer(try await server.token("anna", [], device: Self.phone))
            let theirs = try await Self.polls(1, from: 5, token: other, server, time)
            let most = UserInboxes.mostWaitsOfToken
            #expect(most == 8)
            let waiting = try await Self.polls(most, token: one, server, time)
            let further = try await Self.polls(1, from: 25, token: one, server, time)
            #expect(try await waiting[0].answer(upTo: "]}").hasSuffix(Self.empty))
            #expect(try await server.send("POST", "/inbox", "body", headers: device).status == 200)
            for socket in theirs + waiting.dropFirst() + further {
                #expect(try await socket.answer(upTo: "]}").contains("\"bytes\":"))
            }
        }
    }
}
