import HealthSyncDomain

/// The samples that a fixture expects, compared with those that a source delivers.
struct ExpectedSamples {
    private var expected: [SourceSample: [Double]]
    private let count: Int

    init(_ samples: [SourceSample]) {
        expected = Self.valuesByRest(samples)
        count = samples.count
    }

    /// Throws `ContractViolation` unless `delivered` contains each expected sample as often as expected, and no other.
    /// Values may differ by a billionth, because units are converted.
    func require(_ delivered: [SourceSample]) throws {
        try ContractViolation.unlessEqual(delivered.count, count, "the number of samples delivered")
        let delivered = Self.valuesByRest(delivered)
        for (sample, values) in expected {
            let what = "\(sample.type.rawValue) from \(RFC3339.string(sample.interval.start))"
            guard let found = delivered[sample] else {
                let start = delivered.keys.filter { $0.type == sample.type }.map(\.interval.start).min()
                throw ContractViolation(
                    "the expected sample \(what) to \(RFC3339.string(sample.interval.end)) with unit \(sample.unit), "
                        + "origin \(sample.origin.sourceName) and the same details was not delivered; the first of "
                        + "its type starts \(start.map(RFC3339.string) ?? "nowhere")")
            }
            try ContractViolation.unlessEqual(found.count, values.count, "samples like \(what)")
            let areEqual = zip(found, values).allSatisfy { abs($0 - $1) <= 1e-9 * max(abs($0), abs($1)) }
            try ContractViolation.unless(areEqual, "\(what) has another value than expected")
        }
    }

    /// Returns the ascending values of the samples that are otherwise equal.
    private static func valuesByRest(_ samples: [SourceSample]) -> [SourceSample: [Double]] {
        Dictionary(grouping: samples) { sample in
            var rest = sample
            rest.value = 0
            return rest
        }
        .mapValues { $0.map(\.value).sorted() }
    }
}
