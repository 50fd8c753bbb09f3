/// The rules by which days are derived from samples: which instants belong to a day, and which origin counts.
public struct DerivationRules: Sendable {
    /// The user's clock. It determines which instants belong to a day, an hour or a night.
    public let clock: DayClock
    /// Which origin counts where several measured the same time.
    public let originPriority: OriginPriority
    private let zoneClock: @Sendable (String) -> DayClock?

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - clock: the user's clock.
    ///   - originPriority: the order of origins; by default by class of device.
    ///   - zoneClock: returns the clock of an IANA zone or a UTC offset, `nil` for an unknown name. By default every
    ///     name is unknown, so that all samples are counted by the user's clock.
    public init(
        clock: DayClock, originPriority: OriginPriority = OriginPriority(),
        zoneClock: @escaping @Sendable (String) -> DayClock? = { _ in nil }
    ) {
        self.clock = clock
        self.originPriority = originPriority
        self.zoneClock = zoneClock
    }

    /// Returns the clock of a sample that was recorded in the zone `name` (`HKTimeZone`); the user's clock for `nil` and
    /// for unknown names.
    public func clock(forZone name: String?) -> DayClock { name.flatMap(zoneClock) ?? clock }

    /// Returns the clock of the zone `name`; `nil` for an unknown name.
    package func statedClock(forZone name: String) -> DayClock? { zoneClock(name) }
}
