import HealthSyncDomain

/// How a snapshot relates to what one line of exports holds (decision 19).
struct LineMatch {
    let line: Int
    /// Whether the line has an export of the very date: then both are parts of one.
    let isOfSameDate: Bool
    /// Samples that both hold.
    private(set) var shared = 0
    private var arriving = 0
    private var held = 0
    /// Samples of the earlier of the two, type by type, and how many of them the later one lacks.
    private var earlier = 0
    private var lacking = 0
    /// Whether no type was read in the line from a later export.
    private var isLater = true

    init(line: Int, isOfSameDate: Bool) {
        self.line = line
        self.isOfSameDate = isOfSameDate
    }

    /// Whether it is an export of the line: the later of the two lacks at most a fifth of the earlier one. A later one
    /// that lacks more, and yet holds a fifth of the line, or shares a fifth of itself, may be of the line with too many
    /// deletions, as is one that is empty: that is for the person to say.
    var isSameLine: Bool {
        isOfSameDate || lacking * 5 <= earlier || isLater && shared * 5 >= min(arriving, held)
    }

    /// Counts a page: what arrives, what the line holds, and what was deleted of it. The line's latest export of the type
    /// speaks of what starts up to `latest` where that one is later.
    mutating func count(
        _ fresh: SampleColumns, held own: SampleColumns, tombstones: SampleColumns, supersededUntil latest: Instant?
    ) {
        let missing = fresh.subtracting(own)
        shared += fresh.count - missing.count
        arriving += fresh.count
        held += own.count
        if let latest {
            isLater = false
            earlier += fresh.count
            lacking += missing.subtracting(tombstones).starts.count { $0 <= latest.milliseconds }
        } else {
            earlier += own.count
            lacking += own.count - (fresh.count - missing.count)
        }
    }

    /// Counts a page of which nothing arrives.
    mutating func countUnseen(_ count: Int, isSuperseded: Bool) {
        held += count
        guard !isSuperseded else { return }
        earlier += count
        lacking += count
    }

    /// Whether `left` is a worse match than `right`; of equals the line that is longer known is the better one.
    static func isWorse(_ left: LineMatch, _ right: LineMatch) -> Bool {
        (left.isSameLine ? 1 : 0, left.shared, -left.line) < (right.isSameLine ? 1 : 0, right.shared, -right.line)
    }
}
