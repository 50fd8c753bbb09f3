/// Samples of one user and type as columns, as a receiving server stores them in pages.
package struct ReceivedColumns: Hashable, Sendable {
    /// The maximum number of samples in a page.
    package static let largestPage = 4_096

    package var ids: [SampleID] = []
    /// Milliseconds since 1970.
    package var starts: [Int64] = []
    /// Milliseconds from start to end, never negative.
    package var lengths: [Int64] = []
    package var values: [Double] = []
    /// Row ids of origins in the store; 0 for none.
    package var origins: [Int64] = []
    package var revisions: [Int64] = []
    package var marks: [ReceivedMarks] = []

    package init() {}

    package var count: Int { ids.count }

    /// Reserves capacity for `count` samples.
    package mutating func reserve(_ count: Int) {
        ids.reserveCapacity(count)
        starts.reserveCapacity(count)
        lengths.reserveCapacity(count)
        values.reserveCapacity(count)
        origins.reserveCapacity(count)
        revisions.reserveCapacity(count)
        marks.reserveCapacity(count)
    }

    /// Appends a sample. `origin` is the row id of its origin in the store.
    package mutating func append(_ sample: ReceivedSample, origin: Int64) {
        ids.append(sample.id)
        starts.append(sample.start.milliseconds)
        lengths.append(sample.end.milliseconds - sample.start.milliseconds)
        values.append(sample.value)
        origins.append(origin)
        revisions.append(sample.revision)
        marks.append(ReceivedMarks(sample))
    }

    /// Appends the samples of `other`.
    package mutating func append(_ other: ReceivedColumns) {
        ids += other.ids
        starts += other.starts
        lengths += other.lengths
        values += other.values
        origins += other.origins
        revisions += other.revisions
        marks += other.marks
    }

    /// Replaces the sample at `index` by another revision.
    package mutating func replace(at index: Int, by sample: ReceivedSample, origin: Int64) {
        starts[index] = sample.start.milliseconds
        lengths[index] = sample.end.milliseconds - sample.start.milliseconds
        values[index] = sample.value
        origins[index] = origin
        revisions[index] = sample.revision
        marks[index] = ReceivedMarks(sample)
    }

    /// Returns the sample at `index`; `origin` is the index into the origins of a batch.
    package func sample(at index: Int, origin: Int) -> ReceivedSample {
        ReceivedSample(
            id: ids[index], start: Instant(milliseconds: starts[index]),
            end: Instant(milliseconds: starts[index] + lengths[index]), value: values[index],
            revision: revisions[index], origin: origin, isDeleted: marks[index].contains(.deleted),
            isUppercase: marks[index].contains(.uppercase))
    }

    /// Returns whether the sample at `index` is not deleted and starts within `interval`, if given.
    package func isAlive(at index: Int, in interval: InstantRange?) -> Bool {
        guard !marks[index].contains(.deleted) else { return false }
        guard let interval else { return true }
        return starts[index] >= interval.start.milliseconds && starts[index] < interval.end.milliseconds
    }

    /// Returns the digest of the ids of the samples that are not deleted and start within `interval`.
    package func digest(in interval: InstantRange?) -> IntervalDigest {
        var digest = IntervalDigest()
        for index in 0..<count where isAlive(at: index, in: interval) { digest.insert(ids[index]) }
        return digest
    }

    /// Returns the digest of ids and contents of these samples.
    package func setDigest(in interval: InstantRange?) -> SampleSetDigest {
        var digest = SampleSetDigest()
        for index in 0..<count where isAlive(at: index, in: interval) {
            digest.insert(ids[index], start: starts[index], end: starts[index] + lengths[index], value: values[index])
        }
        return digest
    }

    /// Returns the samples divided into pages.
    package func pages() -> [ReceivedColumns] {
        guard count > Self.largestPage else { return count > 0 ? [self] : [] }
        return stride(from: 0, to: count, by: Self.largestPage).map { first in
            let range = first..<min(count, first + Self.largestPage)
            var page = ReceivedColumns()
            page.ids = Array(ids[range])
            page.starts = Array(starts[range])
            page.lengths = Array(lengths[range])
            page.values = Array(values[range])
            page.origins = Array(origins[range])
            page.revisions = Array(revisions[range])
            page.marks = Array(marks[range])
            return page
        }
    }
}

/// The flags of a sample in a page.
package struct ReceivedMarks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sample is a tombstone.
    package static let deleted = ReceivedMarks(rawValue: 1)
    /// The client writes the id in capital letters.
    fileprivate static let uppercase = ReceivedMarks(rawValue: 2)

    init(_ sample: ReceivedSample) {
        var marks: ReceivedMarks = []
        if sample.isDeleted { marks.insert(.deleted) }
        if sample.isUppercase { marks.insert(.uppercase) }
        self = marks
    }
}

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
