/// Samples of one type as they are delivered, each once, ascending by start and id: one array per field.
public struct RawSamples: Sendable {
    /// The id of each sample.
    public private(set) var ids: [SampleID] = []
    /// The start of each sample, in milliseconds since 1970.
    public private(set) var starts: [Int64] = []
    /// The length of each sample, in milliseconds.
    public private(set) var durations: [Int64] = []
    /// The value of each sample, in the unit of the type.
    public private(set) var values: [Double] = []
    /// The origin of each sample, as an index into `origins`.
    public private(set) var originIndices: [Int32] = []
    /// The origins of the samples.
    public private(set) var origins: [SampleOrigin] = []
    /// Whether any of the ids came from a source.
    private var hasSourceIDs = false

    package init() {}

    /// The number of samples.
    public var count: Int { ids.count }

    package var isEmpty: Bool { ids.isEmpty }

    /// Appends all samples of `columns` with their ids.
    package mutating func append(_ columns: SampleColumns, ids newIDs: [SampleID], origin: SampleOrigin) {
        let place = origins.firstIndex(of: origin) ?? origins.count
        if place == origins.count { origins.append(origin) }
        ids += newIDs
        starts += columns.starts
        durations += columns.durations
        values += columns.values
        originIndices += repeatElement(Int32(place), count: newIDs.count)
        if !columns.details.isEmpty { hasSourceIDs = true }
    }

    /// Returns the samples in order, with ids unique within a UTC day. If a source gave the same id to several
    /// samples of a day, the last one by start, length and value is kept.
    package func normalized() -> RawSamples {
        var order = Array(ids.indices)
        order.sort(by: precedes)
        if hasSourceIDs {
            var last: [DayID: Int] = [:]
            for row in order { last[DayID(id: ids[row], day: day(row))] = row }
            order = order.filter { last[DayID(id: ids[$0], day: day($0))] == $0 }
        } else {
            // A content-based id implies the start, so equal ids are adjacent.
            var kept: [Int] = []
            kept.reserveCapacity(order.count)
            for row in order where kept.last.map({ ids[$0] != ids[row] }) ?? true { kept.append(row) }
            order = kept
        }
        return order.count == count && order.elementsEqual(0..<count) ? self : selecting(order)
    }

    private struct DayID: Hashable {
        var id: SampleID
        var day: Int64
    }

    private func day(_ row: Int) -> Int64 { starts[row].flooredQuotient(by: CalendarDay.millisecondsPerDay) }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        if starts[left] != starts[right] { return starts[left] < starts[right] }
        let (first, second) = (ids[left], ids[right])
        if first != second { return (first.high, first.low) < (second.high, second.low) }
        return (durations[left], values[left], origins[Int(originIndices[left])].orderingText) < (
            durations[right], values[right], origins[Int(originIndices[right])].orderingText
        )
    }

    /// Returns the samples of `rows`, in that order.
    package func selecting(_ rows: [Int]) -> RawSamples {
        var result = RawSamples()
        result.ids = rows.map { ids[$0] }
        result.starts = rows.map { starts[$0] }
        result.durations = rows.map { durations[$0] }
        result.values = rows.map { values[$0] }
        result.originIndices = rows.map { originIndices[$0] }
        result.origins = origins
        result.hasSourceIDs = hasSourceIDs
        return result
    }

    /// Returns the rows that start within `range`. The samples must be in order.
    package func rows(in range: InstantRange) -> Range<Int> {
        place(of: range.start.milliseconds)..<place(of: range.end.milliseconds)
    }

    /// Returns whether the sample at `row` equals the one at `otherRow` of `other`.
    package func isSame(_ row: Int, as other: RawSamples, _ otherRow: Int) -> Bool {
        starts[row] == other.starts[otherRow] && durations[row] == other.durations[otherRow]
            && values[row] == other.values[otherRow]
            && origins[Int(originIndices[row])] == other.origins[Int(other.originIndices[otherRow])]
    }

    private func place(of milliseconds: Int64) -> Int {
        starts.partitionPoint { $0 < milliseconds }
    }
}
