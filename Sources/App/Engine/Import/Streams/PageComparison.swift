import HealthSyncDomain

/// Decides which samples of the deliveries of a feed count on one page.
///
/// - Samples with an identifier, and events without length, count: nothing replaces them here.
/// - An entry without length, and a bucket of a feed whose deliveries do not keep their version, is replaced by another
///   value of the same start and length.
/// - Any other interval is replaced by what a later delivery states for the same start (`Restatement`).
struct PageComparison {
    /// The samples of a delivery on the page.
    struct Part {
        var columns: SampleColumns
        var version: Int64
        /// The position of the delivery.
        var order: Int
        /// `nil` for samples that belong to no delivery.
        var statement: FeedStatement?
    }

    /// How a sample is compared.
    private enum Kind {
        /// With nothing.
        case free
        /// By start and length.
        case exact
        /// By start.
        case restated
        /// As a part of a session of sleep.
        case session
    }

    /// What a sample measures.
    private struct Place: Hashable {
        var start: Int64
        /// `nil` if intervals of any length from the start measure the same.
        var duration: Int64?
        /// Time in bed and a stage of sleep may have the same times.
        var isInBed: Bool
    }

    /// A sample by its content.
    private struct Content: Hashable {
        var start: Int64
        var duration: Int64
        var value: Double

        init(_ columns: SampleColumns, _ row: Int) {
            (start, duration, value) = (columns.starts[row], columns.durations[row], columns.values[row])
        }
    }

    /// The position of a sample: its part and its row there.
    private struct Position: Hashable {
        var part: Int
        var row: Int
    }

    private let page: ArrivingPage
    private let parts: [Part]
    private let stored: SampleColumns
    private let isSleep: Bool
    /// Whether each sample of each part counts.
    private var counts: [[Bool]]
    private var replaced: Set<Int> = []
    private var repeated = 0
    private var clipped = 0

    /// `parts` are in the order of their versions.
    init(_ page: ArrivingPage, parts: [Part], stored: SampleColumns) {
        self.page = page
        self.parts = parts
        self.stored = stored
        isSleep = page.key.type == SampleTypeDefinition.sleepAnalysis.type
        counts = parts.map { [Bool](repeating: true, count: $0.columns.count) }
    }

    /// Drops samples of no delivery that are stored with the version of one: they are the same.
    mutating func dropStored() {
        guard !stored.details.isEmpty, parts.contains(where: { $0.statement == nil }) else { return }
        let known = Set(
            stored.details.filter { $0.value.externalID == nil && $0.value.syncVersion != nil }.keys.map {
                Content(stored, $0)
            })
        for (index, part) in parts.enumerated() where part.statement == nil {
            for row in part.columns.starts.indices where part.columns.details[row]?.externalID == nil {
                if known.contains(Content(part.columns, row)) { counts[index][row] = false }
            }
        }
    }

    /// Compares entries by start and length. `latest` returns the highest version of the stored deliveries that contain a
    /// start.
    mutating func compareExact(_ latest: (Int64) -> Int64) {
        var newest: [Place: Int] = [:]
        for (index, part) in parts.enumerated() {
            for row in part.columns.starts.indices where kind(of: part, row) == .exact {
                newest[place(part.columns, row, isOfAnyLength: false)] = index
            }
        }
        guard !newest.isEmpty else { return }
        let isPreAggregated = page.key.origin.isPreAggregated
        let unnamed = stored.starts.indices.filter { stored.details[$0]?.externalID == nil }
        let places = Set(unnamed.map { place(stored, $0, isOfAnyLength: false) })
        let unfinished = Set(
            unnamed.filter { UnfinishedBucket.isUnfinished(duration: stored.durations[$0]) }.map { stored.starts[$0] })
        var kept: [Place: Set<Double>] = [:]
        for (index, part) in parts.enumerated() {
            for row in part.columns.starts.indices where kind(of: part, row) == .exact {
                let place = place(part.columns, row, isOfAnyLength: false)
                let isNewest = newest[place].map { isSame(part, parts[$0]) } ?? false
                let isKnown = places.contains(place) || isPreAggregated && unfinished.contains(place.start)
                counts[index][row] = isNewest && (!isKnown || part.version >= latest(place.start))
                if counts[index][row] { kept[place, default: []].insert(part.columns.values[row]) }
            }
        }
        guard !isPreAggregated else { return }
        for row in unnamed {
            guard let values = kept[place(stored, row, isOfAnyLength: false)], !values.contains(stored.values[row])
            else { continue }
            replaced.insert(row)
        }
    }

