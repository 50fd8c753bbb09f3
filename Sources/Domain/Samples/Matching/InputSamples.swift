/// The samples of one type and origin from one input.
package struct InputSamples: Sendable {
    /// The provider of Apple Health exports.
    package static let exportProvider = "appleHealth"

    /// The source name of samples for which Health Auto Export states no source. They may be of any source.
    package static let unnamedSource = "Health Auto Export"

    /// The input: an Apple Health export, a feed, a change stream.
    package let input: String
    /// The origin of the samples.
    package let origin: SampleOrigin
    /// The samples.
    package let columns: SampleColumns
    /// Whether `input`, a change stream, deleted these samples: they do not count in any other input either.
    package let areDeleted: Bool

    /// Creates the samples of `origin` in `input`.
    package init(input: String, origin: SampleOrigin, columns: SampleColumns, areDeleted: Bool = false) {
        self.input = input
        self.origin = origin
        self.columns = columns
        self.areDeleted = areDeleted
    }

    /// Whether the samples may be of any source.
    var areUnnamed: Bool { !origin.isPreAggregated && !areDeleted && origin.sourceName == Self.unnamedSource }

    /// Returns how exactly the value at `row` is stated.
    func precision(_ row: Int) -> ValuePrecision {
        columns.precision(row, isExport: isExport)
    }

    /// Whether the input is an Apple Health export, whose values are rounded.
    var isExport: Bool { input == Self.exportProvider }

    /// Returns a source name in the form in which inputs compare it: no-break spaces become spaces. `String` already
    /// compares by Unicode canonical equivalence.
    static func comparedName(_ name: String) -> String {
        guard name.unicodeScalars.contains("\u{A0}") else { return name }
        var compared = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { compared.append(scalar == "\u{A0}" ? " " : scalar) }
        return String(compared)
    }
}
