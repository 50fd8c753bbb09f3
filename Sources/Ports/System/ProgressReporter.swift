/// How far a run has come.
///
/// Contract: may be called often and from any thread; must return at once.
public protocol ProgressReporter: Sendable {
    /// `done` of `total` units of `phase` are done; `total` is `nil` while unknown.
    func report(phase: String, done: Int64, total: Int64?)
    /// The same; `detail` is shown beside the phase and may change from report to report.
    func report(phase: String, done: Int64, total: Int64?, detail: String)
}
