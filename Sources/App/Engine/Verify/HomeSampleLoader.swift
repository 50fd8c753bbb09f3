import HealthSyncDomain
import HealthSyncPorts

/// Reads the samples of one type out of the pages, as they are delivered raw: each id once a UTC day.
struct HomeSampleLoader: Sendable {
    let pages: any SamplePageStore
    let hasher: any ContentHasher
    let definition: SampleTypeDefinition

    /// The UTC days that have samples and meet `range`; `nil` when there are none.
    func utcDays(in range: InstantRange) async throws -> DayRange? {
        guard !range.isEmpty, let extent = try await pages.dayExtent(of: [definition.type]) else { return nil }
        let last = Instant(milliseconds: range.end.milliseconds - 1)
        return DayRange(CalendarDay(utcDayOf: range.start), through: CalendarDay(utcDayOf: last))?
            .intersection(extent)
    }

    /// The samples that start on those UTC days, ascending by day and start.
    func samples(on utcDays: DayRange) async throws -> [RawSample] {
        let pages = try await pages.pages(of: [definition.type], utcDays: utcDays)
        let days = Dictionary(grouping: pages, by: \.key.day)
        return try days.keys.sorted().flatMap { try samples(of: days[$0] ?? []) }
    }

    private func samples(of pages: [PackedPage]) throws -> [RawSample] {
        var samples: [RawSample] = []
        // Sums that a feed made are no samples: they travel as progress only.
        for page in pages where !page.key.origin.isPreAggregated {
            let columns = try columns(of: page)
            for row in 0..<columns.count {
                let interval = columns.interval(row)
                let id = hasher.sampleID(
                    type: definition.type, interval: interval, value: columns.values[row], unit: definition.unit,
                    origin: page.key.origin, externalID: columns.details[row]?.externalID)
                samples.append(
                    RawSample(id: id, start: interval.start, end: interval.end, value: sentValue(columns.values[row])))
            }
        }
        samples.sort { ($0.start, $0.end, $0.value) < ($1.start, $1.end, $1.value) }
        // The last one counts of several under an id.
        var known: Set<SampleID> = []
        var kept: [RawSample] = []
        for sample in samples.reversed() where known.insert(sample.id).inserted { kept.append(sample) }
        return kept.reversed()
    }

    private func columns(of page: PackedPage) throws -> SampleColumns {
        do {
            return try SamplePageCodec.decode(page.bytes)
        } catch {
            throw SyncFailure(
                .storage, subject: "the page of \(page.key.type.shortName) on \(page.key.day)",
                reason: "its bytes are damaged", advice: "run with --force to read the sources again")
        }
    }

    /// A count is a whole number on the wire; one that is none stays as it is.
    private func sentValue(_ value: Double) -> Double {
        guard definition.type == SampleTypeDefinition.stepCount.type else { return value }
        let whole = LayeringRule.wholeSteps(value)
        return whole > 0 || value > 0 && value < 1 ? Double(whole) : value
    }
}
