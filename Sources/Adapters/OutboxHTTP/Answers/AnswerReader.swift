import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Reads the bodies of responses. A body that does not have the expected form is `nil`, never partly read.
enum AnswerReader {
    /// Returns the results and counts; `nil` if the body has neither.
    static func report(_ body: [UInt8]) -> ResultReport? {
        guard let answer = try? JSONDecoder().decode(ResultsBody.self, from: Data(body)) else { return nil }
        var counts: [RecordResult.Status: Int] = [:]
        counts[.created] = answer.created
        counts[.updated] = answer.updated
        counts[.duplicate] = answer.duplicate
        counts[.rejected] = answer.rejected
        counts[.retry] = answer.retry
        if answer.results == nil && (answer.received == nil || counts.isEmpty) { return nil }
        let numbers = Array(counts.values) + [answer.received].compactMap(\.self)
        guard numbers.allSatisfy((0...Self.largestCount).contains) else { return nil }
        let results = answer.results?.map {
            RecordResult(id: $0.id, status: RecordResult.Status(rawValue: $0.status), reason: $0.reason)
        }
        return ResultReport(results: results, counts: counts, received: answer.received)
    }

    /// More records than any request contains.
    private static let largestCount = 1_000_000_000

    /// More records than fit into any request.
    private static let largestLimit = 1_000_000

    /// Returns whether the body of a 409 means that the record already exists, and not that the request is in progress
    /// or that something does not exist.
    static func meansAlreadyExists(_ body: [UInt8]) -> Bool {
        guard let text = ServerText.explanation(body)?.asciiLowercased else { return false }
        return text.containsBytes(of: "exist")
            && !["progress", "key", "not ", "n't", "n’t"].contains { text.containsBytes(of: $0) }
    }

    /// Returns the server's capabilities, with at most `largestBody` bytes per request; `nil` if they cannot be read.
    static func capabilities(_ body: [UInt8], largestBody: Int) -> DestinationCapabilities? {
        guard let answer = try? JSONDecoder().decode(CapabilitiesBody.self, from: Data(body)),
            !answer.batch.isEmpty, answer.batch.values.allSatisfy({ $0 > 0 }), answer.maxBodyBytes ?? 1 > 0
        else { return nil }
        var limits: [RecordKind: Int] = [:]
        for (name, limit) in answer.batch { limits[RecordKind(rawValue: name)] = min(limit, largestLimit) }
        // The published form has no limit for snapshots, which every such server accepts.
        limits[.snapshots] = limits[.snapshots] ?? limits[.progress]
        var capabilities = DestinationCapabilities(
            batchLimits: limits, maxBatchBytes: min(answer.maxBodyBytes ?? largestBody, largestBody),
            acceptsDeletions: answer.tombstones ?? false)
        // The limit of steps applies to raw samples of every type.
        capabilities.sampleLimit = limits[.steps]
        capabilities.acceptsCompression = answer.gzip ?? false
        capabilities.digests = answer.digest ?? false
        capabilities.groupsSampleDeletions = answer.sampleDeletions ?? false
        capabilities.recordDigests = answer.recordDigests ?? false
        capabilities.sleepNights = answer.sleepNights ?? false
        return capabilities
    }

    private struct ResultsBody: Decodable {
        struct Result: Decodable {
            var id: String
            var status: String
            var reason: String?
        }
        var results: [Result]?
        var received: Int?
        var created: Int?
        var updated: Int?
        var duplicate: Int?
        var rejected: Int?
        var retry: Int?
    }

    private struct CapabilitiesBody: Decodable {
        enum CodingKeys: String, CodingKey {
            case batch, digest, gzip, tombstones
            case maxBodyBytes = "max_body_bytes"
            case recordDigests = "record_digests"
            case sleepNights = "sleep_nights"
            case sampleDeletions = "sample_deletions"
        }
        var batch: [String: Int]
        var maxBodyBytes: Int?
        var digest: Bool?
        var gzip: Bool?
        var recordDigests: Bool?
        var sleepNights: Bool?
        var sampleDeletions: Bool?
        var tombstones: Bool?
    }
}
