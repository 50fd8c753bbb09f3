/// The kinds of recorders.
enum Recorder: Int, Sendable, CaseIterable {
    case watch
    case phone
    /// Entered in the Health app by the user.
    case user
    case scale
    case cuff
}
