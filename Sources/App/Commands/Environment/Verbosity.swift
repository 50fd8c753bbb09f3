/// How much a command prints to standard error besides its log.
package enum Verbosity: Sendable {
    /// Errors only.
    case quiet
    /// Errors, warnings and progress.
    case normal
    /// The same; the log contains details.
    case verbose
}
