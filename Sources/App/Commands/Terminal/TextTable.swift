import HealthSyncDomain

/// Rows of text in columns that line up.
package struct TextTable: Sendable {
    /// On which side a column is flush.
    package enum Alignment: Sendable {
        case left
        case right
    }

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// A table with columns of these alignments.
    package init(_ alignments: [Alignment]) { self.alignments = alignments }

    /// A table with these column heads.
    package init(heads: [(String, Alignment)]) {
        alignments = heads.map(\.1)
        rows = [heads.map(\.0)]
    }

    /// Adds a row; missing cells are empty. Control characters are escaped.
    package mutating func add(_ cells: String...) { add(cells) }

    /// Adds a row; missing cells are empty. Control characters are escaped.
    package mutating func add(_ cells: [String]) { rows.append(cells.map(UntrustedText.escaped)) }

    /// Columns that the longest line takes, as far as it is known now.
    package var width: Int { widths.reduce(0, +) + 2 * max(0, alignments.count - 1) }

    /// Columns that the longest cell of `column` takes.
    package func columnWidth(_ column: Int) -> Int { widths[column] }

    /// Cuts the cells of `column`, none to less than `least` columns, so that the lines fit a terminal of `width` columns,
    /// as far as that column can do it; cuts nothing where there is no terminal.
    package mutating func cut(_ column: Int, toFit width: Int?, indentation: Int = 0, least: Int = 8) {
        guard let width, alignments.indices.contains(column) else { return }
        let excess = self.width + indentation - width
        guard excess > 0 else { return }
        let room = max(least, widths[column] - excess)
        for row in rows.indices where column < rows[row].count {
            rows[row][column] = DisplayText.fitted(rows[row][column], columns: room)
        }
    }

    private var widths: [Int] {
        alignments.indices.map { column in
            rows.map { column < $0.count ? DisplayText.width($0[column]) : 0 }.max() ?? 0
        }
    }

    /// The lines, two spaces between columns, without spaces at the end. A chart, drawn already, stands behind its row.
    package func lines(indentation: Int = 0, charts: [String] = []) -> [String] {
        let widths = widths
        return rows.enumerated().map { index, row in
            let cells = alignments.indices.map { column in
                let cell = column < row.count ? row[column] : ""
                let space = String(repeating: " ", count: max(0, widths[column] - DisplayText.width(cell)))
                return alignments[column] == .left ? cell + space : space + cell
            }
            let chart = index < charts.count ? charts[index] : ""
            let line = String(repeating: " ", count: indentation) + (cells + [chart]).joined(separator: "  ")
            // By scalars: to read a line backwards as characters costs many times what it cost to make it.
            guard let last = line.unicodeScalars.lastIndex(where: { $0 != " " }) else { return "" }
            return String(line[...last])
        }
    }
}
