import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

extension FileFormat {
    /// Files with one JSON object per line and one sample per object. `hasher` digests both ends of a file for its
    /// fingerprint, and finds ids that follow from the content.
    static func jsonLines(hasher: any ContentHasher) -> FileFormat {
        FileFormat("JSON Lines file of samples") { path, _, _ in
            guard try !FileStatus(path: path).isFolder, holdsSample(try SourceHead(path: path).text) else { return [] }
            return [JSONLinesSource(path: path, hasher: hasher)]
        }
    }

    /// Returns whether one of the first lines is an object with a member that only samples have.
    private static func holdsSample(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: 0x0A).prefix(100).contains { line in
            var cursor = JSONCursor(Array(line))
            do throws(JSONCursor.Broken) {
                guard try cursor.enterObject() else { return false }
                var isFirst = true
                while let name = try cursor.nextMember(first: isFirst) {
                    if name == "startDate" || name == "sourceBundleId" { return true }
                    isFirst = false
                    _ = try cursor.skipValue()
                }
                return false
            } catch {
                return false
            }
        }
    }
}

/// A JSON Lines file: one JSON object per line, one sample per object (`docs/formats.md`).
///
/// `healthsync export --format jsonl` writes this form, and any script can produce it. Unusable lines are rejected one
/// by one with a reason and a byte offset.
package struct JSONLinesSource: HealthDataSource {
    package let location: String
    private let hasher: any ContentHasher

    /// Creates a source for the file at `path`; `hasher` identifies uuids that follow from the content.
    package init(path: String, hasher: any ContentHasher) {
        location = path
        self.hasher = hasher
    }

    package var provider: String { "jsonLines" }
    package var semantics: SourceSemantics { .feed }

    package func fingerprint() async throws -> SourceFingerprint {
        try await BlockingWork.run { _ in
            try FileFingerprint(hasher: hasher).fingerprint(of: ReadableFile(path: location))
        }
    }

    package func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        try await BlockingWork.run { cancellation in
            var lines = try JSONLineReader(ReadableFile(path: location))
            var reading = JSONLinesReading(
                selection, hasher: hasher, delivery: SampleDelivery(cancellation: cancellation, receive: receive))
            while let line = try lines.next() {
                try cancellation.check()
                try reading.take(line)
            }
            guard !reading.isForeign else { throw foreign }
            try reading.finish()
            return reading.account
        }
    }

    private var foreign: SyncFailure {
        SyncFailure(
            .badInput, subject: location, reason: "contains no line that is a JSON object",
            advice: "specify a file with one JSON object per line, as written by `healthsync export --format jsonl`")
    }
}

/// A pass over a file of JSON lines, with its account.
private struct JSONLinesReading {
    private(set) var account = SourceReading()
    private var meaning: JSONLineMeaning
    private var delivery: SampleDelivery
    private let decoder = JSONDecoder()
    private var foundObject = false
    private var foundOther = false
    private var offsets = OffsetNotes()
    /// The lines that identify no sample. A file does not state when it was made.
    private static let lines = FeedStatement(version: FeedStatement.onImport, intervals: [], keepsVersion: true)

    init(_ selection: SampleSelection, hasher: any ContentHasher, delivery: SampleDelivery) {
        meaning = JSONLineMeaning(selection, hasher: hasher)
        self.delivery = delivery
    }

    /// Whether there are lines, and none of them is a JSON object.
    var isForeign: Bool { foundOther && !foundObject }

    mutating func take(_ line: JSONLineReader.Line) throws {
        guard let bytes = line.bytes else {
            if line.isTerminated { reject("line over 1 MiB", at: line.offset) } else { breakOff(at: line.offset) }
            return
        }
        guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
        switch Self.content(of: bytes, decoder) {
        case .object(let fields): try deliver(fields, at: line.offset)
        case .faultyObject(let reason): reject(reason, at: line.offset)
        case .other(let reason):
            foundOther = foundOther || line.isTerminated || bytes.first != 0x7B
            if line.isTerminated { reject(reason, at: line.offset) } else { breakOff(at: line.offset) }
            return
        }
        foundObject = true
    }

    /// Delivers the remaining samples.
    mutating func finish() throws {
        account.statedOffsets = offsets.ends
        if let problem = delivery.zoneProblem { account.note(problem, at: nil) }
        try delivery.flush()
    }

    private mutating func deliver(_ fields: JSONLine, at offset: Int64) throws {
        do {
            guard let sample = try meaning.sample(of: fields) else {
                account.recordsRead += 1
                account.countNotSelected(meaning.typeName(of: fields))
                return
            }
            account.recordsRead += 1
            offsets.note(fields.startDate, Self.offset)
            try begin(sample, isIdentified: fields.isIdentified)
            try delivery.add(sample)
        } catch let rejected as RejectedRecord {
            reject(rejected.reason, rejected.detail, at: offset)
        }
    }

    /// Returns the offset of a time. Programs write instants in UTC, so that an offset of 0 is no evidence.
    private static func offset(_ text: String) -> StatedOffset? {
        guard let instant = RFC3339.instant(text), let seconds = UTCOffset.seconds(text.suffix(6)), seconds != 0
        else { return nil }
        return StatedOffset(instant: instant, seconds: seconds)
    }

    private mutating func begin(_ sample: SampleDelivery.Sample, isIdentified: Bool) throws {
        try delivery.begin(statement: isIdentified ? nil : 0)
        guard !isIdentified else { return }
        if account.statements.isEmpty { account.statements = [Self.lines] }
        if sample.interval.isEmpty { account.statements[0].include(sample.definition.type, sample.interval) }
    }

    private mutating func reject(_ reason: String, _ detail: String? = nil, at offset: Int64) {
        account.recordsRead += 1
        account.rejected[reason, default: 0] += 1
        account.note("line rejected: \(detail ?? reason)", at: offset)
    }

    private mutating func breakOff(at offset: Int64) {
        account.incompleteAtByte = offset
        account.note("the file ends in the middle of a line", at: offset)
    }

    private enum Content {
        case object(JSONLine)
        case faultyObject(String)
        case other(String)
    }

    private static func content(of bytes: Data, _ decoder: JSONDecoder) -> Content {
        // The decoder would interpret bytes with zeros between them as UTF-16 or UTF-32.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return .other("not UTF-8") }
        if JSONCursor.repeatedMember(in: Array(bytes)) != nil { return .faultyObject(RejectedRecord.repeatedMember) }
        do {
            return .object(try decoder.decode(JSONLine.self, from: bytes))
        } catch {
            let reason = RejectedRecord(error).reason
            return isAboutField(error) ? .faultyObject(reason) : .other(reason)
        }
    }

    private static func isAboutField(_ error: any Error) -> Bool {
        switch error as? DecodingError {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            !context.codingPath.isEmpty
        default: false
        }
    }
}
