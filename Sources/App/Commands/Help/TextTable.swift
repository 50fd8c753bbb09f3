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

    /// Adds a row; missing cells are empty.
    package mutating func add(_ cells: String...) { rows.append(cells) }

    /// The lines, two spaces between columns, without spaces at the end.
    package func lines(indentation: Int = 0) -> [String] {
        let widths = alignments.indices.map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(zip(row, widths), alignments).map { cell, alignment in
                let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
                return alignment == .left ? cell.0 + space : space + cell.0
            }
            let line = String(repeating: " ", count: indentation) + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
