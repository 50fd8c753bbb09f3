import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The parts of the stored data that are complete (decision 21), and those that a run completes.
///
/// A part is complete under certain rules. If a run has other rules, the whole part is compared again.
final class CompleteParts: Sendable {
    private let ports: EnginePorts
    private let known: DayRange
    /// Whether the run covers every known day, so that it may complete parts.
    let coversAll: Bool
    /// The digest of the start of each day of the known years, which is what zone rules determine.
    private let time: ContentDigest
    private let completed = Mutex<[CompletePart: ContentDigest]>([:])

    /// Creates the parts for a run over `days`; `nil` means all `known` days.
    init(ports: EnginePorts, clock: DayClock, known: DayRange, days: DayRange? = nil) {
        self.ports = ports
        self.known = known
        coversAll = days.map { $0.first <= known.first && known.last <= $0.last } ?? true
        time = ports.hasher.digest(Self.starts(of: known, by: clock))
    }

    /// Returns whether `part` needs no comparison.
    func isComplete(_ part: CompletePart, by rules: String) async throws -> Bool {
        try await ports.tracking.completeRules(of: part) == digest(rules)
    }

    /// Notes that the run compared all its days of `part` and stored every difference.
    func note(_ part: CompletePart, by rules: String) {
        guard coversAll else { return }
        let digest = digest(rules)
        completed.withLock { $0[part] = digest }
    }

    /// Stores the noted parts. After an interrupted run, everything is compared once more.
    func store() async throws {
        let parts = completed.withLock { $0 }
        if !parts.isEmpty { try await ports.tracking.setComplete(parts) }
    }

    private func digest(_ rules: String) -> ContentDigest { ports.hasher.digest(Array(rules.utf8) + time.bytes) }

    /// Covers whole years, so that a new day alone does not change the result.
    private static func starts(of known: DayRange, by clock: DayClock) -> [UInt8] {
        let years = (known.first.components.year, known.last.components.year)
        guard let first = CalendarDay(year: years.0, month: 1, day: 1),
            let last = CalendarDay(year: years.1, month: 12, day: 31), let days = DayRange(first, through: last)
        else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(days.count * 8)
        for day in days {
            withUnsafeBytes(of: clock.start(of: day).milliseconds.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}
