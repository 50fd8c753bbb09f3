/// The stored zones of the derived days.
package struct StoredDayZones: Sendable, Hashable {
    package var zones: DayZones
    /// Whether all stored days were derived with `zones`. False while a run recomputes them.
    package var isWhole: Bool

    package init(zones: DayZones, isWhole: Bool) {
        self.zones = zones
        self.isWhole = isWhole
    }
}
