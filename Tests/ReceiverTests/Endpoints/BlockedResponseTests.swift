import HealthSyncReceiver
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Responses that do not fit into the buffers of the connection, so that the server waits until the client reads.
@Suite struct BlockedResponseTests {
    /// More than the largest send buffer and receive buffer of Linux together.
    private static let large = 24 << 20

    private static func request(_ count: Int, _ headers: String = "") -> String {
        "GET /\(count) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n"
    }

    @Test(arguments: [1, 3]) func requestsThatFollowABlockedResponseAreAnswered(count: Int) async throws {
        try await SizedResponses.run { port in
            let socket = try RawSocket(port: port)
            let small = String(repeating: Self.request(5), count: count)
            try socket.send(Self.request(Self.large) + small + Self.request(5, "Connection: close\r\n"))
            #expect(try await socket.filled() < Self.large)
            let received = try await BlockingThread.run { try socket.readToEnd() }
            let tail = String(decoding: received.suffix(2_000), as: UTF8.self)
            #expect(received.count > Self.large)
            #expect(tail.split(separator: "Content-Length: 5\r\n").count == count + 2)
        }
    }

    @Test func aConnectionWhoseClientHasFinishedClosesAfterABlockedResponse() async throws {
        var limits = ServerLimits()
        limits.connectionsPerAddress = .init(1, includesLoopback: true)
        try await SizedResponses.run(limits: limits) { port in
            for _ in 0..<3 {
                let socket = try RawSocket(port: port)
                try socket.send(Self.request(Self.large))
                socket.finishSending()
                #expect(try await socket.filled() < Self.large)
                let received = try await BlockingThread.run { try socket.readToEnd() }
                #expect(received.count > Self.large)
            }
        }
    }
}
