/// A file has at most 250 lines, a function at most 50, a folder at most 12 files.
enum SizeBudget {
    static let linesPerFile = 250
    static let linesPerFunction = 50
    static let filesPerFolder = 12

    static func violations(in tree: SourceTree) -> [String] {
        let files = tree.files.filter { $0.lines.count > linesPerFile + 1 }
            .map { "\($0.path): \($0.lines.count) lines" }
        let folders = Dictionary(grouping: tree.files, by: \.folder).filter { $0.value.count > filesPerFolder }
            .map { "\($0.key): \($0.value.count) files" }
        return files + folders.sorted() + tree.files.flatMap(longFunctions)
    }

    private static func longFunctions(in file: SourceTree.File) -> [String] {
        var found: [String] = []
        var open: [(line: Int, depth: Int)] = []
        var depth = 0
        var announced: Int?
        for (index, line) in file.code.enumerated() {
            if startsFunction(line) { announced = index }
            for character in line {
                if character == "{" {
                    depth += 1
                    if let start = announced { open.append((start, depth)) }
                    announced = nil
                } else if character == "}" {
                    if let function = open.last, function.depth == depth {
                        open.removeLast()
                        let length = index - function.line + 1
                        if length > linesPerFunction {
                            found.append("\(file.path):\(function.line + 1): \(length) lines")
                        }
                    }
                    depth -= 1
                }
            }
        }
        return found
    }

    private static func startsFunction(_ line: String) -> Bool {
        let words = line.split(whereSeparator: { " (<".contains($0) })
        return words.prefix(6).contains { $0 == "func" || $0 == "init" || $0 == "init?" }
    }
}
