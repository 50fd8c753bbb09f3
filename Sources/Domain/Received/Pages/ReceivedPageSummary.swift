/// The part of a page of received samples that is readable without decoding it. Times are those of the samples that are
/// not deleted, in milliseconds since 1970, and 0 without such samples.
package struct ReceivedPageSummary: Hashable, Sendable {
    package var firstStart: Int64
    package var lastStart: Int64
    package var lastEnd: Int64
    /// The digest of the samples that are not deleted.
    package var digest: IntervalDigest
    /// The number of samples that are deleted or have a revision other than 0.
    package var revised: Int

    package init(of columns: ReceivedColumns) {
        var (first, last, end) = (Int64.max, Int64.min, Int64.min)
        digest = IntervalDigest()
        revised = 0
        for index in 0..<columns.count {
            let isDeleted = columns.marks[index].contains(.deleted)
            if isDeleted || columns.revisions[index] != 0 { revised += 1 }
            guard !isDeleted else { continue }
            digest.insert(columns.ids[index])
            first = min(first, columns.starts[index])
            last = max(last, columns.starts[index])
            end = max(end, columns.starts[index] + columns.lengths[index])
        }
        (firstStart, lastStart, lastEnd) = digest.count > 0 ? (first, last, end) : (0, 0, 0)
    }
}
