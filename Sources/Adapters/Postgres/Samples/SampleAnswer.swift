import HealthSyncDomain

/// A page of samples that is assembled in the order of positions.
struct SampleAnswer {
    let interval: InstantRange?
    let limit: Int
    /// The first position that was not considered yet.
    private(set) var next: Int64
    /// Whether there are more samples than the limit.
    private(set) var isFull = false
    private var samples: [ReceivedSample] = []
    private var last: Int64?
    /// The indexes of the answer's origins by row.
    private var origins: [Int64: Int] = [:]

    init(after: Int64, interval: InstantRange?, limit: Int) {
        self.interval = interval
        self.limit = limit
        next = after < .max ? after + 1 : after
    }

    /// The rows of all origins in the order of their indexes.
    var originRows: [Int64] { origins.sorted { $0.value < $1.value }.map(\.key) }

    /// Adds the matching samples of a stored page.
    mutating func add(_ page: PositionedPage) {
        for index in page.index(from: next)..<page.columns.count where !isFull {
            if page.columns.isAlive(at: index, in: interval) {
                add(
                    page.columns.sample(at: index, origin: 0), at: page.position(at: index),
                    origin: page.columns.origins[index])
            }
        }
        if !isFull { next = max(next, page.span.last + 1) }
    }

    /// Adds a stored sample if it matches. `origin` is the row of its origin; 0 for none.
    mutating func add(_ sample: ReceivedSample, at position: Int64, origin: Int64) {
        guard !isFull else { return }
        guard matches(sample) else {
            next = position + 1
            return
        }
        guard samples.count < limit else {
            isFull = true
            return
        }
        var sample = sample
        sample.origin = -1
        if origin != 0 {
            sample.origin = origins[origin] ?? origins.count
            origins[origin] = sample.origin
        }
        samples.append(sample)
        last = position
        next = position + 1
    }

    private func matches(_ sample: ReceivedSample) -> Bool {
        guard !sample.isDeleted, let interval else { return !sample.isDeleted }
        return sample.start >= interval.start && sample.start < interval.end
    }

    /// Returns the answer with the contents of its origins.
    func page(origins contents: [Int64: ReceivedOrigin]) -> ReceivedSamplePage {
        let missing = ReceivedOrigin(bundleID: "", deviceName: nil, unit: "")
        return ReceivedSamplePage(
            batch: ReceivedSampleBatch(origins: originRows.map { contents[$0] ?? missing }, samples: samples),
            next: isFull ? last : nil)
    }
}
