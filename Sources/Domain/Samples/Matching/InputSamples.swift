/// The samples of one type and origin that one input states.
package struct InputSamples: Sendable {
    /// The input: an Apple Health export, a feed, a change stream.
    package let input: String
    /// Who measured.
    package let origin: SampleOrigin
    /// What was measured.
    package let columns: SampleColumns

    /// The samples of `origin` in `input`.
    package init(input: String, origin: SampleOrigin, columns: SampleColumns) {
        self.input = input
        self.origin = origin
        self.columns = columns
    }

    /// The source name as inputs are compared by it: Unicode's canonical equivalence is that of `String`, and a
    /// no-break space is a space.
    static func comparedName(_ name: String) -> String {
        guard name.unicodeScalars.contains("\u{A0}") else { return name }
        var compared = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { compared.append(scalar == "\u{A0}" ? " " : scalar) }
        return String(compared)
    }
}
