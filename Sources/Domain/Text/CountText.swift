/// A number with its noun, which is in the plural unless the number is 1.
package enum CountText {
    /// Returns `1 night` or `7 nights`; `number` formats the number.
    package static func of(_ count: Int, _ noun: String, number: (Int) -> String = { "\($0)" }) -> String {
        "\(number(count)) \(noun)\(count == 1 ? "" : "s")"
    }
}
