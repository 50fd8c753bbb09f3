/// Matches the samples of one type and source name that several inputs contain.
struct SourceMatching {
    /// A sample, identified by page and row.
    struct Member: Hashable {
        let page: Int
        let row: Int
    }

    private struct Entry {
        /// Seconds since 1970, truncated.
        let start: Int64
        let end: Int64
        let member: Member
    }

    private let pages: [InputSamples]

    init(_ pages: [InputSamples]) {
        let keyed = pages.map { (page: $0, order: ($0.input, $0.origin.orderingText)) }
        self.pages = keyed.sorted { $0.order < $1.order }.map(\.page)
    }

    /// Returns each measurement once. Measurements in only one input are unchanged; the others are merged.
    func matched() -> [OriginSamples] {
        let entries = entries()
        var dropped = pages.map { [Bool](repeating: false, count: $0.columns.count) }
        var put: [SampleOrigin: SampleColumns] = [:]
        var first = 0
        while first < entries.count {
            var end = first + 1
            while end < entries.count, entries[end].start == entries[first].start,
                entries[end].end == entries[first].end
            {
                end += 1
            }
            if pages[entries[first].member.page].input != pages[entries[end - 1].member.page].input {
                let alive = withoutDeleted(entries[first..<end].map(\.member), dropped: &dropped)
                for cluster in clusters(of: alive) where cluster.count > 1 {
                    for member in cluster { dropped[member.page][member.row] = true }
                    let measurement = MatchedMeasurement(cluster.map { (pages[$0.page], $0.row) })
                    measurement.append(to: &put[measurement.origin, default: SampleColumns()])
                }
            }
            first = end
        }
        return kept(dropped) + put.map { OriginSamples(origin: $0.key, columns: $0.value) }
    }

    private func kept(_ dropped: [[Bool]]) -> [OriginSamples] {
        zip(pages, dropped).compactMap { page, dropped in
            guard !page.areDeleted else { return nil }
            guard dropped.contains(true) else { return OriginSamples(origin: page.origin, columns: page.columns) }
            let rows = dropped.indices.filter { !dropped[$0] }
            return rows.isEmpty ? nil : OriginSamples(origin: page.origin, columns: page.columns.selecting(rows))
        }
    }

    /// Returns all samples ordered by second of start, second of end, and input.
    private func entries() -> [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(pages.reduce(0) { $0 + $1.columns.count })
        for (page, samples) in pages.enumerated() {
            let columns = samples.columns
            for row in 0..<columns.count {
                let start = columns.starts[row]
                entries.append(
                    Entry(
                        start: start.flooredQuotient(by: 1000),
                        end: (start &+ columns.durations[row]).flooredQuotient(by: 1000),
                        member: Member(page: page, row: row)))
            }
        }
        entries.sort {
            if $0.start != $1.start { return $0.start < $1.start }
            if $0.end != $1.end { return $0.end < $1.end }
            return ($0.member.page, $0.member.row) < ($1.member.page, $1.member.row)
        }
        return entries
    }

    /// Returns the samples of the same second that are not deleted, and marks the others as dropped: for each deleted
    /// sample the nearest agreeing one of each other input.
    private func withoutDeleted(_ members: [Member], dropped: inout [[Bool]]) -> [Member] {
        guard members.contains(where: { pages[$0.page].areDeleted }) else { return members }
        var alive = members.filter { !pages[$0.page].areDeleted }.map(stated)
        for deletion in members.filter({ pages[$0.page].areDeleted }).map(stated) {
            for input in Set(alive.map { pages[$0.member.page].input })
            where input != pages[deletion.member.page].input {
                let agreeing = alive.indices.filter {
                    pages[alive[$0].member.page].input == input && alive[$0].agrees(with: deletion)
                }
                let nearest = agreeing.min { alive[$0].distance(to: deletion) < alive[$1].distance(to: deletion) }
                guard let nearest else { continue }
                let member = alive.remove(at: nearest).member
                dropped[member.page][member.row] = true
            }
        }
        return alive.map(\.member)
    }

