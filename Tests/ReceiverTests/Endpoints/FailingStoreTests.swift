import Foundation
import HealthSyncTestKit
import Testing

/// The responses of a server whose store fails.
@Suite struct FailingStoreTests {
    private static let cause = "/secret/received.db: disk I/O error; check the disk"

    @Test func aFailureBeforeTheFirstByteDeterminesTheStatus() async throws {
        let log = CollectedEvents()
        try await ServerUnderTest.run(store: FailingStore(afterPages: 0), log: log) { server in
            for path in ["/steps", "/steps?limit=5", "/api/v1/samples/heartRate", "/api/v1/summary", "/api/v1/sleep"] {
                let answer = try await server.send("GET", path)
                #expect(answer.status == 503, "\(path)")
                #expect(answer.headers["retry-after"] == "5")
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect(!answer.text.contains("secret"), "\(answer.text)")
            }
            let lines = try await server.send("GET", "/steps", headers: ["Accept": "application/x-ndjson"])
            #expect(lines.status == 503)
            // The log contains the cause, which the response does not.
            #expect(
                Set(log.events.map { $0.replacing(#/ \(request [0-9]+\)$/#, with: "") })
                    == Set(
                        ["GET /steps", "GET /api/v1/samples/{type}", "GET /api/v1/summary", "GET /api/v1/sleep"].map {
                            "\($0): status 503: \(Self.cause)"
                        }))
        }
    }

    @Test func aStoreThatCannotWriteIsNotHealthy() async throws {
        let log = CollectedEvents()
        try await ServerUnderTest.run(store: FailingStore(afterPages: 0, isStopped: true), log: log) { server in
            let answer = try await server.send("GET", "/health")
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "5")
            #expect(!answer.text.contains("ok") && !answer.text.contains("secret"), "\(answer.text)")
            #expect(log.events == ["GET /health: status 503: \(Self.cause) (request 1)"])
        }
    }

    @Test func aFailureInTheMiddleOmitsTheLastChunk() async throws {
        let samples = (0..<9_998).map { number in
            StepsEndpointTests.sample(0).replacingOccurrences(of: "440000\"", with: "\(100_000 + number)\"")
        }
        for accept in ["application/json", "application/x-ndjson"] {
            let log = CollectedEvents()
            try await ServerUnderTest.run(store: FailingStore(afterPages: 1), log: log) { server in
                for half in [samples[..<4_999], samples[4_999...]] {
                    let posted = try await server.send("POST", "/steps", StepsEndpointTests.body(Array(half)))
                    #expect(try posted.json()["created"] as? Int == half.count)
                }
                let bytes = try await server.exchange { socket in
                    try socket.send("GET /steps HTTP/1.1\r\nHost: localhost\r\nAccept: \(accept)\r\n\r\n")
                }
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(text.hasPrefix("HTTP/1.1 200 "))
                #expect(text.lowercased().contains("transfer-encoding: chunked"))
                #expect(text.contains("\"count\":1250"))
                #expect(!text.hasSuffix("0\r\n\r\n"), "the last chunk would mark the response as complete")
                #expect(try await server.send("GET", "/health").status == 200)
                #expect(
                    log.events == [
                        "a list of samples is incomplete: \(Self.cause) (request 3)"
                    ])
            }
        }
    }
}
