package import HealthSyncDomain
package import HealthSyncPorts

/// Asks a server which raw samples it has: `GET /api/v1/digest` and `GET` of the samples of a type.
package struct HTTPSampleReader: ServerSampleReader {
    package let intervalsPerRequest = 64
    private let asking: HTTPGetClient

    package init(_ settings: HTTPOutboxSettings, time: any TimeSource) {
        asking = HTTPGetClient(settings, time: time)
    }

    package func digests(of type: SampleType, in intervals: [GridInterval]) async throws -> [HalvedDigest] {
        guard let first = intervals.first else { return [] }
        let starts = intervals.map { RFC3339.string($0.start) }.joined(separator: ",")
        let body = try await asking.get(
            "/api/v1/digest?type=\(Self.name(of: type))&seconds=\(first.seconds)&start=\(starts)")
        guard let digests = DigestReading.digests(body, starts: intervals.map(\.start)) else {
            throw asking.unreadable("its digests")
        }
        return digests
    }

    package func samples(
        of type: SampleType, in range: InstantRange, from cursor: String?
    ) async throws -> RawSamplePage {
        let path = type == SampleTypeDefinition.stepCount.type ? "/steps" : "/api/v1/samples/\(Self.name(of: type))"
        let body = try await asking.get(
            "\(path)?from=\(RFC3339.string(range.start))&to=\(RFC3339.string(range.end))&limit=\(Self.pageSize)"
                + (cursor.map { "&cursor=\($0)" } ?? ""))
        guard let page = SampleListReading.page(body) else { throw asking.unreadable("its list of samples") }
        return page
    }

    /// Returns the name of a type in the receiving API.
    private static func name(of type: SampleType) -> String {
        type == SampleTypeDefinition.stepCount.type ? "steps" : type.shortName
    }

    private static let pageSize = 5_000
}
