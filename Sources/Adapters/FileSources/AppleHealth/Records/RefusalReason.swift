/// Why a record could not be used; the text is the key in `SourceReading.refused`.
enum RefusalReason: String, CaseIterable, Error {
    /// No `type`, or an empty one.
    case noType = "no type"
    /// A start or end that is missing or no date, such as 30 February.
    case badDate = "missing or impossible date"
    /// An end before the start.
    case endBeforeStart = "end before start"
    /// A year in which nobody measured.
    case implausibleYear = "year outside 1900–2200"
    /// Neither a value nor an average.
    case noValue = "no value"
    /// A value that is no finite decimal number.
    case badValue = "value is not a number"
    /// A name of a state that the table does not have.
    case unknownState = "unknown category value"
    /// A unit that cannot be converted into the canonical one.
    case unknownUnit = "unknown unit"
    /// An attribute twice with different values.
    case contradiction = "attribute written twice with different values"
    /// The record's end tag is missing.
    case notClosed = "record not closed"
    /// More types, sources or devices than are kept apart.
    case tooMany = "too many different types or sources"
}
