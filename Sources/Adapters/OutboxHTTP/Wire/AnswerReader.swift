import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Reads the bodies of answers; what is not of the expected form is `nil`, never half read.
enum AnswerReader {
    /// Results and counts; `nil` for a body that has neither.
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

    /// More records than any request holds.
    private static let largestCount = 1_000_000_000

    /// What the body of an error says: `title` and `detail`, `error` or `message`; `nil` where it says nothing.
    static func explanation(_ body: [UInt8]) -> String? {
        guard let problem = try? JSONDecoder().decode(ProblemBody.self, from: Data(body)) else { return nil }
        let words = [problem.title, problem.detail, problem.error, problem.message].compactMap(\.self)
        let said = words.filter { !$0.isEmpty }.joined(separator: ": ")
        return said.isEmpty ? nil : said
    }

    /// Whether the body of a 409 says that the record, not the request, is there already.
    static func saysAlreadyExists(_ body: [UInt8]) -> Bool {
        guard let text = explanation(body)?.lowercased() else { return false }
        return text.contains("exist") && !text.contains("progress") && !text.contains("key")
    }

    /// What the server can do, each request bounded by `largestBody` too; `nil` for a body that does not say.
    static func capabilities(_ body: [UInt8], largestBody: Int) -> DestinationCapabilities? {
        guard let answer = try? JSONDecoder().decode(CapabilitiesBody.self, from: Data(body)),
            !answer.batch.isEmpty, answer.batch.values.allSatisfy({ $0 > 0 }), answer.maxBodyBytes ?? 1 > 0
        else { return nil }
        var limits: [RecordKind: Int] = [:]
        for (name, limit) in answer.batch { limits[RecordKind(rawValue: name)] = limit }
        // The published form names no limit for snapshots, which every such server takes.
        limits[.snapshots] = limits[.snapshots] ?? limits[.progress]
        var capabilities = DestinationCapabilities(
            batchLimits: limits, maxBodyBytes: min(answer.maxBodyBytes ?? largestBody, largestBody),
            gzip: answer.gzip ?? false, tombstones: answer.tombstones ?? false, results: true)
        capabilities.digests = answer.digest ?? false
        capabilities.recordDigests = answer.recordDigests ?? false
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

    private struct ProblemBody: Decodable {
        var title: String?
        var detail: String?
        var error: String?
        var message: String?
    }

    private struct CapabilitiesBody: Decodable {
        enum CodingKeys: String, CodingKey {
            case batch, digest, gzip, tombstones
            case maxBodyBytes = "max_body_bytes"
            case recordDigests = "record_digests"
        }
        var batch: [String: Int]
        var maxBodyBytes: Int?
        var digest: Bool?
        var gzip: Bool?
        var recordDigests: Bool?
        var tombstones: Bool?
    }
}
