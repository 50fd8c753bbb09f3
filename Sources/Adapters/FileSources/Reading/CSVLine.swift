import HealthSyncDomain

/// The fields of a line of separated values.
enum CSVLine {
    /// Splits a line; a field in quotation marks may contain the separator.
    static func fields(_ text: String, separator: Character = ",") -> [String] {
        var fields: [String] = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == separator, !isQuoted {
                fields.append("")
            } else {
                fields[fields.count - 1].append(character)
            }
        }
        return fields.map { String($0.withoutEnds(where: \.isWhitespace)) }
    }
}
