/// A file format of exported samples.
package enum ExportFormat: String, Sendable, CaseIterable {
    /// One JSON object per line.
    case jsonl
    /// A header and one line per sample.
    case csv
    /// An SQLite database with one table.
    case sqlite
}
