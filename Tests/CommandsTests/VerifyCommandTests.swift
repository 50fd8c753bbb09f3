import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncTestKit
import Testing

@Suite struct VerifyCommandTests {
    private static let type = SampleTypeDefinition.stepCount.type
    private let samples = InMemorySampleServer()

    private func world(records: InMemoryRecordServer? = nil) async -> StoredWorld {
        let world = StoredWorld(samples: samples, records: records)
        #expect(await world.run("historical --source /work/list").status == .done)
        return world
    }

    @Test func differencesShowOnlyIdAndStart() async throws {
        let world = await world()
        let outcome = await world.run("verify --server https://example.org")
        #expect(outcome.status == .different)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines[0] == "https://example.org: 3 differences")
        #expect(lines[1] == "  stepCount: 3 local, 0 on the server; 3 missing, 0 surplus, 0 changed")
        #expect(lines.contains { $0.contains("missing  2024-01-15 09:00") })
        #expect(!outcome.output.contains("1250") && !outcome.output.contains("1,250"))
    }

    @Test func jsonContainsAllDifferencesAndTheStatus() async throws {
        let world = await world()
        let outcome = await world.run("verify --server https://example.org --json --from 2024-01-15 --type stepCount")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(object?["equal"] as? Bool == false && object?["exitStatus"] as? Int == 4)
        let type = try #require((object?["types"] as? [[String: Any]])?.first)
        #expect(type["samples"] as? Int == 1 && type["missing"] as? Int == 1 && type["surplus"] as? Int == 0)
        let interval = try #require((type["intervals"] as? [[String: Any]])?.first)
        let sample = try #require((interval["samples"] as? [[String: Any]])?.first)
        #expect(sample["start"] as? String == "2024-01-15T09:00:00+01:00")
        #expect(sample["difference"] as? String == "missing")
        #expect(sample.keys.sorted() == ["difference", "id", "start"])
        let text = await world.run("verify --server https://example.org --from 2024-01-15").output
        #expect(text.hasPrefix("https://example.org: 1 difference\n"))
    }

    @Test func anIneffectiveRepairIsReported() async throws {
        let world = await world()
        let outcome = await world.run("verify --repair --server https://example.org --json")
        // This server accepts everything and stores nothing.
        #expect(outcome.status == .different)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(object?["equal"] as? Bool == false && object?["exitStatus"] as? Int == 4)
        let repair = try #require(object?["repair"] as? [String: Any])
        #expect(try #require(repair["sent"] as? Int) >= 3 && repair["deleted"] as? Int == 0)
        let found = try #require((repair["found"] as? [[String: Any]])?.first)
        #expect(found["missing"] as? Int == 3)
        let text = await world.run("verify --repair --server https://example.org").output
        #expect(text.contains("samples sent, 0 deleted") && !text.contains("1250") && !text.contains("1,250"))
    }

    @Test func nothingIsRepairedDuringAPause() async throws {
        let world = await world()
        #expect(await world.run("pause").status == .done)
        let outcome = await world.run("verify --repair --server https://example.org")
        #expect(outcome.status == .partial)
        #expect(outcome.output.contains("not repaired") && outcome.output.contains("healthsync resume"))
    }

    @Test func equalSidesSucceed() async throws {
        let world = await world(records: InMemoryRecordServer())
        let words = "verify --server https://example.org --from 2020-01-01 --to 2020-01-31"
        let outcome = await world.run(words)
        #expect(outcome.status == .done)
        #expect(outcome.output.hasPrefix("https://example.org: equal, all 0 records verified\n"))
        let samplesOnly = await world.run(words + " --type stepCount")
        #expect(samplesOnly.status == .done)
        #expect(samplesOnly.output.hasPrefix("https://example.org: equal\n"))
        let older = await self.world().run(words)
        #expect(older.status == .unverifiable)
        #expect(older.output.contains("derived records: not verified"))
    }

    @Test func statusShowsTheLastCompleteVerification() async throws {
        let records = InMemoryRecordServer()
        let world = await world(records: records)
        func status() async throws -> String {
            let lines = await world.run("status --server https://example.org").output.split(separator: "\n")
            return try #require(lines.first { $0.hasPrefix("verified") }).drop { $0 != " " }.drop { $0 == " " }
                .description
        }
        #expect(try await status() == "never verified")
        _ = await world.run("verify --server https://example.org --type stepCount")
        #expect(try await status() == "never verified", "a partial verification does not count")
        #expect(await world.run("verify --server https://example.org").status == .different)
        #expect(try await status().contains("differences, verified 20"))
        samples.fail(after: 0)
        #expect(await world.run("verify --server https://example.org").status == .partial)
        #expect(try await status().hasPrefix("not verified"))
        #expect(try await status().contains("did not answer"))
    }

    @Test func impossibleVerificationsAreReported() async {
        let world = await world()
        #expect(await world.run("verify").status == .usage)
        #expect(
            await world.run("verify --server https://example.org --type stepCuont").errors.joined().contains(
                "stepCount"))
        samples.fail(after: 1)
        #expect(await world.run("verify --server https://example.org").status == .partial)
        let empty = await StoredWorld(samples: samples).run("verify --server https://example.org")
        #expect(empty.status == .usage && empty.errors.joined().contains("import FILE"))
        let plain = StoredWorld()
        #expect(await plain.run("historical --source /work/list").status == .done)
        let unverifiable = await plain.run("verify --server https://example.org")
        #expect(unverifiable.status == .unverifiable)
        #expect(unverifiable.errors.joined().contains("this destination cannot be verified"))
    }
}
