/// Formats durations of runs for display.
package enum RunDuration {
    /// Returns, for example, `26 ms`, `1.3 s`, `42 s`, `3 min 5 s` or `2 h 10 min`; with `isWhole` only whole seconds.
    package static func text(milliseconds: Int64, isWhole: Bool = false) -> String {
        if isWhole, milliseconds < 10_000 { return "\((max(0, milliseconds) + 500) / 1000) s" }
        if milliseconds < 1000 { return "\(max(0, milliseconds)) ms" }
        let tenths = (milliseconds + 50) / 100
        if tenths < 100 { return "\(tenths / 10).\(tenths % 10) s" }
        let seconds = (milliseconds + 500) / 1000
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
}
