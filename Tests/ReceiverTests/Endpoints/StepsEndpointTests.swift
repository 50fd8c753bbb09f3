import Foundation
import HealthSyncReceiver
import HealthSyncTestKit
import Testing

@Suite struct StepsEndpointTests {
    static func sample(_ number: Int, count: String = "1250", more: String = "") -> String {
        """
        {"uuid":"550E8400-E29B-41D4-A716-44665544\(String(10_000 + number).dropFirst())","startDate":\
        "2024-01-15T08:00:00Z","endDate":"2024-01-15T09:00:00Z","count":\(count),"sourceBundleId":"com.apple.health",\
        "sourceDeviceName":"iPhone 15"\(more)}
        """
    }

    static func body(_ samples: [String]) -> String { "{\"samples\":[\(samples.joined(separator: ","))]}" }

    @Test func stepsAreAcceptedByOneEndpointOnly() async throws {
        try await ServerUnderTest.run { server in
            let steps = Self.body([Self.sample(1, count: "-2.5")])
            let answer = try await server.send("POST", "/api/v1/samples/steps", steps)
            #expect(answer.status == 400)
            #expect(answer.text.contains("POST /steps"))
            #expect(try await server.send("POST", "/steps", steps).json()["rejected"] as? Int == 1)
            #expect(try await server.send("GET", "/steps").json()["total"] as? Int == 0)
        }
    }

