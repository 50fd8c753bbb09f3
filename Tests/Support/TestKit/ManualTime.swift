public import HealthSyncDomain
public import HealthSyncPorts
import Synchronization

/// A clock that a test sets. Waiting moves it on and returns at once.
public final class ManualTime: TimeSource {
    private let instant: Mutex<Instant>
    private let zoneName: String

    /// A clock that stands at `instant` in the zone named `zoneName`.
    public init(_ instant: Instant = Instant(seconds: 1_700_000_000), zoneName: String = "UTC") {
        self.instant = Mutex(instant)
        self.zoneName = zoneName
    }

    /// Moves the clock on.
    public func advance(milliseconds: Int64) {
        instant.withLock { $0 = $0.advanced(byMilliseconds: max(0, milliseconds)) }
    }

    /// Where the clock stands.
    public func now() -> Instant { instant.withLock { $0 } }

    /// Moves the clock on by `milliseconds`.
    public func wait(milliseconds: Int64) async throws {
        try Task.checkCancellation()
        advance(milliseconds: milliseconds)
    }

    /// The zone it was made with.
    public func systemZoneName() -> String { zoneName }
}
