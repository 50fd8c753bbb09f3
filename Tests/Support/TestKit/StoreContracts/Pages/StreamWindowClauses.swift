import HealthSyncDomain
import HealthSyncPorts

/// The requirements of `SamplePageStore` about complete windows of change streams, and about what feeds cover and lack.
enum StreamWindowClauses {
    private static let steps = SampleTypeDefinition.stepCount.type
    private static let pulse = SampleTypeDefinition.heartRate.type

    static func all(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [windows(lender), parts(lender), feeds(lender), pages(lender), unsent(lender)]
    }

    private static func window(
        _ days: ClosedRange<Int>, version: Int64, type: SampleType = steps
    ) -> KnownWindow {
        KnownWindow(
            type: type, start: Instant(seconds: Int64(days.lowerBound)), end: Instant(seconds: Int64(days.upperBound)),
            version: version)
    }

    private static func windows(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "A complete window replaces windows of its type within it that are not newer") { stores in
            let found = try await stores.pages.changePages { transaction -> [KnownWindow] in
                for window in [
                    window(1...3, version: 5), window(2...3, version: 9), window(2...6, version: 5),
                    window(1...3, version: 1, type: pulse), window(1...4, version: 7),
                ] {
                    try transaction.putKnownWindow(window, provider: "stream")
                }
                try transaction.putKnownWindow(window(1...9, version: 1), provider: "other")
                try transaction.putKnownWindow(window(5...6, version: 0), provider: "stream")
                try transaction.removeKnownWindows(provider: "stream", before: 1)
                guard try transaction.knownWindows(provider: "other").count == 1 else { return [] }
                return try transaction.knownWindows(provider: "stream")
            }
            try ContractViolation.unlessEqual(
                found,
                [
                    window(1...3, version: 1, type: pulse), window(1...4, version: 7), window(2...3, version: 9),
                    window(2...6, version: 5),
                ], "windows")
        }
    }

    private static func part(_ days: ClosedRange<Int>, version: Int64, held: Int? = 3) -> WindowPart {
        let window = window(days, version: version)
        return WindowPart(
            start: window.start, end: window.end, version: version, date: Instant(seconds: 7), isLast: version > 2,
            lists: [
                WindowPart.List(name: "a", types: [steps, pulse], held: held, records: [1, .max]),
                WindowPart.List(name: "b", types: [], held: nil, records: []),
            ])
    }

    private static func parts(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "Parts of windows are returned exactly as stored last, and deleted up to a version") { stores in
            let found = try await stores.pages.changePages { transaction in
                for part in [part(1...3, version: 2), part(1...3, version: 1), part(1...4, version: 1)] {
                    try transaction.putWindowPart(part, provider: "stream")
                }
                try transaction.putWindowPart(part(1...3, version: 9), provider: "stream")
                try transaction.putWindowPart(part(1...3, version: 9, held: 4), provider: "stream")
                try transaction.putWindowPart(part(1...3, version: 1), provider: "other")
                try transaction.removeWindowParts(
                    provider: "stream", start: Instant(seconds: 1), end: Instant(seconds: 3), upTo: 2)
                return try transaction.windowParts(provider: "stream")
            }
            try ContractViolation.unlessEqual(
                found, [part(1...3, version: 9, held: 4), part(1...4, version: 1)], "parts")
        }
    }

    private static func feeds(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "What a feed covers is stored by provider, type and source") { stores in
            @Sendable func window(_ source: String?, _ last: Int64, _ type: SampleType = steps) -> FeedWindow {
                FeedWindow(
                    provider: "feed", type: type, sourceName: source, first: Instant(seconds: 1),
                    last: Instant(seconds: last))
            }
            let found = try await stores.pages.changePages { transaction in
                for window in [window("", 2), window(nil, 3), window("", 4), window("Watch", 5), window("", 6, pulse)] {
                    try transaction.putFeedWindow(window)
                }
                return try transaction.feedWindows()
            }
            try ContractViolation.unlessEqual(
                Set(found), [window("", 4), window(nil, 3), window("Watch", 5), window("", 6, pulse)], "windows")
            try ContractViolation.unlessEqual(found.count, 4, "number of windows")
        }
    }

    private static func pages(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "A transaction reads the pages and deleted rows of all providers as it left them") { stores in
            let pages = [0, 1, 2].map { StoreSamples.page(steps, StoreSamples.watch, day: $0, value: Double($0)) }
            let row = DeletedRow(
                provider: "stream", externalID: "a",
                content: DeletedRow.Content(key: pages[1].key, start: 1, duration: 2, value: 3), version: 4)
            let found = try await stores.pages.changePages { transaction in
                for (page, provider) in zip(pages, ["apple", "feed", "feed"]) {
                    try transaction.put(
                        page, provider: provider, definition: SampleTypeDefinition.stepCount, longestSample: 1)
                }
                try transaction.putDeletedRow(row)
                return try (
                    transaction.pages(of: steps, utcDays: StoreSamples.days(0, 1)),
                    transaction.deletedRows(of: steps, utcDays: StoreSamples.days(0, 1)),
                    transaction.deletedRows(of: steps, utcDays: StoreSamples.days(2, 3))
                )
            }
            try ContractViolation.unlessEqual(found.0.map(\.provider), ["apple", "feed"], "providers")
            try ContractViolation.unlessEqual(found.0.map(\.digest), pages.prefix(2).map(\.digest), "pages")
            try ContractViolation.unlessEqual(found.1, [row], "deleted rows")
            try ContractViolation.unlessEqual(found.2, [], "deleted rows of other days")
        }
    }

    private static func unsent(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "Samples that no feed sent are counted by day, and replaced by type and UTC day") { stores in
            let days = (0..<4).map { CalendarDay(ordinal: 19_000 + $0) }
            try await stores.pages.changePages { transaction in
                try transaction.setUnsentSamples([days[0]: 9, days[3]: 4], of: steps, utcDay: days[0])
                try transaction.setUnsentSamples([days[0]: 1, days[1]: 2], of: steps, utcDay: days[0])
                try transaction.setUnsentSamples([days[1]: 5], of: steps, utcDay: days[1])
                try transaction.setUnsentSamples([days[1]: 7], of: pulse, utcDay: days[1])
                try transaction.setUnsentSamples([days[2]: 8], of: pulse, utcDay: days[2])
                try transaction.setUnsentSamples([:], of: pulse, utcDay: days[2])
            }
            try ContractViolation.unlessEqual(
                try await stores.pages.unsentSamples().days, [days[0]: 1, days[1]: 14], "counts")
        }
    }
}
