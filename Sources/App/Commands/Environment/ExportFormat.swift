/// A form in which samples leave.
package enum ExportFormat: String, Sendable, CaseIterable {
    /// One JSON object a line.
    case jsonl
    /// A header and one line a sample.
    case csv
    /// A database of one table.
    case sqlite
}
