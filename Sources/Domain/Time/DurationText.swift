/// Formats durations: the same everywhere on pages, in the terminal and in messages.
package enum DurationText {
    /// Returns a duration rounded to the minute: `45 min`, `7 h 26 min`, `8 h 0 min`.
    package static func minutes(milliseconds: Double) -> String { minutes(milliseconds / 60_000) }

    /// Returns minutes, rounded, like `minutes(milliseconds:)`.
    package static func minutes(_ length: Double) -> String {
        // Stored values can be any finite number; show one that is longer than any life without hours.
        guard length.magnitude < 1e9 else { return "\(length) min" }
        let minutes = Int64(length.rounded())
        let hours = minutes.magnitude / 60
        let text = hours == 0 ? "\(minutes.magnitude) min" : "\(hours) h \(minutes.magnitude % 60) min"
        return minutes < 0 ? "-\(text)" : text
    }

    /// Returns the duration of something that a program does: `26 ms`, `1.3 s`, `42 s`, `3 min 5 s` or `2 h 10 min`; with
    /// `isWhole` only whole seconds.
    package static func exact(milliseconds: Int64, isWhole: Bool = false) -> String {
        // So that rounding cannot overflow.
        let milliseconds = min(milliseconds, .max - 500)
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
