/// What is remembered of how stored days were counted.
package struct CountedDays: Sendable, Hashable {
    package var zones: DayZones
    /// Whether all stored days were counted by `zones`; false between the beginning and the end of a run that counts them
    /// anew.
    package var isWhole: Bool

    package init(zones: DayZones, isWhole: Bool) {
        self.zones = zones
        self.isWhole = isWhole
    }
}
