import HealthSyncDomain
import HealthSyncPorts

/// The requirements of `SamplePageStore` about what change streams deleted.
enum DeletedRowClauses {
    private static let steps = SampleTypeDefinition.stepCount
    private static let pulse = SampleTypeDefinition.heartRate

    static func all(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [rows(lender), days(lender)]
    }

    private static func row(
        _ id: String, provider: String = "stream", day: Int? = nil, type: SampleType = steps.type
    ) -> DeletedRow {
        DeletedRow(
            provider: provider, externalID: id,
            content: day.map { day in
                DeletedRow.Content(
                    key: StoreSamples.page(type, StoreSamples.watch, day: day).key, start: Int64(day) * 86_400_000 + 7,
                    duration: 1_000, value: 2.5)
            }, windowDate: day.map { Instant(seconds: Int64($0)) }, version: day.map { Int64($0) << 40 })
    }

    private static func rows(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "A deleted row is returned exactly as stored last, by provider and identifier") { stores in
            let found = try await stores.pages.changePages { transaction in
                let none = try transaction.hasDeletedRows(provider: "stream")
                for row in [row("a"), row("b", day: 1), row("a", provider: "other", day: 2), row("c", day: 3)] {
                    try transaction.putDeletedRow(row)
                }
                try transaction.putDeletedRow(row("a", day: 4))
                try transaction.removeDeletedRow(provider: "stream", externalID: "c")
                return try (
                    none, transaction.hasDeletedRows(provider: "stream"),
                    [("stream", "a"), ("stream", "b"), ("other", "a"), ("stream", "c")].map {
                        try transaction.deletedRow(provider: $0.0, externalID: $0.1)
                    }
                )
            }
            try ContractViolation.unlessEqual(found.0, false, "rows of an empty store")
            try ContractViolation.unlessEqual(found.1, true, "rows of the stream")
            try ContractViolation.unlessEqual(
                found.2, [row("a", day: 4), row("b", day: 1), row("a", provider: "other", day: 2), nil], "rows")
        }
    }

    private static func days(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "Deleted rows with content belong to the UTC day of their page, and change its digests") { stores in
            try await stores.pages.changePages { transaction in
                for row in [row("b", day: 1), row("a", day: 1), row("c", day: 2), row("d")] {
                    try transaction.putDeletedRow(row)
                }
                try transaction.putDeletedRow(row("e", day: 1, type: pulse.type))
            }
            let found = try await stores.pages.deletedRows(of: [steps.type], utcDays: StoreSamples.days(1, 1))
            try ContractViolation.unlessEqual(found, [row("a", day: 1), row("b", day: 1)], "rows of a day")
            let digests = try await stores.pages.pageDigests(of: [steps.type], utcDays: StoreSamples.days(0, 3))
            try ContractViolation.unlessEqual(digests.mapValues(\.count).values.sorted(), [1, 2], "digests by day")
        }
    }
}
