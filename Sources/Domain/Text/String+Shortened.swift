extension StringProtocol {
    /// Returns the text, or its first `count` characters and an ellipsis if it is longer.
    package func shortened(to count: Int) -> String {
        let start = prefix(count)
        return start.endIndex == endIndex ? String(self) : start + "…"
    }
}
