import HealthSyncDomain

/// A table of text with aligned columns.
package struct TextTable: Sendable {
    /// The alignment of a column.
    package enum Alignment: Sendable {
        case left
        case right
    }

    private let alignments: [Alignment]
    /// Whether the first row contains heads.
    private let hasHeads: Bool
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
    private var widths: [Int] {
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

extension TextTable {
    /// The least width to which a column with a head is narrowed.
    private static let leastColumn = 10
    /// The least width to which the last column of a table without heads is narrowed.
    private static let leastText = 24

    /// Returns the lines with colors, which fit the terminal without broken words: cells are wrapped, and if that does not
    /// suffice, each row becomes a block of lines. Only a word that is longer than the terminal exceeds it.
    package func lines(fitting style: OutputStyle, indentation: Int = 0) -> [String] {
        Array(blocks(fitting: style, indentation: indentation).joined())
    }

    /// Returns `lines(fitting:)` of each row.
    func blocks(fitting style: OutputStyle, indentation: Int = 0) -> [[String]] {
        var table = self
        table.rows = rows.map { $0.map(style.completed) }
        return table.completedBlocks(fitting: style, indentation: indentation)
    }

    private func completedBlocks(fitting style: OutputStyle, indentation: Int) -> [[String]] {
        let room = style.width.map { max(1, $0 - indentation) } ?? .max
        let space = String(repeating: " ", count: indentation)
        let blocks: [[String]]
        if let columns = narrowed(to: room) {
            blocks = rows.indices.map { row in
                fits(row, columns) ? wrapped(row, columns, style) : flowed(row, room, style)
            }
        } else if hasHeads {
            blocks = rows.indices.dropFirst().map { stacked($0, room, style) }
        } else {
            blocks = rows.indices.map { flowed($0, room, style) }
        }
        return blocks.map { lines in lines.map { $0.isEmpty ? "" : space + $0 } }
    }

    /// Returns widths of columns that fit into `room`; `nil` if that would break words.
    private func narrowed(to room: Int) -> [Int]? {
        var columns = widths
        let least = alignments.indices.map { column in
            guard alignments[column] == .left else { return columns[column] }
            guard hasHeads else {
                return column == alignments.count - 1 ? min(columns[column], Self.leastText) : columns[column]
            }
            let longest = rows.map { column < $0.count ? DisplayText.longestWord($0[column]) : 0 }.max() ?? 0
            return max(longest, min(columns[column], Self.leastColumn))
        }
        var excess = columns.reduce(0, +) + 2 * max(0, columns.count - 1) - room
        while excess > 0 {
            let widest = columns.indices.filter { columns[$0] > least[$0] }.max { columns[$0] < columns[$1] }
            guard let widest else { return nil }
            columns[widest] -= 1
            excess -= 1
        }
        return columns
    }

    /// Returns whether no word of the last cell is longer than its column.
    private func fits(_ row: Int, _ columns: [Int]) -> Bool {
        guard let last = columns.last, rows[row].count == columns.count, let cell = rows[row].last else { return true }
        return DisplayText.longestWord(cell) <= last
    }

    /// Returns a row as lines of columns.
    private func wrapped(_ row: Int, _ columns: [Int], _ style: OutputStyle) -> [String] {
        let cells = columns.indices.map { column in
            DisplayText.wrapped(column < rows[row].count ? rows[row][column] : "", columns: columns[column])
        }
        return (0..<(cells.map(\.count).max() ?? 0)).map { line in
            let texts = cells.map { line < $0.count ? $0[line] : "" }
            let count = (texts.lastIndex { !$0.isEmpty } ?? -1) + 1
            return texts.prefix(count).enumerated().map { column, text in
                let space = String(repeating: " ", count: max(0, columns[column] - DisplayText.width(text)))
                let colored = style.colored(text, colors[row]?[column])
                guard alignments[column] == .left else { return space + colored }
                return column == count - 1 ? colored : colored + space
            }.joined(separator: "  ")
        }
    }

    /// Returns the cells of a row one after another, on lines that are indented from the second on.
    private func flowed(_ row: Int, _ room: Int, _ style: OutputStyle) -> [String] {
        var lines: [(text: String, width: Int)] = []
        for (column, cell) in rows[row].enumerated() where !cell.isEmpty {
            let parts = DisplayText.wrapped(cell, columns: max(1, room - 2))
            for (index, part) in parts.enumerated() {
                let text = style.colored(part, colors[row]?[column])
                let width = DisplayText.width(part)
                if index == 0, parts.count == 1, let last = lines.last, last.width + 2 + width <= room {
                    lines[lines.count - 1] = (last.text + "  " + text, last.width + 2 + width)
                } else {
                    let space = lines.isEmpty ? 0 : 2
                    lines.append((String(repeating: " ", count: space) + text, space + width))
                }
            }
        }
        return lines.map(\.text)
    }

    /// Returns a row as its first cell and, below it, the other cells that are not empty with their heads.
    private func stacked(_ row: Int, _ room: Int, _ style: OutputStyle) -> [String] {
        var block = TextTable([.left, .left])
        for (column, cell) in rows[row].enumerated().dropFirst() where !cell.isEmpty && cell != "-" {
            block.add([rows[0][column], cell], colors: colors[row]?[column].map { [1: $0] } ?? [:])
        }
        let first = style.colored(rows[row].first ?? "", colors[row]?[0])
        let narrow = OutputStyle(
            width: room, hasColor: style.hasColor, hasBlocks: style.hasBlocks, isLight: style.isLight)
        return ["\(rows[0][0]) \(first)"] + block.lines(fitting: narrow, indentation: 2)
    }
}
