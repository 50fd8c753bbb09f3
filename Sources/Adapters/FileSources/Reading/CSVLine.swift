import HealthSyncDomain

/// The fields of a line of separated values.
enum CSVLine {
    /// Splits a line; a field in quotation marks may contain the separator. A combining mark after a separator does not
    /// belong to it.
    static func fields(_ text: String, separator: Unicode.Scalar = ",") -> [String] {
        var fields = [String.UnicodeScalarView()]
        var isQuoted = false
        for scalar in text.unicodeScalars {
            if scalar == "\"" {
                isQuoted.toggle()
            } else if scalar == separator, !isQuoted {
                fields.append(String.UnicodeScalarView())
            } else {
                fields[fields.count - 1].append(scalar)
            }
        }
        return fields.map { String($0).withoutEnds(where: \.isWhitespace) }
    }
}