    /// Groups samples of the same second into measurements. A measurement has at most one sample of each input.
    private func clusters(of members: [Member]) -> [[Member]] {
        var clusters = MeasurementClusters()
        var first = 0
        while first < members.count {
            let input = pages[members[first].page].input
            let end = members[first...].firstIndex { pages[$0.page].input != input } ?? members.count
            clusters.add(members[first..<end].map(stated))
            first = end
        }
        return clusters.members
    }

    private func stated(_ member: Member) -> StatedValue {
        StatedValue(
            member: member, value: pages[member.page].columns.values[member.row],
            precision: pages[member.page].precision(member.row))
    }
}

/// One measurement that several inputs contain, merged from the best part of each.
///
/// Times and value come from the sample with the finer times, then from one with an identity, then from the one that
/// keeps more digits, or that an export would have rounded to its own value. Identity, zone and further details that it
/// lacks come from the others. The origin is the most specific one: entered by the user, then with a device.
private struct MatchedMeasurement {
    typealias Part = (samples: InputSamples, row: Int)

    /// The samples of the measurement, best first.
    private let parts: [Part]
    let origin: SampleOrigin

    /// Creates a measurement from at least one sample. Of equally good samples, the earlier one is preferred.
    init(_ parts: [Part]) {
        let ranks = parts.map { Rank($0) }
        var order = parts.indices.sorted { left, right in
            ranks[left] == ranks[right] ? left < right : ranks[right] < ranks[left]
        }
        let first = order[0]
        // A feed writes the full double, which may be short. A value that an export would have rounded to its own is
        // more exact than the export's, however few digits it has.
        if parts[first].samples.isExport,
            let place = order.indices.first(where: { place in
                let other = order[place]
                let distance = (Self.value(parts[other]) - Self.value(parts[first])).magnitude
                return !parts[other].samples.isExport && ranks[other].isAsGood(as: ranks[first])
                    && distance <= ranks[first].half
            })
        {
            order.insert(order.remove(at: place), at: 0)
        }
        self.parts = order.map { parts[$0] }
        var best = parts[0].samples.origin
        for part in parts.dropFirst() where Self.isMoreSpecific(part.samples.origin, than: best) {
            best = part.samples.origin
        }
        origin = best
    }

    /// Appends the measurement as one sample.
    func append(to columns: inout SampleColumns) {
        let best = parts[0]
        columns.append(
            start: best.samples.columns.starts[best.row], duration: best.samples.columns.durations[best.row],
            value: best.samples.columns.values[best.row],
            zoneName: parts.lazy.compactMap { $0.samples.columns.zoneName($0.row) }.first, detail: detail)
    }

    private var detail: SampleDetail? {
        var result: SampleDetail?
        for part in parts {
            guard let detail = part.samples.columns.details[part.row] else { continue }
            result = result?.completed(by: detail) ?? detail
        }
        return result
    }

    private static func value(_ part: Part) -> Double { part.samples.columns.values[part.row] }

    private struct Rank: Comparable {
        let isFine: Bool
        let hasIdentity: Bool
        /// Half of the last digit of the value.
        let half: Double

        init(_ part: Part) {
            let columns = part.samples.columns
            isFine = columns.starts[part.row] % 1000 != 0 || columns.durations[part.row] % 1000 != 0
            hasIdentity = columns.details[part.row]?.externalID != nil
            half = part.samples.precision(part.row).half
        }

        /// Returns whether times and identity are as good, whatever the value.
        func isAsGood(as other: Rank) -> Bool { isFine == other.isFine && hasIdentity == other.hasIdentity }

        static func < (left: Rank, right: Rank) -> Bool {
            if left.isFine != right.isFine { return right.isFine }
            if left.hasIdentity != right.hasIdentity { return right.hasIdentity }
            return left.half > right.half
        }
    }

    private static func isMoreSpecific(_ origin: SampleOrigin, than other: SampleOrigin) -> Bool {
        if origin.isUserEntered != other.isUserEntered { return origin.isUserEntered }
        if origin.device.isEmpty != other.device.isEmpty { return other.device.isEmpty }
        return origin.orderingText < other.orderingText
    }
}

