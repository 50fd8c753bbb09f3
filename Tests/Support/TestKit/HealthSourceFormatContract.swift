import Foundation
import HealthSyncDomain
public import HealthSyncPorts

/// What every `HealthSourceFormat` guarantees, as clauses that any test framework can run.
public enum HealthSourceFormatContract {
    /// Returns the clauses for `format`, which must recognize the files of `fixture`.
    public static func clauses(
        for format: any HealthSourceFormat, with fixture: HealthDataSourceFixture
    ) -> [ContractClause] {
        let found = { @Sendable (path: String, context: SourceContext) async throws -> [any HealthDataSource] in
            let found = try await format.sources(at: path, in: context)?.sources ?? []
            try ContractViolation.unless(!found.isEmpty, "no source was found")
            return found
        }
        return [
            ContractClause("A source of the format is recognized each time, with the same fingerprint") {
                let first = try await found(fixture.whole, .utc)
                let second = try await found(fixture.whole, .utc)
                try ContractViolation.unlessEqual(
                    second.map(\.location), first.map(\.location), "the locations of the sources")
                for (left, right) in zip(first, second) {
                    try ContractViolation.unless(
                        try await left.fingerprint() == right.fingerprint(), "\(left.location): the fingerprints differ"
                    )
                }
            },
            ContractClause("A file of another format is not recognized") {
                let found = try await format.sources(at: fixture.foreign, in: .utc)
                try ContractViolation.unless(found == nil, "a file of another format was recognized")
            },
            ContractClause("A file of one very long line of another format is not recognized, and is no error") {
                // An error would end the search for a format that reads the file.
                let path = NSTemporaryDirectory() + "healthsync-contract-\(UUID().uuidString)"
                defer { try? FileManager.default.removeItem(atPath: path) }
                try Data(repeating: UInt8(ascii: "a"), count: 2 << 20).write(to: URL(fileURLWithPath: path))
                let found = try await format.sources(at: path, in: .utc)
                try ContractViolation.unless(found == nil, "it was recognized")
            },
            ContractClause("A path at which nothing exists gives no source, or throws noInput") {
                do {
                    let found = try await format.sources(at: fixture.missing, in: .utc)
                    try ContractViolation.unless(found == nil, "a source was found")
                } catch let failure as SyncFailure {
                    try ContractViolation.unlessEqual(failure.code, .noInput, "code of the failure")
                }
            },
            ContractClause("The sources that are found deliver the expected samples") {
                try ExpectedSamples(fixture.expected).require(
                    try await samples(of: try await found(fixture.whole, .utc), fixture.selection))
            },
            ContractClause("Times without an offset follow the clock of the user, and all others do not") {
                for (context, offset) in [(SourceContext.east, Int64(32_400)), (.west, -12_600)] {
                    let shifted = fixture.expected.map { sample in
                        guard fixture.localTypes.contains(sample.type) else { return sample }
                        var sample = sample
                        sample.interval = InstantRange(
                            start: sample.interval.start.advanced(bySeconds: -offset),
                            end: sample.interval.end.advanced(bySeconds: -offset))
                        return sample
                    }
                    try ExpectedSamples(shifted).require(
                        try await samples(of: try await found(fixture.whole, context), fixture.selection))
                }
            },
            ContractClause("In other zones, local times keep their identifiers, and the source counts as changed") {
                guard !fixture.localTypes.isEmpty else { return }
                var identifiers: [Set<String>] = []
                var fingerprints: [[SourceFingerprint]] = []
                for context in [SourceContext.utc, .east, .west, .stay(from: 10_000), .stay(from: 10_001)] {
                    let sources = try await found(fixture.whole, context)
                    let local = try await samples(of: sources, fixture.selection)
                        .filter { fixture.localTypes.contains($0.type) }
                    let known = local.compactMap(\.detail?.externalID)
                    try ContractViolation.unlessEqual(known.count, local.count, "local times with an identifier")
                    identifiers.append(Set(known))
                    var contents: [SourceFingerprint] = []
                    for source in sources { contents.append(try await source.fingerprint()) }
                    fingerprints.append(contents)
                }
                try ContractViolation.unless(Set(identifiers).count == 1, "an identifier depends on the zone")
                try ContractViolation.unless(
                    Set(fingerprints).count == fingerprints.count, "the fingerprint does not contain the zones")
            },
            ContractClause("The name and the schemes can be shown and typed") {
                try ContractViolation.unless(!format.name.isEmpty, "the name is empty")
                for scheme in format.schemes {
                    try ContractViolation.unless(
                        SourceURL.scheme(of: scheme + ":") == scheme, "\"\(scheme)\" is not a scheme in lower case")
                }
            },
        ].limited
    }
}

extension HealthSourceFormatContract {
    private static func samples(
        of sources: [any HealthDataSource], _ selection: SampleSelection
    ) async throws -> [SourceSample] {
        var samples: [SourceSample] = []
        for source in sources { samples += try await CollectedReading.collect(source, selection).samples }
        return samples
    }
}

extension SourceContext {
    /// A clock nine hours ahead of UTC.
    fileprivate static let east = SourceContext(
        clock: DayClock(home: ZoneRules(identifier: "East", transitions: [], offsets: [32_400])))
    /// A clock three and a half hours behind UTC.
    fileprivate static let west = SourceContext(
        clock: DayClock(home: ZoneRules(identifier: "West", transitions: [], offsets: [-12_600])))

    /// A clock of UTC, and nine hours ahead of it from a day on, in days since 1970.
    fileprivate static func stay(from day: Int) -> SourceContext {
        let stay = DayClock.Residence(firstDay: CalendarDay(ordinal: day), rules: east.clock.home)
        return SourceContext(clock: DayClock(home: .utc, residences: [stay]))
    }

    /// A user whose days follow coordinated universal time.
    public static let utc = SourceContext(clock: DayClock(home: .utc))
}
