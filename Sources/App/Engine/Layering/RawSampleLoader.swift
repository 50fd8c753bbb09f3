import HealthSyncDomain
import HealthSyncPorts

/// Reads the samples of a type as they are delivered, out of the pages.
///
/// What a feed made by adding samples up (pre-aggregated buckets) is no sample: its sums travel as progress only. A
/// sample that stands in pages of several providers is one sample; one typed in by a person is a sample like any other.
struct RawSampleLoader: Sendable {
    let pages: any SamplePageStore
    let hasher: any ContentHasher
    let definition: SampleTypeDefinition

    /// The samples that start on those UTC days.
    func samples(on utcDays: DayRange) async throws -> RawSamples {
        var samples = RawSamples()
        for page in try await pages.pages(of: [definition.type], utcDays: utcDays) {
            try append(page.bytes, at: page.key, to: &samples)
        }
        return samples.normalized()
    }

    /// Adds the samples of a page.
    func append(_ bytes: [UInt8], at key: SamplePageKey, to samples: inout RawSamples) throws {
        guard !key.origin.isPreAggregated else { return }
        let columns: SampleColumns
        do {
            columns = try SamplePageCodec.decode(bytes)
        } catch {
            throw SyncFailure(
                .storage, subject: "the page of \(key.type.shortName) on \(key.day)", reason: "its bytes are damaged",
                advice: "run with --force to read the sources again")
        }
        samples.append(
            columns,
            ids: hasher.sampleIDs(of: columns, type: key.type, unit: definition.unit, origin: key.origin),
            origin: key.origin)
    }
}
