/// Why the attempts of a delivery failed. A run stores its failure as text, which begins with the cause:
/// `Couldn't connect to server; 3 items wait, …`.
package enum DeliveryCause {
    private static let end = "; "

    /// Returns `statement` with its cause before it. A statement that is stored this way contains no semicolon.
    package static func reason(_ cause: String?, _ statement: String) -> String {
        cause.map { $0 + end + statement } ?? statement
    }

    /// Returns the cause in a reason; `nil` if it has none.
    package static func cause(in reason: String) -> String? {
        guard let mark = reason.lastIndex(of: ";"), reason[mark...].hasPrefix(end) else { return nil }
        return String(reason[..<mark])
    }
}
