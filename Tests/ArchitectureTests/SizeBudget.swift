/// The maximum length of files and functions, in lines.
struct SizeBudget {
    let linesPerFile: Int
    let linesPerFunction: Int

    static let sources = SizeBudget(linesPerFile: 600, linesPerFunction: 50)
    /// Functions may be longer, because a contract suite lists its clauses in one function.
    static let tests = SizeBudget(linesPerFile: 600, linesPerFunction: 100)

    func violations(in tree: SourceTree) -> [String] {
        let files = tree.files.filter { $0.lines.count > linesPerFile + 1 }
            .map { "\($0.path): \($0.lines.count) lines" }
        return files + tree.files.flatMap(longFunctions)
    }

    private func longFunctions(in file: SourceTree.File) -> [String] {
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
                    // A requirement of a protocol has no body.
                    announced = nil
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

    private func startsFunction(_ line: String) -> Bool {
        let words = line.split(whereSeparator: { " (<".contains($0) })
        return words.prefix(6).contains { $0 == "func" || $0 == "init" || $0 == "init?" }
    }
}
