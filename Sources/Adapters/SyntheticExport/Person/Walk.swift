/// A stretch of walking at an even pace, as it truly was.
struct Walk: Sendable, Hashable {
    enum Kind: Sendable {
        /// A few steps about the house.
        case errand
        case stroll
        case exercise
    }

    var span: Span
    var steps: Int64
    var kind: Kind
    /// Whether the watch counted it; on for all of it or for nothing.
    var hasWatch: Bool
    /// Whether the phone was carried.
    var hasPhone: Bool
    /// Length of a step in millimetres.
    var stride: Int64

    /// Whether it counts as exercise: a brisk pace for minutes on end.
    var isBrisk: Bool { kind == .exercise || (kind == .stroll && steps * 60 >= span.seconds * 112) }

    /// Millimetres walked.
    var millimetres: Int64 { steps * stride }
}
