import HealthSyncDomain
import HealthSyncPorts

/// Reads the samples of a type as they are delivered, out of the pages.
///
/// What a feed made by adding samples up (pre-aggregated buckets) is no sample: its sums travel as progress only. A
/// measurement that several inputs state is one sample (`SampleMatching`); one entered by hand is a sample like any
/// other.
struct RawSampleLoader: Sendable {
    let pages: any SamplePageStore
    let hasher: any ContentHasher
    let definition: SampleTypeDefinition

    /// The samples that start on those UTC days.
    func samples(on utcDays: DayRange) async throws -> RawSamples {
        try samples(
            of: try await pages.pages(of: [definition.type], utcDays: utcDays).map {
                Page(provider: $0.provider, key: $0.key, bytes: $0.bytes)
            })
    }

    /// What a store holds, or held, of one type, origin and day.
    struct Page: Sendable {
        var provider: String
        var key: SamplePageKey
        /// By `SamplePageCodec`.
        var bytes: [UInt8]
    }

    /// The samples that `pages` hold together: all pages of the days that they are of.
    func samples(of pages: [Page]) throws -> RawSamples {
        var stated: [InputSamples] = []
        for page in pages where !page.key.origin.isPreAggregated {
            let columns = try SamplePageCodec.decode(page.bytes, at: page.key)
            stated.append(InputSamples(input: page.provider, origin: page.key.origin, columns: columns))
        }
        var samples = RawSamples()
        for part in SampleMatching.matched(stated) {
            samples.append(
                part.columns,
                ids: hasher.sampleIDs(
                    of: part.columns, type: definition.type, unit: definition.unit, origin: part.origin),
                origin: part.origin)
        }
        return samples.normalized()
    }

    /// The samples of `pages` as schemas before 14 delivered them: those of every input, under former ids.
    func formerSamples(of pages: [Page]) throws -> RawSamples {
        var samples = RawSamples()
        for page in pages where !page.key.origin.isPreAggregated {
            let columns = try SamplePageCodec.decode(page.bytes, at: page.key)
            samples.append(
                columns,
                ids: hasher.sampleIDs(
                    of: columns, type: definition.type, unit: definition.unit, origin: page.key.origin,
                    asFormerly: true),
                origin: page.key.origin)
        }
        return samples.normalized()
    }
}
