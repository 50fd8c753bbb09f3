/// Finds the name that the user probably meant.
package enum Suggestion {
    /// Returns the candidate with the smallest edit distance (insertions, deletions, replacements, transpositions) to
    /// `word`, or `nil` if that exceeds a third of the word's length (at least 1). Prefers the longest common prefix.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let typed = Array(word.lowercased())
        let allowed = max(1, typed.count / 3)
        func begin(_ name: String) -> Int { zip(typed, name.lowercased()).prefix { $0 == $1 }.count }
        return
            candidates
            .map { (name: $0, distance: distance(typed, Array($0.lowercased()))) }
            .filter { $0.distance <= allowed }
            .min { ($0.distance, -begin($0.name), $0.name) < ($1.distance, -begin($1.name), $1.name) }?
            .name
    }

    /// Returns the edit distance of two words (optimal string alignment).
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, leftLetter) in left.enumerated() {
            var current = [row + 1]
            for (column, rightLetter) in right.enumerated() {
                let replaced = last[column] + (leftLetter == rightLetter ? 0 : 1)
                var best = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, leftLetter == right[column - 1], left[row - 1] == rightLetter {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
