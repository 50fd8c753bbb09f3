/// The times when the watch was off the wrist around one day.
struct WatchWear: Sendable, Hashable {
    /// The intervals off the wrist, which may overlap.
    var off: [Span]
    /// Whether the watch stayed on the charger all day.
    var isForgotten: Bool

    func isWorn(at instant: Int64) -> Bool { !off.contains { $0.contains(instant) } }

    func isWorn(during span: Span) -> Bool { !off.contains { $0.overlaps(span) } }
}
