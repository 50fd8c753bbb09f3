/// Whether a source is complete or incremental.
public enum SourceSemantics: String, Sendable, Codable {
    /// Contains everything up to the export date: samples that it no longer contains were deleted.
    case snapshot
    /// Adds and corrects samples, but never deletes any.
    case feed
    /// Adds samples, and deletes those that it names by their identifier or that a complete window lacks.
    case changes
}

/// A problem at a position in a file.
public struct SourceProblem: Sendable, Hashable, Codable {
    /// The position in bytes from the start of the (decompressed) file; `nil` if it has none.
    public var byteOffset: Int64?
    /// A description of the problem. Never contains a health value.
    public var what: String

    /// Creates a problem at `byteOffset`.
    public init(byteOffset: Int64?, what: String) {
        self.byteOffset = byteOffset
        self.what = what
    }
}

/// The totals of reading one source. They are complete: `recordsRead` = samples delivered + `notSelected` + the sum
/// of `rejected`. Elements that are not samples are counted in `skippedElements`.
public struct SourceReading: Sendable, Hashable, Codable {
    /// The number of sample records found.
    public var recordsRead: Int = 0
    /// Records of types that were not requested.
    public var notSelected: Int = 0
    /// The records in `notSelected` by the name of their type, as far as `countNotSelected` named it.
    public private(set) var notSelectedTypes: [String: Int] = [:]
    /// Records that could not be used, by reason.
    public var rejected: [String: Int] = [:]
    /// Elements that are not samples and were skipped: their number by name in the source, such as `Workout`.
    public var skippedElements: [String: Int] = [:]
    /// The first hundred problems: bytes skipped and deviations tolerated.
    public var problems: [SourceProblem] = []
    /// The total number of problems.
    public var problemCount: Int = 0
    /// The byte offset of the first place at which data are missing, because the file ends too early or is damaged there; `nil`
    /// if everything was read.
    public var incompleteAtByte: Int64?
    /// The instant up to which a snapshot is complete.
    public var exportDate: Instant?
    /// The UTC offsets that the source contains, by instant. Of consecutive equal offsets only the first and the last
    /// are kept.
    public var statedOffsets: [StatedOffset] = []
    /// The deleted samples of a change stream. A deletion applies whether the sample arrives before or after it.
    public var deletions: [DeletedSample] = []
    /// The complete windows of a change stream.
    public var windows: [CompleteWindow] = []
    /// The parts of complete windows of a change stream, which other readings may complete.
    package var windowParts: [WindowPart] = []
    /// The records of a change stream of which this reading states all samples.
    package var statedRecords: [StatedRecord] = []
    /// The deliveries of a feed, in the order of reading; empty if the order of reading decides.
    package var statements: [FeedStatement] = []
    /// The numbers of the deliveries of a change stream, if it numbers them.
    public var deliveries: [DeliveryNumber] = []

    /// Creates totals of zero.
    public init() {}

    /// Whether everything in the source was read.
    public var isComplete: Bool { incompleteAtByte == nil }

    /// Counts `count` records of the type called `type`, which is not selected. After a hundred types, the records of others are
    /// counted without their names.
    public mutating func countNotSelected(_ type: String, count: Int = 1) {
        notSelected += count
        name(type, count)
    }

    /// Adds the records of `other` that are not selected.
    package mutating func addNotSelected(of other: SourceReading) {
        notSelected += other.notSelected
        for (type, count) in other.notSelectedTypes { name(type, count) }
    }

    private mutating func name(_ type: String, _ count: Int) {
        let type = String(type.prefix(100))
        guard notSelectedTypes[type] != nil || notSelectedTypes.count < 100 else { return }
        notSelectedTypes[type, default: 0] += count
    }

    /// Counts `count` skipped elements. After a hundred kinds, the others are counted together.
    public mutating func countSkipped(_ kind: String, count: Int = 1) {
        let name = skippedElements[kind] != nil || skippedElements.count < 100 ? kind : "other kinds"
        skippedElements[name, default: 0] += count
    }

    /// Adds a problem. Only the first hundred are kept.
    public mutating func note(_ what: String, at byteOffset: Int64?) {
        problemCount += 1
        if problems.count < 100 { problems.append(SourceProblem(byteOffset: byteOffset, what: what)) }
    }
}

/// The identity of a file without reading it: path, size, modification time and a digest of its first and last bytes.
public struct SourceFingerprint: Sendable, Hashable {
    /// The absolute path.
    public var path: String
    /// Everything else, as an opaque text.
    public var content: String

    /// Creates a fingerprint of the file at `path`.
    public init(path: String, content: String) {
        self.path = path
        self.content = content
    }
}
