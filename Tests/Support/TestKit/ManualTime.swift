public import HealthSyncDomain
public import HealthSyncPorts
import Synchronization

/// A manual clock for tests. Waiting advances it and returns at once.
public final class ManualTime: TimeSource {
    private let instant: Mutex<Instant>
    private let zoneName: String

    /// Creates a clock at `instant` in the zone named `zoneName`.
    public init(_ instant: Instant = Instant(seconds: 1_700_000_000), zoneName: String = "UTC") {
        self.instant = Mutex(instant)
        self.zoneName = zoneName
    }

    /// Advances the clock.
    public func advance(milliseconds: Int64) {
        instant.withLock { $0 = $0.advanced(byMilliseconds: max(0, milliseconds)) }
    }

    /// Returns the current instant of the clock.
    public func now() -> Instant { instant.withLock { $0 } }

    /// Advances the clock by `milliseconds`.
    public func wait(milliseconds: Int64) async throws {
        try Task.checkCancellation()
        advance(milliseconds: milliseconds)
    }

    /// Returns the zone of the clock.
    public func systemZoneName() -> String { zoneName }
}
