import Foundation
import HealthSyncDomain

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
