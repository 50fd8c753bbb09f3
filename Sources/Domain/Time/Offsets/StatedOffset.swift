/// An offset from UTC that a source states for an instant.
public struct StatedOffset: Sendable, Hashable, Codable {
    /// When the clock showed it.
    public var instant: Instant
    /// Seconds east of UTC.
    public var seconds: Int64

    /// An offset of `seconds` at `instant`.
    public init(instant: Instant, seconds: Int64) {
        self.instant = instant
        self.seconds = seconds
    }

    /// `offsets` in order, of neighbours with one offset the first and the last.
    package static func ends(of offsets: [StatedOffset]) -> [StatedOffset] {
        let ordered = Set(offsets).sorted { ($0.instant, $0.seconds) < ($1.instant, $1.seconds) }
        return ordered.indices.filter { index in
            index == 0 || index == ordered.count - 1 || ordered[index - 1].seconds != ordered[index].seconds
                || ordered[index + 1].seconds != ordered[index].seconds
        }
        .map { ordered[$0] }
    }
}
