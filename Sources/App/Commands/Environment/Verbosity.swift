/// How much a command says on standard error.
package enum Verbosity: Sendable {
    /// Errors only.
    case quiet
    /// Errors, warnings, events and progress.
    case normal
    /// Details too.
    case verbose
}
