/// Who writes records.
enum Recorder: Int, Sendable, CaseIterable {
    case watch
    case phone
    /// Typed into the Health app.
    case person
    case scale
    case cuff
}
