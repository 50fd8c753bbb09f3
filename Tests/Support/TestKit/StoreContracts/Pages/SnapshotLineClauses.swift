import HealthSyncDomain
import HealthSyncPorts

/// The requirements of `SamplePageStore` about lineages of exports.
enum SnapshotLineClauses {
    private static let steps = SampleTypeDefinition.stepCount
    private static let pulse = SampleTypeDefinition.heartRate

    static func all(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [dates(lender), pages(lender)]
    }

    private static func date(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

    private static func dates(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "Snapshot dates are those set last, by lineage") { stores in
            let first = SnapshotDates(chosen: [steps.type: date(500), pulse.type: date(200)], all: date(300))
            let second = SnapshotDates(chosen: [steps.type: date(100)])
            let found = try await stores.pages.changePages { transaction in
                let late = SnapshotDates(chosen: [steps.type: date(900)], all: date(800))
                try transaction.setSnapshotDates(late, provider: "apple", lineage: 0)
                try transaction.setSnapshotDates(late, provider: "apple", lineage: 2)
                try transaction.setSnapshotDates(first, provider: "apple", lineage: 0)
                try transaction.setSnapshotDates(second, provider: "apple", lineage: 1)
                try transaction.setSnapshotDates(SnapshotDates(), provider: "apple", lineage: 2)
                return try (transaction.snapshotDates(provider: "apple"), transaction.snapshotDates(provider: "feed"))
            }
            try ContractViolation.unlessEqual(found.0, [0: first, 1: second], "dates")
            try ContractViolation.unlessEqual(found.1, [:], "dates of another provider")
            try ContractViolation.unlessEqual(first[steps.type], date(500), "steps")
            try ContractViolation.unlessEqual(first[pulse.type], date(300), "pulse")
        }
    }

    private static func pages(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "The parts of a page by lineage are stored with it") { stores in
            let page = StoreSamples.page(steps.type, StoreSamples.watch, day: 0, value: 7)
            let other = StoreSamples.page(steps.type, StoreSamples.watch, day: 0, value: 8)
            try await stores.pages.changePages { transaction in
                try transaction.put(page, provider: "apple", definition: steps, longestSample: 1)
                try transaction.put(page, provider: "feed", definition: steps, longestSample: 1)
                for line in [0, 1, 3] {
                    try transaction.setLineagePage(other, provider: "apple", at: page.key, lineage: line)
                }
                try transaction.setLineagePage(page, provider: "apple", at: page.key, lineage: 0)
                try transaction.setLineagePage(nil, provider: "apple", at: page.key, lineage: 3)
            }
            let found = try await stores.pages.changePages { transaction in
                try (
                    transaction.lineagePages(provider: "apple", at: page.key),
                    transaction.lineageDigests(provider: "apple"), transaction.lineageDigests(provider: "feed")
                )
            }
            try ContractViolation.unlessEqual(found.0.mapValues(\.bytes), [0: page.bytes, 1: other.bytes], "bytes")
            try ContractViolation.unlessEqual(
                found.0.mapValues(\.summary), [0: page.summary, 1: other.summary], "summaries")
            try ContractViolation.unlessEqual(
                found.1, [page.key: [0: page.digest, 1: other.digest]], "digests")
            try ContractViolation.unlessEqual(found.2, [:], "digests of another provider")
            let left = try await stores.pages.changePages { transaction in
                try transaction.remove(provider: "apple", at: page.key)
                for line in [0, 1] {
                    try transaction.setLineagePage(nil, provider: "apple", at: page.key, lineage: line)
                }
                return try transaction.lineagePages(provider: "apple", at: page.key)
            }
            try ContractViolation.unlessEqual(left.mapValues(\.bytes), [:], "pages after clearing")
        }
    }
}
