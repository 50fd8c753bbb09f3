import HealthSyncDomain
import Synchronization

/// The indexes of the series that this process wrote most recently. An index is outside of it while it is used. If the
/// transaction fails, it is not put back, and the next one reads it again.
final class SeriesIndexes: Sendable {
    struct Key: Hashable {
        var userRow: Int32
        var series: Int32
    }

    private struct Entry {
        var index: SeriesIndex
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var size = 0
        var uses = 0

        mutating func remove(_ key: Key) -> SeriesIndex? {
            guard let entry = entries.removeValue(forKey: key) else { return nil }
            size -= entry.index.size
            return entry.index
        }
    }

    /// The memory of all indexes, in units of 8 bytes: 64 MB.
    private static let largestSize = 8_000_000

    private let state = Mutex(State())

    /// Removes and returns the index of a series.
    func take(_ key: Key) -> SeriesIndex? { state.withLock { $0.remove(key) } }

    /// Stores the index of a series, and discards the least recently used ones if they take too much memory.
    func put(_ index: SeriesIndex, for key: Key) {
        state.withLock { state in
            _ = state.remove(key)
            state.uses += 1
            state.size += index.size
            state.entries[key] = Entry(index: index, lastUse: state.uses)
            guard state.size > Self.largestSize else { return }
            // Frees a quarter, so that the entries are rarely sorted.
            for (old, _) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
            where state.size > Self.largestSize / 4 * 3 && old != key { _ = state.remove(old) }
        }
    }
}