    /// Compares intervals by start. A stored sample has the version of its delivery, or that which `latest` returns for its
    /// start.
    mutating func compareRestated(_ latest: (Int64) -> Int64) {
        var restatements: [Place: Restatement] = [:]
        var positions: [Position] = []
        for (index, part) in parts.enumerated() {
            for row in part.columns.starts.indices where kind(of: part, row) == .restated {
                restatements[place(part.columns, row, isOfAnyLength: true), default: Restatement()].add(
                    value: part.columns.values[row], end: part.columns.starts[row] + part.columns.durations[row],
                    row: positions.count, version: part.version, order: part.order)
                positions.append(Position(part: index, row: row))
            }
        }
        guard !restatements.isEmpty else { return }
        var storedRows: [Place: [Int]] = [:]
        var repetitions: [Place: [Int]] = [:]
        var versions: [Place: Int64] = [:]
        func addStored(_ row: Int, at place: Place, version: Int64) {
            restatements[place]?.add(
                value: stored.values[row], end: stored.starts[row] + stored.durations[row], row: row,
                version: version, order: FeedVersions.stored)
            storedRows[place, default: []].append(row)
        }
        for row in stored.starts.indices where stored.durations[row] > 0 && stored.isUnidentified(row) {
            let place = place(stored, row, isOfAnyLength: true)
            guard restatements[place] != nil else { continue }
            if stored.details[row]?.externalID != nil {
                repetitions[place, default: []].append(row)
                continue
            }
            let version = stored.details[row]?.syncVersion ?? latest(stored.starts[row])
            versions[place] = max(versions[place] ?? version, version)
            addStored(row, at: place, version: version)
        }
        // A repetition has the version of the event that it repeats.
        for (place, rows) in repetitions {
            for row in rows { addStored(row, at: place, version: versions[place] ?? latest(stored.starts[row])) }
        }
        for position in positions { counts[position.part][position.row] = false }
        for (place, restatement) in restatements {
            let (counting, clipping) = restatement.outcome(isSum: page.definition.kind == .cumulative)
            clipped += clipping.count
            guard let counting, !counting.isStored else { continue }
            for row in counting.rows { counts[positions[row].part][positions[row].row] = true }
            replaced.formUnion(storedRows[place] ?? [])
        }
    }

    /// Drops the samples of sessions that do not count.
    mutating func dropSessions(_ isOutdated: (Part, Int) -> Bool) {
        for (index, part) in parts.enumerated() where part.statement?.session != nil {
            for row in part.columns.starts.indices where kind(of: part, row) == .session {
                if isOutdated(part, row) { counts[index][row] = false }
            }
        }
    }

    /// Adds the result to `current`, whose replaced samples are not in `stored`.
    func finish(_ current: inout FeedVersions.Current) {
        for (part, counts) in zip(parts, counts) {
            let rows = counts.indices.filter { counts[$0] }
            current.outdated += counts.count - rows.count
            current.samples.append(part.columns.selecting(rows))
        }
        let arrived = Set(current.samples.starts.indices.map { Content(current.samples, $0) })
        for row in replaced {
            current.replaced.insert(stored, row)
            if arrived.contains(Content(stored, row)) { current.repeated += 1 }
        }
        current.clipped = clipped
    }

    private func isSame(_ part: Part, _ other: Part) -> Bool {
        part.version == other.version && part.order == other.order
    }

    private func kind(of part: Part, _ row: Int) -> Kind {
        guard let statement = part.statement, part.columns.isUnidentified(row) else { return .free }
        if statement.session != nil { return .session }
        if part.columns.durations[row] == 0 {
            return page.definition.kind == .cumulative && page.definition.counting == .events ? .free : .exact
        }
        return statement.keepsVersion || !page.key.origin.isPreAggregated ? .restated : .exact
    }

    private func place(_ columns: SampleColumns, _ row: Int, isOfAnyLength: Bool) -> Place {
        Place(
            start: columns.starts[row], duration: isOfAnyLength ? nil : columns.durations[row],
            isInBed: isSleep && columns.values[row] == 0)
    }
}

/// What the deliveries of a feed state for one start: the entries of a later delivery replace the earlier ones as a set.
///
/// A smaller sum that ends no later, of an interval that was over when the earlier sum was made, is that of a window which
/// clips the interval: it does not replace the earlier one.
private struct Restatement {
    /// The entries of one delivery.
    struct Entries {
        var version: Int64
        /// The position of the delivery; negative for what is stored.
        var order: Int
        var values: [Double] = []
        /// The latest end, in milliseconds since 1970.
        var end: Int64 = .min
        /// The positions of the entries among all that are compared.
        var rows: [Int] = []

        var isStored: Bool { order == FeedVersions.stored }

        /// The sum. Of entries that an earlier version of the program stored, which could not tell a restatement from a
        /// further entry, it is the largest value.
        var sum: Double {
            version == .min ? values.max() ?? 0 : values.sorted().reduce(0, +)
        }

        mutating func add(value: Double, end: Int64, row: Int) {
            values.append(value)
            self.end = max(self.end, end)
            rows.append(row)
        }

        /// Returns whether `later` states less of the same interval, which was over. When entries without a version were
        /// made is unknown: they count as made at the time of the later delivery.
        func isClipped(by later: Entries) -> Bool {
            later.sum < sum && later.end <= end && end <= (version == .min ? later.version : version)
        }
    }

    private var entries: [Entries] = []

    /// Adds an entry to those of its delivery.
    mutating func add(value: Double, end: Int64, row: Int, version: Int64, order: Int) {
        let place = entries.firstIndex { $0.version == version && $0.order == order } ?? entries.count
        if place == entries.count { entries.append(Entries(version: version, order: order)) }
        entries[place].add(value: value, end: end, row: row)
    }

    /// Returns the entries that count, and the positions of those that clip them. `isSum` tells whether the entries are
    /// sums.
    func outcome(isSum: Bool) -> (counting: Entries?, clipping: [Int]) {
        let inOrder = entries.sorted { ($0.version, $0.order) < ($1.version, $1.order) }
        guard var counting = inOrder.first else { return (nil, []) }
        var clipping: [Int] = []
        for later in inOrder.dropFirst() {
            if isSum, counting.isClipped(by: later) {
                if !later.isStored { clipping += later.rows }
            } else {
                counting = later
            }
        }
        return (counting, clipping)
    }
}
