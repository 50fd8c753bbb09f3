import HealthSyncDomain
import HealthSyncPorts

/// Loads the samples of a type from the pages, in the form in which they are delivered.
///
/// Aggregates computed by a feed (pre-aggregated buckets) are not samples; their sums are sent only as progress. A
/// measurement in several inputs is one sample (`SampleMatching`). Samples entered by the user are sent like all
/// others.
struct RawSampleLoader: Sendable {
    let pages: any SamplePageStore
    let hasher: any ContentHasher
    let definition: SampleTypeDefinition

    /// Returns the samples that start on `utcDays`.
    func samples(on utcDays: DayRange) async throws -> RawSamples {
        try samples(
            of: try await pages.pages(of: [definition.type], utcDays: utcDays).map {
                Page(provider: $0.provider, key: $0.key, bytes: $0.bytes)
            }, deleted: try await deletedSamples(on: utcDays))
    }

    /// Returns what change streams deleted on `utcDays`.
    func deletedSamples(on utcDays: DayRange) async throws -> [InputSamples] {
        let rows = try await pages.deletedRows(of: [definition.type], utcDays: utcDays)
        return InputSamples.deleted(rows)[definition.type] ?? []
    }

    /// The current or former contents of a page.
    struct Page: Sendable {
        var provider: String
        var key: SamplePageKey
        /// Encoded by `SamplePageCodec`.
        var bytes: [UInt8]
    }

    /// Returns the samples of `pages`, which must be all pages of their days, without `deleted`.
    func samples(of pages: [Page], deleted: [InputSamples]) throws -> RawSamples {
        var stated = deleted
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

    /// Returns the samples of `pages` as schemas before 14 delivered them: those of every input, under former ids.
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
