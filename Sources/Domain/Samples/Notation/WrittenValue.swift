/// How the value of one sample is written: its notation, as a number in the table of its columns or batch, and the
/// decimals.
package struct WrittenValue: Hashable, Sendable, BitwiseCopyable {
    /// One more than the index of the notation; 0 if it is unknown.
    package var notation: UInt16
    /// The number of decimals, negative in exponent form: the written number is an integer × 10^−scale. `full` if it is
    /// a double with all of its digits.
    package var scale: Int8

    package init(notation: UInt16, scale: Int8) {
        self.notation = notation
        self.scale = scale
    }

    /// A value of unknown unit and digits, such as one that an earlier version stored.
    package static let unknown = WrittenValue(notation: 0, scale: 0)
    /// The scale of a number whose integer does not fit into the 53 bits of a double.
    package static let full: Int8 = .max
}
