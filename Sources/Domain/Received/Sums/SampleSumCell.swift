/// A cell of the sums that a server keeps of each series: 2^16 or 2^22 seconds of the grid of `GridInterval`. A digest of
/// a longer interval is the sum of a few hundred cells, however many samples they contain.
package struct SampleSumCell: Hashable, Sendable {
    /// The size of a cell.
    package enum Level: Int, Sendable, CaseIterable {
        /// 2^16 s, about 18 hours.
        case fine = 16
        /// 2^22 s, about 49 days.
        case coarse = 22

        /// The length in milliseconds.
        var milliseconds: Int64 { 1_000 << Int64(rawValue) }
    }

    package let level: Level
    /// The number of the cell; cell 0 begins at 2001-01-01T00:00:00Z.
    package let number: Int64

    package init(level: Level, number: Int64) {
        self.level = level
        self.number = number
    }

    /// Creates the fine cell that contains `milliseconds` since 1970.
    init(containing milliseconds: Int64) {
        self.init(level: .fine, number: (milliseconds - Self.origin).flooredQuotient(by: Level.fine.milliseconds))
    }

    /// The first instant inside the cell, in milliseconds since 1970.
    var start: Int64 { Self.origin + number * level.milliseconds }

    /// 2001-01-01T00:00:00Z, where the grid of `GridInterval` has a node of every length.
    static let origin: Int64 = 978_307_200_000
    /// A coarse cell contains 2^6 fine ones.
    static let ratioBits: Int64 = 6
}
