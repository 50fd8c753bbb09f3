/// A true walk at an even pace.
struct Walk: Sendable, Hashable {
    enum Kind: Sendable {
        /// A few steps indoors.
        case errand
        case stroll
        case exercise
    }

    var span: Span
    var steps: Int64
    var kind: Kind
    /// Whether the watch counted all of it; otherwise it counted nothing.
    var hasWatch: Bool
    /// Whether the phone was carried.
    var hasPhone: Bool
    /// The length of a step in millimeters.
    var stride: Int64

    /// Whether it counts as exercise: a brisk pace for several minutes.
    var isBrisk: Bool { kind == .exercise || (kind == .stroll && steps * 60 >= span.seconds * 112) }

    /// The distance in millimeters.
    var millimetres: Int64 { steps * stride }
}
