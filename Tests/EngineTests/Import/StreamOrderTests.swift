import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// The state after all posts of a phone does not depend on the order in which they arrive.
@Suite struct StreamOrderTests {
    private static let types = PhoneModel.types

    /// Imports posts, several at a time.
    private func kept(_ posts: [MemorySource], atOnce: Int) async throws -> [Fact] {
        let bench = EngineBench()
        var rest = posts[...]
        var number = 0
        while !rest.isEmpty {
            let batch = rest.prefix(atOnce).map { post in
                var post = post
                // A repetition is a source of its own.
                post.location += " as number \(number)"
                number += 1
                return post
            }
            rest = rest.dropFirst(batch.count)
            try await bench.importSources(batch, types: Self.types)
        }
        return try await bench.kept(Self.types)
    }

    /// Additions, edits, deletions, records that are written again, and complete windows in parts.
    @Test(arguments: Seeds.range(80)) func statementsCountByTheirVersions(seed: Int) async throws {
        let phone = PhoneModel(seed: seed, steps: 30)
        var random = SeededRandom(seed: UInt64(seed))
        #expect(try await kept(phone.posts, atOnce: 1) == phone.expected, "in order")
        for round in 0..<4 {
            var posts = phone.posts + phone.posts.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            posts.shuffle(using: &random)
            if round == 3 { posts = phone.posts.reversed() }
            #expect(try await kept(posts, atOnce: 1 + round) == phone.expected, "order \(round)")
        }
    }

    /// While a part of a window is missing, the window deletes nothing; once it arrives, the window counts.
    @Test(arguments: 0..<3) func aLostPartCompletesItsWindowWhenItArrives(lost: Int) async throws {
        let facts = (0..<5).map { Fact.steps(Double($0 + 1), day: $0) }
        let window = (start: Fact.day(0).utcStart, end: Fact.day(9).utcStart)
        func post(_ rows: [Int], version: Int64, part: Bool, isLast: Bool = false) -> MemorySource {
            var source = MemorySource(
                location: "\(version)", provider: "stream", semantics: .changes,
                content: .entries(rows.map { .sample(facts[$0]) }))
            source.details = rows.map { SampleDetail(externalID: "s\($0)", syncVersion: version) }
            guard part else { return source }
            source.windowParts = [
                WindowPart(
                    start: window.start, end: window.end, version: version, date: Instant(seconds: version),
                    isLast: isLast,
                    lists: [
                        WindowPart.List(
                            name: "steps", types: [SampleTypeDefinition.stepCount.type], held: 3,
                            records: Set(rows.map { WindowPart.key("s\($0)") }))
                    ])
            ]
            return source
        }
        let parts = [
            post([0], version: 2, part: true), post([2], version: 3, part: true),
            post([3], version: 4, part: true, isLast: true),
        ]
        let bench = EngineBench()
        try await bench.importSources(post([0, 1, 2, 3, 4], version: 1, part: false))
        for place in parts.indices where place != lost { try await bench.importSources(parts[place]) }
        #expect(try await bench.kept() == facts)
        try await bench.importSources(post([4], version: 9, part: false))
        try await bench.importSources(parts[lost])
        // The record that was posted after the window remains.
        #expect(try await bench.kept() == [facts[0], facts[2], facts[3], facts[4]])
    }
}
