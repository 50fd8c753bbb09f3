import HealthSyncDomain
import Synchronization

/// The samples of the series whose digests were requested most recently and whose pages are not in order of time, by cell.
/// Without it, each digest of a short interval would read most pages of such a series.
final class SampleCellCache: Sendable {
    /// The samples of the first pages of a series.
    struct Entry {
        let samples: SampleCells
        /// The position of the last page.
        let lastPage: Int64
        /// The count of `SeriesRewrites`.
        let rewrites: Int
        let file: FileIdentity?
    }

    private struct State {
        var entries: [Int64: (entry: Entry, lastUse: Int)] = [:]
        var bytes = 0
        var uses = 0
        var isFilling = false

        /// Makes room for `needed` bytes; returns whether no other series is being read.
        mutating func beginFilling(_ needed: Int) -> Bool {
            guard !isFilling else { return false }
            isFilling = true
            for (series, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
            where bytes + needed > SampleCellCache.byteLimit { remove(series) }
            return true
        }

        mutating func remove(_ series: Int64) {
            bytes -= entries.removeValue(forKey: series)?.entry.samples.byteCount ?? 0
        }
    }

    /// The memory of all samples: 2.4 million.
    static let byteLimit = 64 << 20

    let rewrites = SeriesRewrites()
    private let state = Mutex(State())

    /// Returns the samples of a series as of a count of rewrites.
    func entry(of series: Int64, rewrites: Int, file: FileIdentity?) -> Entry? {
        state.withLock { state in
            guard let entry = state.entries[series]?.entry else { return nil }
            guard entry.rewrites == rewrites, entry.file == file else {
                if entry.file != file || entry.rewrites < rewrites { state.remove(series) }
                return nil
            }
            state.uses += 1
            state.entries[series]?.lastUse = state.uses
            return entry
        }
    }

    /// Stores what `make` reads, unless another series is being read. `bytes` is the memory that it takes, for which the
    /// samples of other series are discarded.
    func fill(_ series: Int64, bytes: Int, _ make: () throws -> Entry?) throws -> Entry? {
        guard bytes <= Self.byteLimit, state.withLock({ $0.beginFilling(bytes) }) else { return nil }
        var made: Entry?
        defer {
            let made = made
            state.withLock { state in
                state.isFilling = false
                guard let made else { return }
                state.remove(series)
                state.uses += 1
                state.bytes += made.samples.byteCount
                state.entries[series] = (made, state.uses)
            }
        }
        made = try make()
        return made
    }
}

/// Counts when stored samples of a series are replaced or removed. Without such changes, its pages of at least
/// `UnwrittenSamples.largeEnough` samples and those before them stay as they are, so what was read from them can be kept.
///
/// The count is odd from before the first change of a transaction until after its commit. If it is even and equal before and
/// after a query began to read, the query sees all changes up to this count and none after it.
final class SeriesRewrites: Sendable {
    /// The counts at one time.
    struct Counts {
        fileprivate let counts: [Int64: Int]

        /// Returns the count of a series if it is also that of `later` and no change is in progress.
        func settled(of series: Int64, with later: Counts) -> Int? {
            let count = counts[series] ?? 0
            return count % 2 == 0 && count == later.counts[series] ?? 0 ? count : nil
        }
    }

    private let counts = Mutex<[Int64: Int]>([:])

    /// The present counts.
    var now: Counts { Counts(counts: counts.withLock { $0 }) }

    /// Notes that a transaction is about to replace or remove samples of a series.
    func begin(_ series: Int64) { counts.withLock { $0[series, default: 0] += 1 } }

    /// Notes that the transaction was committed or rolled back. Not called if its outcome is unknown.
    func end(_ series: some Sequence<Int64>) {
        counts.withLock { counts in
            for series in series { counts[series, default: 0] += 1 }
        }
    }
}
