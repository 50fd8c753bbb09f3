import HealthSyncDomain

/// A table of text with aligned columns.
package struct TextTable: Sendable {
    /// The alignment of a column.
    package enum Alignment: Sendable {
        case left
        case right
    }

    let alignments: [Alignment]
    /// Whether the first row contains heads.
    let hasHeads: Bool
    private(set) var rows: [[String]] = []
    /// The colors of cells, by row and column.
    private(set) var colors: [Int: [Int: Palette]] = [:]

    /// Creates a table with these alignments.
    package init(_ alignments: [Alignment]) {
        self.alignments = alignments
        hasHeads = false
    }

    /// Creates a table with these column heads. Control characters are escaped.
    package init(heads: [(String, Alignment)]) {
        alignments = heads.map(\.1)
        rows = [heads.map { UntrustedText.escaped($0.0) }]
        hasHeads = true
    }

    /// Adds a row. Missing cells are empty. Control characters are escaped.
    package mutating func add(_ cells: String...) { add(cells) }

    /// Adds a row; missing cells are empty. Control characters are escaped. `colors` are those of `lines(fitting:)`.
    package mutating func add(_ cells: [String], colors: [Int: Palette] = [:]) {
        if !colors.isEmpty { self.colors[rows.count] = colors }
        rows.append(cells.map(UntrustedText.escaped))
    }

    /// The width of the longest line so far.
    package var width: Int { widths.reduce(0, +) + 2 * max(0, alignments.count - 1) }

    /// Returns the width of the longest cell of `column`.
    package func columnWidth(_ column: Int) -> Int { widths[column] }

    /// Truncates the cells of `column`, but not below `least` columns, so that lines fit into `width`. Does nothing if
    /// `width` is `nil`.
    package mutating func cut(_ column: Int, toFit width: Int?, indentation: Int = 0, least: Int = 8) {
        guard let width, alignments.indices.contains(column) else { return }
        let excess = self.width + indentation - width
        guard excess > 0 else { return }
        let room = max(least, widths[column] - excess)
        for row in rows.indices where column < rows[row].count {
            rows[row][column] = DisplayText.fitted(rows[row][column], columns: room)
        }
    }

    /// The width of each column.
    var widths: [Int] {
        alignments.indices.map { column in
            rows.map { column < $0.count ? DisplayText.width($0[column]) : 0 }.max() ?? 0
        }
    }

    /// Returns the lines, with two spaces between columns and without trailing spaces. Each chart follows its row.
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
            // Search scalars, because searching characters backwards is many times slower.
            guard let last = line.unicodeScalars.lastIndex(where: { $0 != " " }) else { return "" }
            return String(line[...last])
        }
    }
}
