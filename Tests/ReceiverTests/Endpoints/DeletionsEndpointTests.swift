import Foundation
import HealthSyncDomain
import HealthSyncReceiver
import HealthSyncTestKit
import Testing

/// Requests that delete many raw samples.
@Suite struct DeletionsEndpointTests {
    private static func id(_ number: Int) -> String { "\(ReceivingSamples.id(number))" }

    private static func body(_ deletions: [(id: String, revision: Int?)]) -> String {
        let list = deletions.map { #"{"id":"\#($0.id)"\#($0.revision.map { ",\"revision\":\($0)" } ?? "")}"# }
        return #"{"deletions":[\#(list.joined(separator: ","))]}"#
    }

    private static func sample(_ number: Int, revision: Int = 0) -> String {
        """
        {"uuid":"\(id(number))","startDate":"2024-01-15T08:00:00Z","endDate":"2024-01-15T08:01:00Z","count":\(number),\
        "value":\(number),"unit":"count","sourceBundleId":"a","revision":\(revision)}
        """
    }

    private static func paths(_ isSteps: Bool) -> (samples: String, list: String, deletions: String, single: String) {
        isSteps
            ? ("/steps", "/steps", "/api/v1/deletions/steps", "/api/v1/steps/")
            : (
                "/api/v1/samples/heartRate", "/api/v1/samples/heartRate", "/api/v1/deletions/samples/heartRate",
                "/api/v1/samples/heartRate/"
            )
    }

    /// Sends `bodies` of samples and deletions to one server as they are, and to another with a request for each deletion;
    /// both must have the same outcomes and the same samples.
    @Test(arguments: [true, false]) func manyDeletionsInARequestHaveTheEffectOfSingleOnes(isSteps: Bool) async throws {
        var generator = SeededRandom(seed: isSteps ? 1 : 2)
        let path = Self.paths(isSteps)
        try await ServerUnderTest.run { grouped in
            try await ServerUnderTest.run { single in
                for _ in 0..<30 {
                    let numbers = (0..<8).map { _ in Int.random(in: 0..<12, using: &generator) }
                    let revisions = numbers.map { _ in Int.random(in: 0..<3, using: &generator) }
                    let pairs = zip(numbers, revisions)
                    if Bool.random(using: &generator) {
                        let samples = StepsEndpointTests.body(pairs.map { Self.sample($0, revision: $1) })
                        for server in [grouped, single] {
                            #expect(try await server.send("POST", path.samples, samples).status == 200)
                        }
                        continue
                    }
                    let deletions = Self.body(pairs.map { (Self.id($0), $1) })
                    let answer = try await grouped.send("POST", path.deletions, deletions).json()
                    var counts = [0, 0, 0]
                    for (number, revision) in pairs {
                        let one = try await single.send(
                            "DELETE", "\(path.single)\(Self.id(number))?revision=\(revision)"
                        ).json()
                        for (index, name) in ["created", "updated", "duplicate"].enumerated() {
                            counts[index] += one[name] as? Int ?? -100
                        }
                    }
                    #expect(["created", "updated", "duplicate"].map { answer[$0] as? Int } == counts)
                    #expect(answer["received"] as? Int == 8)
                    let lists = [
                        try await grouped.send("GET", path.list).text, try await single.send("GET", path.list).text,
                    ]
                    #expect(lists[0] == lists[1])
                }
            }
        }
    }

    @Test func aRepetitionChangesNothingAndALaterRevisionRestoresASample() async throws {
        try await ServerUnderTest.run { server in
            let samples = (0..<3).map { Self.sample($0) }
            _ = try await server.send("POST", "/steps", StepsEndpointTests.body(samples))
            let deletions = Self.body([(Self.id(0), nil), (Self.id(1).uppercased(), 0)])
            for (count, key) in [("updated", "first"), ("duplicate", "second")] {
                let answer = try await server.send(
                    "POST", "/api/v1/deletions/steps", deletions, headers: ["Idempotency-Key": key])
                #expect(answer.status == 200)
                #expect(try answer.json()[count] as? Int == 2)
            }
            func total() async throws -> Int? { try await server.send("GET", "/steps").json()["total"] as? Int }
            #expect(try await total() == 1)
            _ = try await server.send("POST", "/steps", StepsEndpointTests.body(samples))
            #expect(try await total() == 1, "a late repetition of the samples")
            _ = try await server.send("POST", "/steps", StepsEndpointTests.body([Self.sample(0, revision: 1)]))
            #expect(try await total() == 2)
        }
    }

    @Test func invalidDeletionsAreRejectedAndTheOthersStored() async throws {
        var limits = ServerLimits()
        limits.samples = 4
        try await ServerUnderTest.run(limits: limits) { server in
            _ = try await server.send("POST", "/steps", StepsEndpointTests.body([Self.sample(0)]))
            func status(_ body: String) async throws -> Int {
                try await server.send("POST", "/api/v1/deletions/steps", body).status
            }
            for body in ["", "[]", "{}", #"{"deletions":{}}"#, #"{"deletions":["\#(Self.id(0))"]}"#, "{"] {
                #expect(try await status(body) == 400, "\(body)")
            }
            #expect(try await status(Self.body((0..<5).map { (Self.id($0), nil) })) == 413)
            #expect(try await server.send("GET", "/steps").json()["total"] as? Int == 1)
            let mixed = try await server.send(
                "POST", "/api/v1/deletions/steps", Self.body([("x", nil), (Self.id(0), nil), (Self.id(1), -1)])
            ).json()
            #expect(mixed["rejected"] as? Int == 2)
            #expect(mixed["updated"] as? Int == 1)
            #expect(try await server.send("GET", "/steps").json()["total"] as? Int == 0)
            #expect(try await server.send("GET", "/api/v1/capabilities").json()["sample_deletions"] as? Bool == true)
        }
    }
}