    @Test func aClientOfTheOriginalServerWorksUnchanged() async throws {
        try await ServerUnderTest.run { server in
            #expect(try await server.send("GET", "/health").text == #"{"status":"ok"}"#)
            let posted = try await server.send("POST", "/steps", Self.body([Self.sample(1), Self.sample(2)])).json()
            #expect(posted["saved"] as? Int == 2)
            #expect(posted["message"] as? String == "Success")
            #expect(posted["created"] as? Int == 2)
            #expect((posted["results"] as? [Any])?.isEmpty == true)
            let again = try await server.send("POST", "/steps", Self.body([Self.sample(2), Self.sample(3)])).json()
            #expect(again["saved"] as? Int == 2)
            #expect(again["duplicate"] as? Int == 1)
            let results = try #require(again["results"] as? [[String: String]])
            #expect(results == [["id": "550E8400-E29B-41D4-A716-446655440002", "status": "duplicate"]])
            let stored = try await server.send("GET", "/steps")
            #expect(
                stored.text
                    == "{\"samples\":[\((1...3).map { Self.sample($0) }.joined(separator: ","))],\"total\":3,\"storedCount\":3}"
            )
            #expect(
                try await server.send("DELETE", "/steps").text == #"{"message":"All steps deleted successfully"}"#)
            #expect(try await server.send("DELETE", "/steps").text == #"{"message":"No steps file to delete"}"#)
            #expect(try await server.send("GET", "/steps").text == #"{"samples":[],"total":0,"storedCount":0}"#)
            #expect(try await server.send("POST", "/steps", Self.body([])).json()["saved"] as? Int == 0)
        }
    }

    @Test func aRejectedBodyGetsTheFixedErrorAndStoresNothing() async throws {
        try await ServerUnderTest.run { server in
            for (body, error) in [
                ("{}", #"Invalid request body. Expected {"samples": [...]}"#),
                ("[]", #"Invalid request body. Expected {"samples": [...]}"#),
                (#"{"samples":1}"#, "samples must be a list"),
                ("{\"samples\":[\(Self.sample(1)),1]}", "Each sample must be a JSON object"),
                ("{", "Invalid JSON"), ("", "Invalid JSON"), ("{\"samples\":[]} x", "Invalid JSON"),
                ("\u{FEFF}{}x", "Invalid JSON"),
            ] {
                let answer = try await server.send("POST", "/steps", body)
                #expect(answer.status == 400)
                #expect(try answer.json()["error"] as? String == error, "\(body)")
            }
            #expect(try await server.send("GET", "/steps").text == #"{"samples":[],"total":0,"storedCount":0}"#)
        }
    }

    @Test func anInvalidSampleIsRejectedSeparatelyWithAReason() async throws {
        let good = Self.sample(0)
        let faults: [(String, String)] = [
            (Self.sample(1, count: "-1"), "count"), (Self.sample(2, count: "1.5"), "count"),
            (Self.sample(3, count: "\"7\""), "count"),
            (good.replacingOccurrences(of: "09:00:00Z", with: "07:00:00Z"), "endDate"),
            (good.replacingOccurrences(of: "2024-01-15T08", with: "2024-02-30T08"), "startDate"),
            (good.replacingOccurrences(of: "2024", with: "1899"), "startDate"),
            (good.replacingOccurrences(of: "2024", with: "2201"), "startDate"),
            (good.replacingOccurrences(of: "550E8400", with: "550E840"), "uuid"),
            (good.replacingOccurrences(of: "\"uuid\"", with: "\"uid\""), "uuid"),
            (good.replacingOccurrences(of: "\"iPhone 15\"", with: "5"), "sourceDeviceName"),
            (Self.sample(4, more: ",\"revision\":-1"), "revision"),
        ]
        try await ServerUnderTest.run { server in
            let answer = try await server.send("POST", "/steps", Self.body(faults.map(\.0) + [Self.sample(9)])).json()
            #expect(answer["saved"] as? Int == 1)
            #expect(answer["rejected"] as? Int == faults.count)
            #expect(answer["received"] as? Int == faults.count + 1)
            let results = try #require(answer["results"] as? [[String: String]])
            for ((_, member), result) in zip(faults, results) {
                #expect(result["status"] == "rejected")
                #expect(result["reason"]?.hasPrefix(member) == true, "\(result)")
            }
        }
    }

    @Test func hugeNumbersAndLoneSurrogatesAreHandled() async throws {
        let odd = #","a":123456789012345678901234567890,"b":"\ud800","c":-1e999,"\udc00":"\ud83d\ude00","d":"\\""#
        let half = Self.sample(2).replacingOccurrences(
            of: "iPhone 15", with: #"\udbff\u0041 \"1\" \uD83D\uDE00"#)
        try await ServerUnderTest.run { server in
            let good = try await server.send("POST", "/steps", Self.body([Self.sample(1, more: odd), half])).json()
            #expect(good["created"] as? Int == 2)
            let stored = try #require(try await server.send("GET", "/steps").json()["samples"] as? [[String: Any]])
            #expect(stored.map { $0["sourceDeviceName"] as? String } == ["iPhone 15", "\u{FFFD}A \"1\" \u{1F600}"])
            let beyond = ["1e999", "9007199254740992"].map { Self.sample(3, count: $0) }
            #expect(try await server.send("POST", "/steps", Self.body(beyond)).json()["rejected"] as? Int == 2)
            for wrong in ["1.2.3e999", #""\ud800"#, #""\uZZZZ""#] {
                let answer = try await server.send("POST", "/steps", #"{"samples":[],"a":\#(wrong)}"#)
                #expect(answer.text == #"{"error":"Invalid JSON"}"#, "\(wrong)")
            }
        }
    }

    @Test func pagesAndLinesContainTheSameAsTheList() async throws {
        try await ServerUnderTest.run { server in
            let samples = (0..<7).map { Self.sample($0) }
            _ = try await server.send("POST", "/steps", Self.body(samples))
            var cursor = "0"
            var found: [String] = []
            while true {
                let page = try await server.send("GET", "/steps?limit=3&cursor=\(cursor)").json()
                #expect(page["total"] as? Int == 7)
                found += try #require(page["samples"] as? [[String: Any]]).compactMap { $0["uuid"] as? String }
                guard let next = page["next_cursor"] as? String else { break }
                cursor = next
            }
            #expect(found.count == 7 && Set(found).count == 7)
            let lines = try await server.send("GET", "/steps", headers: ["Accept": "application/x-ndjson"])
            #expect(lines.text == samples.joined(separator: "\n") + "\n")
            #expect(lines.headers["content-type"] == "application/x-ndjson")
            #expect(try await server.send("GET", "/steps?from=2024-01-16").json()["total"] as? Int == 0)
            #expect(try await server.send("GET", "/steps?from=2024-01-15&to=2024-01-15").json()["total"] as? Int == 7)
            #expect(try await server.send("GET", "/steps?limit=0").status == 400)
            #expect(try await server.send("GET", "/steps?from=yesterday").status == 400)
            #expect(try await server.send("GET", "/steps?from=").status == 400)
            #expect(try await server.send("GET", "/steps?cursor=9007199254740992").status == 400)
            #expect(try await server.send("GET", "/steps/").status == 404)
        }
    }

    @Test func aLongListIsStreamedCompletely() async throws {
        let store = InMemoryReceivedDataStore()
        try await ServerUnderTest.run(store: store) { server in
            let numbers = 0..<12_000
            let samples = numbers.map { number in
                let tail = String(1_000_000 + number).dropFirst()
                return Self.sample(0).replacingOccurrences(of: "440000\"", with: "\(tail)\"")
            }
            for part in stride(from: 0, to: samples.count, by: 4_000).map({ Array(samples[$0..<$0 + 4_000]) }) {
                #expect(try await server.send("POST", "/steps", Self.body(part)).json()["created"] as? Int == 4_000)
            }
            let all = try await server.send("GET", "/steps")
            #expect(all.headers["transfer-encoding"] == "chunked")
            #expect(
                all.text == "{\"samples\":[\(samples.joined(separator: ","))],\"total\":12000,\"storedCount\":12000}")
        }
    }

    @Test func aRequestHasALimitedNumberOfSamplesAndValues() async throws {
        var limits = ServerLimits()
        (limits.samples, limits.jsonValues) = (3, 100)
        try await ServerUnderTest.run(limits: limits) { server in
            let four = try await server.send("POST", "/steps", Self.body((1...4).map { Self.sample($0) }))
            #expect(four.status == 413)
            #expect(try await server.send("GET", "/steps").json()["total"] as? Int == 0)
            let three = try await server.send("POST", "/steps", Self.body((1...3).map { Self.sample($0) }))
            #expect(try three.json()["created"] as? Int == 3)
            let brackets = #"{"samples":[],"a":"\#(String(repeating: #",[\"{"#, count: 100))"}"#
            #expect(
                try await server.send("POST", "/steps", brackets).status == 200, "characters of a string do not count")
            let values = #"{"samples":[],"a":[\#(String(repeating: "0,", count: 100))0]}"#
            for path in ["/steps", "/api/v1/progress", "/api/v1/sleep", "/api/v1/samples/heartRate"] {
                #expect(try await server.send("POST", path, values).status == 413, "\(path)")
            }
        }
    }

    @Test func aTombstoneHidesASampleAndRemainsAfterALateRepetition() async throws {
        try await ServerUnderTest.run { server in
            _ = try await server.send("POST", "/steps", Self.body([Self.sample(1)]))
            let path = "/api/v1/steps/550e8400-e29b-41d4-a716-446655440001?revision=0"
            #expect(try await server.send("DELETE", path).json()["updated"] as? Int == 1)
            #expect(
                try await server.send("POST", "/steps", Self.body([Self.sample(1)])).json()["duplicate"] as? Int == 1)
            #expect(try await server.send("GET", "/steps").json()["total"] as? Int == 0)
            #expect(try await server.send("DELETE", "/api/v1/steps/1").status == 400)
        }
    }
}
