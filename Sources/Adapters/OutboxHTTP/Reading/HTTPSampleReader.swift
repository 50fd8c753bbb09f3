import Foundation
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

/// Reads the response to `GET /api/v1/digest`.
enum DigestReading {
    /// Returns the digests of the intervals that begin at `starts`; `nil` if the body does not contain exactly these.
    static func digests(_ body: [UInt8], starts: [Instant]) -> [HalvedDigest]? {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)),
            answer.intervals.map({ RFC3339.instant($0.start) }) == starts
        else { return nil }
        var digests: [HalvedDigest] = []
        for interval in answer.intervals {
            guard interval.halves.count == 2,
                let whole = digest(interval.count, interval.sum, interval.content),
                let first = digest(interval.halves[0]), let second = digest(interval.halves[1])
            else { return nil }
            digests.append(HalvedDigest(whole: whole, first: first, second: second))
        }
        return digests
    }

    /// More samples than any server has; sums of such counts do not overflow.
    private static let largestCount = 1_000_000_000_000

    private static func digest(_ half: Answer.Half) -> SampleSetDigest? { digest(half.count, half.sum, half.content) }

    private static func digest(_ count: Int, _ sum: String, _ content: String) -> SampleSetDigest? {
        guard (0...largestCount).contains(count), sum.utf8.count == 32, content.utf8.count == 16,
            let high = UInt64(sum.prefix(16), radix: 16), let low = UInt64(sum.suffix(16), radix: 16),
            let content = UInt64(content, radix: 16)
        else { return nil }
        return SampleSetDigest(ids: IntervalDigest(count: count, high: high, low: low), content: content)
    }

    private struct Answer: Decodable {
        struct Half: Decodable {
            var count: Int
            var sum: String
            var content: String
        }
        struct Interval: Decodable {
            var start: String
            var count: Int
            var sum: String
            var content: String
            var halves: [Half]
        }
        var intervals: [Interval]
    }
}

/// Reads the responses to `GET /steps` and `GET /api/v1/samples/{type}`.
enum SampleListReading {
    /// Returns the samples; `nil` if one of them cannot be read.
    static func page(_ body: [UInt8]) -> RawSamplePage? {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)) else { return nil }
        var samples: [RawSample] = []
        samples.reserveCapacity(answer.samples.count)
        for sample in answer.samples {
            guard let id = SampleID(sample.uuid), let start = RFC3339.instant(sample.startDate),
                let end = RFC3339.instant(sample.endDate), let value = sample.count ?? sample.value
            else { return nil }
            samples.append(RawSample(id: id, start: start, end: end, value: value, revision: sample.revision ?? 0))
        }
        // A cursor becomes a part of an address.
        guard answer.nextCursor?.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ?? true else { return nil }
        return RawSamplePage(samples: samples, next: answer.nextCursor)
    }

    private struct Answer: Decodable {
        enum CodingKeys: String, CodingKey {
            case samples
            case nextCursor = "next_cursor"
        }
        struct Sample: Decodable {
            var uuid: String
            var startDate: String
            var endDate: String
            var count: Double?
            var value: Double?
            var revision: Int?
        }
        var samples: [Sample]
        var nextCursor: String?
    }
}
