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

extension [UInt8] {
    /// Appends `number` in decimal without creating a string, because samples are written by the million.
    mutating func append(decimal number: Int64) {
        // The last digit comes first. A number has at most 19 digits and a sign.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var first = digits.count
            var rest = number.magnitude
            repeat {
                first -= 1
                digits[first] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                first -= 1
                digits[first] = 0x2D
            }
            append(contentsOf: UnsafeMutableBufferPointer(rebasing: digits[first...]))
        }
    }
}

/// A number with its noun, which is in the plural unless the number is 1.
package enum CountText {
    /// Returns `1 night` or `7 nights`; `number` formats the number.
    package static func of(_ count: Int, _ noun: String, number: (Int) -> String = { "\($0)" }) -> String {
        "\(number(count)) \(noun)\(count == 1 ? "" : "s")"
    }
}
