/// A receiver of the progress of a run.
///
/// Contract: may be called often and from any thread; must return at once.
public protocol ProgressReporter: Sendable {
    /// Reports `done` of `total` units of `phase`; `total` is `nil` while unknown.
    func report(phase: String, done: Int64, total: Int64?)
    /// Reports progress with a `detail` that is displayed next to the phase and may change with every report.
    func report(phase: String, done: Int64, total: Int64?, detail: String)
}
