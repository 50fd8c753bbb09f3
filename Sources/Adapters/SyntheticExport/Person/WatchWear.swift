/// When the watch was off the wrist around one day.
struct WatchWear: Sendable, Hashable {
    /// May overlap.
    var off: [Span]
    /// Whether it stayed on the charger from morning to night.
    var isForgotten: Bool

    func isWorn(at instant: Int64) -> Bool { !off.contains { $0.contains(instant) } }

    func isWorn(during span: Span) -> Bool { !off.contains { $0.overlaps(span) } }
}
