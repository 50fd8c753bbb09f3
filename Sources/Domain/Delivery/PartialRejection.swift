/// The reason of an item that was rejected because of some of its records: `1 of 24 records rejected: no such hour`.
package enum PartialRejection {
    private static let mark = " records rejected: "

    /// Returns the reason of an item of which `rejected` of `records` records were rejected, the first for `cause`.
    package static func reason(_ rejected: Int, of records: Int, _ cause: String) -> String {
        records == 1 ? cause : "\(rejected) of \(records)\(mark)\(cause)"
    }

    /// Returns the cause in a reason; the reason itself if it states no number of records.
    package static func cause(in reason: String) -> Substring {
        guard let mark = reason.firstRange(of: mark) else { return reason[...] }
        let words = reason[..<mark.lowerBound].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1] == "of", Int(words[0]) != nil, Int(words[2]) != nil else { return reason[...] }
        return reason[mark.upperBound...]
    }
}
