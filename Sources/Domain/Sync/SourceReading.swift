/// Whether a source says everything there is or only adds.
public enum SourceSemantics: String, Sendable, Codable {
    /// Says everything up to its export date: what it does not hold any more was deleted.
    case snapshot
    /// Adds and corrects, never deletes.
    case feed
}

/// A place in a file where something was not as it should be.
public struct SourceProblem: Sendable, Hashable, Codable {
    /// Bytes from the start of the (decompressed) file; `nil` where the file has no such place.
    public var byteOffset: Int64?
    /// What was met. Never holds a health value.
    public var what: String

    /// A problem at `byteOffset`.
    public init(byteOffset: Int64?, what: String) {
        self.byteOffset = byteOffset
        self.what = what
    }
}

/// The account of one reading. Nothing that was met is left out of it:
/// `recordsRead` = samples delivered + `notSelected` + the sum of `refused`; what is no sample is in `passedOver`.
public struct SourceReading: Sendable, Hashable, Codable {
    /// Sample records met.
    public var recordsRead: Int = 0
    /// Records of types that were not asked for.
    public var notSelected: Int = 0
    /// Records that could not be used, by reason.
    public var refused: [String: Int] = [:]
    /// What is no sample and is not read, by the name that the source gives it, such as `Workout`: how many there were.
    public var passedOver: [String: Int] = [:]
    /// Stretches skipped and liberties taken, the first hundred of them.
    public var problems: [SourceProblem] = []
    /// How many problems there were in all.
    public var problemCount: Int = 0
    /// Where the file broke off; `nil` when it was read to its end.
    public var incompleteAtByte: Int64?
    /// The instant up to which a snapshot says everything.
    public var exportDate: Instant?
    /// What the source states of the user's clocks, by instant: of neighbours with one offset the first and the last.
    public var statedOffsets: [StatedOffset] = []

    /// An account of nothing yet.
    public init() {}

    /// Whether the source was read to its end.
    public var isComplete: Bool { incompleteAtByte == nil }

    /// Counts `count` things of a kind that is not read. Of more than a hundred kinds the rest is counted together.
    public mutating func passOver(_ kind: String, count: Int = 1) {
        let name = passedOver[kind] != nil || passedOver.count < 100 ? kind : "other kinds"
        passedOver[name, default: 0] += count
    }

    /// Notes a problem, keeping only the first hundred.
    public mutating func note(_ what: String, at byteOffset: Int64?) {
        problemCount += 1
        if problems.count < 100 { problems.append(SourceProblem(byteOffset: byteOffset, what: what)) }
    }
}

/// By which a file is recognised without reading it: path, size, time of change and a digest of both its ends.
public struct SourceFingerprint: Sendable, Hashable {
    /// The absolute path.
    public var path: String
    /// Everything else, as an opaque text.
    public var content: String

    /// A fingerprint of the file at `path`.
    public init(path: String, content: String) {
        self.path = path
        self.content = content
    }
}
