import HealthSyncDomain
import HealthSyncPorts

/// The requirements on names that are canonically equivalent: they are different names.
enum SpellingClauses {
    private static let steps = SampleTypeDefinition.stepCount

    static func all(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Origins and types with canonically equivalent names have pages of their own") { stores in
                let names = ["caf\u{E9}", "cafe\u{301}", "\u{212A}", "K", "a\u{323}\u{301}", "a\u{301}\u{323}"]
                let origins =
                    names.map { SampleOrigin(sourceName: $0) } + names.map { SampleOrigin(sourceName: "a", device: $0) }
                let pages = origins.enumerated().map {
                    StoreSamples.page(steps.type, $1, day: 0, value: Double($0))
                }
                let types = names.map { SampleTypeDefinition(SampleType(rawValue: $0), .cumulative, unit: "count") }
                let others = types.map { StoreSamples.page($0.type, StoreSamples.watch, day: 0) }
                let found = try await stores.pages.changePages { transaction in
                    for page in pages {
                        try transaction.put(page, provider: "apple", definition: steps, longestSample: 1)
                    }
                    for (type, page) in zip(types, others) {
                        try transaction.put(page, provider: "apple", definition: type, longestSample: 1)
                    }
                    return try (pages + others).map { try transaction.page(provider: "apple", at: $0.key)?.bytes }
                }
                try ContractViolation.unlessEqual(found, (pages + others).map(\.bytes), "pages in the transaction")
                let stored = try await stores.pages.pages(of: [steps.type], utcDays: StoreSamples.days(0, 0))
                try ContractViolation.unlessEqual(stored.count, pages.count, "pages")
                let spellings = Set(stored.map { Array($0.key.origin.canonicalText.utf8) })
                try ContractViolation.unlessEqual(spellings.count, pages.count, "origins")
                for type in types {
                    let own = try await stores.pages.pages(of: [type.type], utcDays: StoreSamples.days(0, 0))
                    try ContractViolation.unlessEqual(own.count, 1, "pages of a type")
                }
            }
        ]
    }
}
