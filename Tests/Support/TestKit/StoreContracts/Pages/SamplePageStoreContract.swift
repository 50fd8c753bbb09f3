import HealthSyncDomain
import HealthSyncPorts

/// The requirements of `SamplePageStore`.
package enum SamplePageStoreContract {
    /// Returns the clauses, each with an empty store from `lender`.
    package static func clauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        pageClauses(lender) + transactionClauses(lender) + questionClauses(lender) + typeClauses(lender)
            + snapshotClauses(lender) + SnapshotLineClauses.all(lender) + DeletedRowClauses.all(lender)
            + StreamWindowClauses.all(lender) + SpellingClauses.all(lender)
    }

    private static let steps = SampleTypeDefinition.stepCount
    private static let pulse = SampleTypeDefinition.heartRate

    private static func pageClauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "A page is returned exactly as stored") { stores in
                let page = StoreSamples.page(steps.type, StoreSamples.watch, day: 0, value: 7)
                try await put([page], in: stores)
                let found = try await stores.pages.changePages { try $0.page(provider: "apple", at: page.key) }
                try requireSame(found.map { [$0] } ?? [], [page])
                try requireSame(
                    try await stores.pages.pages(of: [steps.type], utcDays: StoreSamples.days(0, 0)), [page])
            },
            .on(lender, "Storing a page again replaces it") { stores in
                let old = StoreSamples.page(steps.type, StoreSamples.watch, day: 0, value: 7)
                let new = StoreSamples.page(steps.type, StoreSamples.watch, day: 0, value: 8)
                try await put([old], in: stores)
                try await put([new], in: stores)
                try requireSame(
                    try await stores.pages.pages(of: [steps.type], utcDays: StoreSamples.days(0, 0)), [new])
            },
            .on(lender, "Providers are independent") { stores in
                let page = StoreSamples.page(steps.type, StoreSamples.watch, day: 0, value: 7)
                let other = StoreSamples.page(steps.type, StoreSamples.watch, day: 0, value: 8)
                try await put([page], in: stores)
                try await put([other], provider: "feed", in: stores)
                try await stores.pages.changePages { try $0.remove(provider: "feed", at: page.key) }
                let left = try await stores.pages.changePages { transaction in
                    try (
                        transaction.digests(provider: "apple", types: [steps.type]),
                        transaction.digests(provider: "feed", types: [steps.type])
                    )
                }
                try ContractViolation.unlessEqual(left.0, [page.key: page.digest], "pages of apple")
                try ContractViolation.unlessEqual(left.1, [:], "pages of feed")
            },
        ]
    }

    private static func transactionClauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "An error in a transaction rolls it back and is rethrown") { stores in
                let page = StoreSamples.page(steps.type, StoreSamples.watch, day: 0)
                try await put([page], in: stores)
                let other = StoreSamples.page(pulse.type, StoreSamples.phone, day: 1)
                do {
                    try await stores.pages.changePages { transaction in
                        try transaction.remove(provider: "apple", at: page.key)
                        try transaction.put(other, provider: "new", definition: pulse, longestSample: 5)
                        throw Interruption()
                    }
                    throw ContractViolation("the error was swallowed")
                } catch is Interruption {}
                try requireSame(try await all(stores), [page])
                // The failed transaction leaves no traces.
                try await put([other], provider: "new", definition: pulse, in: stores)
                try ContractViolation.unlessEqual(try await all(stores).count, 2, "pages")
            },
            .on(lender, "A transaction sees its own changes, and others do not see them before the commit") { stores in
                let page = StoreSamples.page(steps.type, StoreSamples.watch, day: 0)
                try await stores.pages.changePages { transaction in
                    try transaction.put(page, provider: "apple", definition: steps, longestSample: 1)
                    let digests = try transaction.digests(provider: "apple", types: [steps.type])
                    try ContractViolation.unlessEqual(digests, [page.key: page.digest], "digests inside")
                }
            },
        ]
    }

    private static func questionClauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Digests and pages are those of the requested types and days, in a defined order") {
                stores in
                let pages = [
                    StoreSamples.page(steps.type, StoreSamples.phone, day: 1, value: 3),
                    StoreSamples.page(steps.type, StoreSamples.watch, day: 1, value: 2),
                    StoreSamples.page(steps.type, StoreSamples.watch, day: 0, value: 1),
                    StoreSamples.page(steps.type, StoreSamples.watch, day: 3, value: 4),
                ]
                try await put(pages, in: stores)
                let beat = StoreSamples.page(pulse.type, StoreSamples.watch, day: 1, value: 60)
                try await put([beat], definition: pulse, in: stores)
                let digests = try await stores.pages.pageDigests(
                    of: [steps.type], utcDays: StoreSamples.days(0, 2))
                try ContractViolation.unlessEqual(
                    digests.mapValues { $0.sorted { ($0.high, $0.low) < ($1.high, $1.low) } },
                    [
                        StoreSamples.day(0): [pages[2].digest],
                        StoreSamples.day(1): [pages[1].digest, pages[0].digest]
                            .sorted { ($0.high, $0.low) < ($1.high, $1.low) },
                    ], "digests")
                try requireSame(
                    try await stores.pages.pages(of: [steps.type, pulse.type], utcDays: StoreSamples.days(1, 9)),
                    [beat, pages[1], pages[0], pages[3]])
            }
        ]
    }

    private static func typeClauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "The stored maximum sample length of a type never decreases") { stores in
                let page = StoreSamples.page(steps.type, StoreSamples.watch, day: 0)
                try await put([page], longest: 900, in: stores)
                try await put([page], longest: 60, in: stores)
                try ContractViolation.unlessEqual(
                    try await stores.pages.longestSample(of: [steps.type, pulse.type]), 900, "longest")
                try ContractViolation.unlessEqual(
                    try await stores.pages.longestSample(of: [pulse.type]), 0, "longest of none")
            },
            .on(lender, "The extent covers the given types and is nil without pages") { stores in
                try ContractViolation.unlessEqual(
                    try await stores.pages.dayExtent(of: [steps.type]), nil, "extent of an empty store")
                try await put(
                    [5, 1, 3].map { StoreSamples.page(steps.type, StoreSamples.watch, day: $0) }, in: stores)
                try ContractViolation.unlessEqual(
                    try await stores.pages.dayExtent(of: [pulse.type, steps.type]), StoreSamples.days(1, 5),
                    "extent")
            },
            .on(lender, "Types have their latest definition and are stored while they have pages") { stores in
                let page = StoreSamples.page(steps.type, StoreSamples.watch, day: 0)
                let changed = SampleTypeDefinition(
                    steps.type, .cumulative, unit: "count", factors: ["dozen": 12], offsets: ["dozen": 1],
                    categoryValues: ["x": 1])
                try await put([page], in: stores)
                try ContractViolation.unlessEqual(try await stores.pages.storedTypes(), [steps], "first types")
                try await put([page], definition: changed, in: stores)
                try ContractViolation.unlessEqual(try await stores.pages.storedTypes(), [changed], "types")
                try ContractViolation.unlessEqual(try await stores.pages.knownTypes(), [changed], "known types")
                try await stores.pages.changePages { try $0.remove(provider: "apple", at: page.key) }
                try ContractViolation.unlessEqual(try await stores.pages.storedTypes(), [], "types without pages")
                try ContractViolation.unlessEqual(try await stores.pages.knownTypes(), [changed], "former types")
            },
        ]
    }

    private static func snapshotClauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Tombstones are stored with their export date, separately from pages") { stores in
                let page = StoreSamples.page(steps.type, StoreSamples.watch, day: 0)
                try await put([page], in: stores)
                let date = Instant(seconds: 1_000)
                let found = try await stores.pages.changePages { transaction in
                    try transaction.setTombstones(page, provider: "apple", at: page.key, exportDate: date)
                    try transaction.remove(provider: "apple", at: page.key)
                    return try (
                        transaction.tombstones(provider: "apple", at: page.key),
                        transaction.tombstoneKeys(provider: "apple"), transaction.tombstoneKeys(provider: "feed")
                    )
                }
                try requireSame(found.0.map { [$0.page] } ?? [], [page])
                try ContractViolation.unlessEqual(found.0?.exportDate, date, "export date")
                try ContractViolation.unlessEqual(found.1, [page.key], "keys")
                try ContractViolation.unlessEqual(found.2, [], "keys of another provider")
                let left = try await stores.pages.changePages { transaction in
                    try transaction.setTombstones(nil, provider: "apple", at: page.key, exportDate: date)
                    return try transaction.tombstoneKeys(provider: "apple")
                }
                try ContractViolation.unlessEqual(left, [], "keys after clearing")
            },
            .on(lender, "An imported source is stored by path") { stores in
                let new = source("/a", "new", exported: 500)
                try await stores.pages.changePages { try $0.remember(new, isComplete: true) }
                try ContractViolation.unlessEqual(
                    try await stores.pages.importedSource(path: "/a"), new, "source")
                let old = source("/a", "old", exported: 100)
                let broken = source("/b", "broken", exported: 900)
                try await stores.pages.changePages { transaction in
                    try transaction.remember(old, isComplete: true)
                    try transaction.remember(broken, isComplete: false)
                }
                try ContractViolation.unlessEqual(
                    try await stores.pages.importedSource(path: "/a"), old, "source after a second one")
                try ContractViolation.unlessEqual(
                    try await stores.pages.importedSource(path: "/c"), nil, "unknown source")
                try ContractViolation.unlessEqual(
                    try await stores.pages.importedSources(), [old, broken], "all sources")
            },
        ]
    }

    private struct Interruption: Error {}

    private static func put(
        _ pages: [PackedPage], provider: String = "apple", definition: SampleTypeDefinition = steps,
        longest: Int64 = 1, in stores: StoresUnderTest
    ) async throws {
        try await stores.pages.changePages { transaction in
            for page in pages {
                try transaction.put(page, provider: provider, definition: definition, longestSample: longest)
            }
        }
    }

    private static func all(_ stores: StoresUnderTest) async throws -> [PackedPage] {
        try await stores.pages.pages(of: [steps.type, pulse.type], utcDays: StoreSamples.days(0, 99))
    }

    private static func source(_ path: String, _ content: String, exported: Int64) -> ImportedSource {
        ImportedSource(
            fingerprint: SourceFingerprint(path: path, content: content), provider: "apple",
            exportDate: Instant(seconds: exported), selection: StoreSamples.digest(1),
            importedAt: Instant(milliseconds: 42))
    }

    private static func requireSame(_ found: [PackedPage], _ expected: [PackedPage]) throws {
        try ContractViolation.unlessEqual(found.map(\.key), expected.map(\.key), "keys")
        try ContractViolation.unlessEqual(found.map(\.summary), expected.map(\.summary), "summaries")
        try ContractViolation.unlessEqual(found.map(\.bytes), expected.map(\.bytes), "bytes")
        try ContractViolation.unlessEqual(found.map(\.digest), expected.map(\.digest), "digests")
    }
}
