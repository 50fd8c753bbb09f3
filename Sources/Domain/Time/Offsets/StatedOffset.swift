/// A UTC offset that a source states for an instant.
public struct StatedOffset: Sendable, Hashable, Codable {
    /// The instant at which the offset applied.
    public var instant: Instant
    /// Seconds east of UTC.
    public var seconds: Int64

    /// Creates an offset of `seconds` at `instant`.
    public init(instant: Instant, seconds: Int64) {
        self.instant = instant
        self.seconds = seconds
    }

    /// Returns `offsets` in order, with only the first and the last of consecutive equal offsets.
    package static func ends(of offsets: [StatedOffset]) -> [StatedOffset] {
        let ordered = Set(offsets).sorted { ($0.instant, $0.seconds) < ($1.instant, $1.seconds) }
        return ordered.indices.filter { index in
            index == 0 || index == ordered.count - 1 || ordered[index - 1].seconds != ordered[index].seconds
                || ordered[index + 1].seconds != ordered[index].seconds
        }
        .map { ordered[$0] }
    }
}
