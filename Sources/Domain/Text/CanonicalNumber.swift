/// The canonical text of a number: an integer without a fraction, otherwise the shortest text that converts back to
/// the same double.
package enum CanonicalNumber {
    package static func text(_ value: Double) -> String {
        if let integer = Int64(exactly: value) { return String(integer) }
        return value.description
    }

    /// Appends `text(value)` without creating a string for an integer.
    static func append(_ value: Double, to bytes: inout [UInt8]) {
        if let integer = Int64(exactly: value) {
            bytes.append(decimal: integer)
        } else {
            bytes.append(contentsOf: value.description.utf8)
        }
    }
}
