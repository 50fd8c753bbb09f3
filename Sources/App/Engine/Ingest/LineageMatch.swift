import HealthSyncDomain

/// How a snapshot relates to the samples of one lineage (decision 19).
struct LineageMatch {
    let line: Int
    /// Whether the lineage has an export of the same date: both are then parts of one snapshot.
    let isOfSameDate: Bool
    /// Samples that both contain.
    private(set) var shared = 0
    private var arriving = 0
    private var held = 0
    /// By type, the samples of the earlier of the two, and how many of them the later one lacks.
    private var earlier = 0
    private var lacking = 0
    /// Whether the lineage has no later export of any type.
    private var isLater = true

    init(line: Int, isOfSameDate: Bool) {
        self.line = line
        self.isOfSameDate = isOfSameDate
    }

    /// Whether the snapshot belongs to the lineage: the later of the two lacks at most a fifth of the earlier one. A
    /// later one that lacks more, but has a fifth of the lineage or shares a fifth of its own samples, may belong to it
    /// with too many deletions, and so may an empty one: the user has to decide.
    var isSameLineage: Bool {
        isOfSameDate || lacking * 5 <= earlier || isLater && shared * 5 >= min(arriving, held)
    }

    /// Counts a page: the new samples, those of the lineage, and the deleted ones. If the latest export of the type in
    /// the lineage is the later one, it covers what starts before `latest`.
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

    /// Counts a page without new samples.
    mutating func countUnseen(_ count: Int, isSuperseded: Bool) {
        held += count
        guard !isSuperseded else { return }
        earlier += count
        lacking += count
    }

    /// Whether `left` is a worse match than `right`; the older lineage wins a tie.
    static func isWorse(_ left: LineageMatch, _ right: LineageMatch) -> Bool {
        (left.isSameLineage ? 1 : 0, left.shared, -left.line) < (right.isSameLineage ? 1 : 0, right.shared, -right.line)
    }
}
