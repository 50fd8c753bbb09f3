public import HealthSyncDomain

/// The information that a format may use to interpret a source.
public struct SourceContext: Sendable {
    /// The user's calendar days, for times that a source states without an offset.
    public var clock: DayClock
    /// All known types with their units, including those of plug-ins.
    public var types: SampleTypeTable

    /// Creates a context with this clock and these types.
    public init(clock: DayClock, types: SampleTypeTable = .builtIn()) {
        self.clock = clock
        self.types = types
    }
}
