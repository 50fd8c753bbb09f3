/// How much a command prints to standard error.
package enum Verbosity: Sendable {
    /// Errors only.
    case quiet
    /// Errors, warnings, events and progress.
    case normal
    /// Details too.
    case verbose
}
