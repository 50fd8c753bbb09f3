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
