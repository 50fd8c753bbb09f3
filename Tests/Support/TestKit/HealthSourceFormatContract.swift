import HealthSyncDomain
public import HealthSyncPorts

/// What every `HealthSourceFormat` guarantees, as clauses that any test framework can run.
public enum HealthSourceFormatContract {
    /// Returns the clauses for `format`, which must recognize the files of `fixture`.
    public static func clauses(
        for format: any HealthSourceFormat, with fixture: HealthDataSourceFixture
    ) -> [ContractClause] {
        [
            ContractClause("A source of the format is recognized each time") {
                for _ in 0..<2 {
                    let found = try await format.sources(at: fixture.whole, in: .utc)
                    try ContractViolation.unless(found?.sources.isEmpty == false, "no source was found")
                }
            },
            ContractClause("A file of another format is not recognized") {
                let found = try await format.sources(at: fixture.foreign, in: .utc)
                try ContractViolation.unless(found == nil, "a file of another format was recognized")
            },
            ContractClause("The sources that are found deliver samples") {
                let found = try await format.sources(at: fixture.whole, in: .utc) ?? FoundSources()
                for source in found.sources {
                    let reading = try await CollectedReading.collect(source, fixture.selection)
                    try ContractViolation.unless(!reading.samples.isEmpty, "\(source.location): no samples")
                }
            },
            ContractClause("The name and the schemes can be shown and typed") {
                try ContractViolation.unless(!format.name.isEmpty, "the name is empty")
                for scheme in format.schemes {
                    try ContractViolation.unless(
                        SourceURL.scheme(of: scheme + ":") == scheme, "\"\(scheme)\" is not a scheme in lower case")
                }
            },
        ]
    }
}

extension SourceContext {
    /// A user whose days follow coordinated universal time.
    public static let utc = SourceContext(clock: DayClock(home: .utc))
}
