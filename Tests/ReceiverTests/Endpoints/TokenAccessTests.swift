import Foundation
import HealthSyncDomain
import HealthSyncReceiver
import HealthSyncSystem
import HealthSyncTestKit
import Testing

@Suite struct TokenAccessTests {
    private static func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

    /// Every operation, with a valid request.
    private static let operations: [(method: String, path: String, body: String?, scope: AccessScope)] = [
        ("POST", "/steps", StepsEndpointTests.body([StepsEndpointTests.sample(1)]), .ingest),
        ("GET", "/steps", nil, .read),
        ("POST", "/api/v1/samples/heartRate", #"{"samples":[]}"#, .ingest),
        ("GET", "/api/v1/samples/heartRate", nil, .read),
        ("POST", "/api/v1/sleep", RecordEndpointTests.session(), .ingest),
        ("GET", "/api/v1/sleep", nil, .read),
        ("POST", "/api/v1/progress", #"{"entries":[]}"#, .ingest),
        ("GET", "/api/v1/progress", nil, .read),
        ("POST", "/api/v1/snapshots", #"{"snapshots":[]}"#, .ingest),
        ("GET", "/api/v1/snapshots", nil, .read),
        ("GET", "/api/v1/summary", nil, .read),
        ("GET", "/api/v1/digest?type=steps&start=2024-01-01&seconds=86400", nil, .read),
        ("DELETE", "/api/v1/sleep/x", nil, .delete),
        ("DELETE", "/api/v1/progress/x", nil, .delete),
        ("DELETE", "/api/v1/snapshots/x", nil, .delete),
        ("DELETE", "/api/v1/steps/550e8400-e29b-41d4-a716-446655440001", nil, .delete),
        ("DELETE", "/api/v1/samples/heartRate/550e8400-e29b-41d4-a716-446655440001", nil, .delete),
        ("POST", "/api/v1/deletions/steps", #"{"deletions":[]}"#, .delete),
        ("POST", "/api/v1/deletions/samples/heartRate", #"{"deletions":[]}"#, .delete),
        ("DELETE", "/steps", nil, .delete),
        ("GET", "/api/v1/inbox/posts", nil, .inbox),
        ("DELETE", "/api/v1/inbox/posts?ids=x", nil, .inbox),
        ("GET", "/metrics", nil, .admin),
    ]

    @Test func everyOperationRequiresAValidTokenWithItsScope() async throws {
        try await ServerUnderTest.run { server in
            let expired = try await server.token("anna", Set(AccessScope.allCases), expiresAt: Instant(seconds: 1))
            for operation in Self.operations {
                let good = try await server.token("anna", [operation.scope])
                let other = try await server.token("anna", Set(AccessScope.allCases).subtracting([operation.scope]))
                func status(_ headers: [String: String]) async throws -> Int {
                    try await server.send(operation.method, operation.path, operation.body, headers: headers).status
                }
                #expect(try await status([:]) == 401, "\(operation.path)")
                #expect(try await status(Self.bearer(other)) == 403, "\(operation.path)")
                #expect((200...201).contains(try await status(Self.bearer(good))), "\(operation.path)")
            }
            #expect(try await server.send("GET", "/steps", headers: Self.bearer(expired)).status == 401)
            let rejected = try await server.send("GET", "/steps", headers: ["Authorization": "Basic YTpi"])
            #expect(rejected.status == 401)
            #expect(rejected.headers["www-authenticate"] == "Bearer realm=\"healthsync\"")
            #expect(rejected.headers["content-type"] == "application/problem+json")
            #expect(try await server.send("GET", "/health").status == 200)
        }
    }

    @Test func aTokenGivesAccessOnlyToTheDataOfItsUser() async throws {
        try await ServerUnderTest.run { server in
            let anna = Self.bearer(try await server.token("anna", Set(AccessScope.allCases)))
            let ben = Self.bearer(try await server.token("ben", Set(AccessScope.allCases)))
            for operation in Self.operations where operation.method == "POST" {
                _ = try await server.send("POST", operation.path, operation.body, headers: anna)
            }
            for operation in Self.operations where operation.method == "DELETE" {
                _ = try await server.send("DELETE", operation.path, headers: ben)
            }
            #expect(try await server.send("GET", "/steps", headers: anna).json()["total"] as? Int == 1)
            #expect(
                try await server.send("GET", "/steps", headers: ben).text
                    == #"{"samples":[],"total":0,"storedCount":0}"#)
            #expect(try await server.send("GET", "/api/v1/sleep", headers: anna).text.contains("night-1"))
            for operation in Self.operations where operation.method == "GET" && operation.scope == .read {
                let text = try await server.send("GET", operation.path, headers: ben).text
                #expect(!text.contains("night-1") && !text.contains("446655440001"), "\(operation.path)")
            }
        }
    }

    @Test(
        "A revoked token stops working within half a second, also if the clock is set back",
        arguments: [500, -3_600_000])
    func revocation(milliseconds: Int64) async throws {
        #expect(Authenticator.cacheMilliseconds == 500)
        let time = SteppedTime()
        try await ServerUnderTest.run(time: time) { server in
            let token = try await server.token("anna", [.read])
            #expect(try await server.send("GET", "/steps", headers: Self.bearer(token)).status == 200)
            let id = try #require(AccessTokenText(token)).id
            #expect(try await server.tokens.token(id: id)?.lastUsedAt != nil)
            #expect(try await server.tokens.revoke(id: id, at: time.now()))
            time.advance(milliseconds: 499)
            #expect(try await server.send("GET", "/steps", headers: Self.bearer(token)).status == 200)
            time.advance(milliseconds: milliseconds - 499)
            async let answer = server.send("GET", "/steps", headers: Self.bearer(token))
            await time.waiter(of: 250)
            time.advance(milliseconds: 250)
            #expect(try await answer.status == 401)
        }
    }

    @Test func failedLoginsAreDelayedLongerEachTime() async throws {
        let time = SteppedTime()
        try await ServerUnderTest.run(time: time) { server in
            _ = try await server.token("anna", [.read])
            let wrong = "hst_0123456789abcdef_" + String(repeating: "0", count: 64)
            for delay in [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000] as [Int64] {
                async let answer = server.send("GET", "/steps", headers: Self.bearer(wrong))
                await time.waiter(of: delay)
                time.advance(milliseconds: delay)
                #expect(try await answer.status == 401)
            }
        }
    }
}