extension SampleDetail {
    /// Returns the detail with missing members filled in from `other`.
    fileprivate func completed(by other: SampleDetail) -> SampleDetail {
        SampleDetail(
            externalID: externalID ?? other.externalID,
            syncVersion: externalID == nil ? other.syncVersion : syncVersion,
            minimum: minimum ?? other.minimum, maximum: maximum ?? other.maximum,
            measurementCount: measurementCount ?? other.measurementCount,
            stateMilliseconds: stateMilliseconds ?? other.stateMilliseconds)
    }
}

/// Groups the samples of several inputs, which have the same times, into measurements with at most one sample of each
/// input. The samples of a group agree with each other, and the nearest pair is joined first.
private struct MeasurementClusters {
    /// A sample is compared with this many groups on each side of its value, which bounds the time that any number of
    /// samples of one second takes.
    private static let mostNeighbors = 64

    private struct Cluster {
        var parts: [StatedValue]
        /// The part that keeps most digits.
        var best: StatedValue

        init(_ part: StatedValue) { (parts, best) = ([part], part) }

        mutating func append(_ part: StatedValue) {
            parts.append(part)
            if part.precision.half < best.precision.half { best = part }
        }
    }

    private struct Pair {
        let distance: Double
        let part: Int
        let cluster: Int
    }

    private var clusters: [Cluster] = []

    /// The samples of each measurement.
    var members: [[SourceMatching.Member]] { clusters.map { $0.parts.map(\.member) } }

    /// Adds all samples of one input.
    mutating func add(_ parts: [StatedValue]) {
        guard !clusters.isEmpty else {
            clusters = parts.map(Cluster.init)
            return
        }
        var waiting = parts.sorted {
            ($0.value, $0.member.page, $0.member.row) < ($1.value, $1.member.page, $1.member.row)
        }
        var open = clusters.indices.sorted { (clusters[$0].best.value, $0) < (clusters[$1].best.value, $1) }
        joinEqual(&waiting, &open)
        var isJoined = [Bool](repeating: false, count: waiting.count)
        var isOpen = [Bool](repeating: true, count: clusters.count)
        for pair in pairs(waiting, open) where !isJoined[pair.part] && isOpen[pair.cluster] {
            clusters[pair.cluster].append(waiting[pair.part])
            isJoined[pair.part] = true
            isOpen[pair.cluster] = false
        }
        for (place, part) in waiting.enumerated() where !isJoined[place] { clusters.append(Cluster(part)) }
    }

    /// Joins samples with groups of the same value, and removes both. Both are ordered by value.
    private mutating func joinEqual(_ waiting: inout [StatedValue], _ open: inout [Int]) {
        var left: [StatedValue] = []
        var unjoined: [Int] = []
        var place = 0
        for part in waiting {
            while place < open.count, clusters[open[place]].best.value < part.value {
                unjoined.append(open[place])
                place += 1
            }
            if place < open.count, clusters[open[place]].best.value == part.value {
                clusters[open[place]].append(part)
                place += 1
            } else {
                left.append(part)
            }
        }
        (waiting, open) = (left, unjoined + open[place...])
    }

    /// Returns the agreeing pairs of samples and groups, nearest first.
    private func pairs(_ waiting: [StatedValue], _ open: [Int]) -> [Pair] {
        var pairs: [Pair] = []
        for (place, part) in waiting.enumerated() {
            let middle = open.partitionPoint { clusters[$0].best.value < part.value }
            let first = max(0, middle - Self.mostNeighbors)
            for cluster in open[first..<min(open.count, middle + Self.mostNeighbors)]
            where clusters[cluster].parts.allSatisfy({ $0.agrees(with: part) }) {
                pairs.append(
                    Pair(distance: part.distance(to: clusters[cluster].best), part: place, cluster: cluster))
            }
        }
        return pairs.sorted { ($0.distance, $0.part, $0.cluster) < ($1.distance, $1.part, $1.cluster) }
    }
}

/// The value of a sample, and how exactly its source states it.
struct StatedValue {
    let member: SourceMatching.Member
    let value: Double
    let precision: ValuePrecision

    /// Returns whether both may be the value of one measurement.
    func agrees(with other: StatedValue) -> Bool {
        ValueAgreement.agree(value, precision, other.value, other.precision)
    }

    func distance(to other: StatedValue) -> Double { (value - other.value).magnitude }
}
