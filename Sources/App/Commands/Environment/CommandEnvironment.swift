package import HealthSyncDomain
package import HealthSyncPorts

/// The outside world as the command line sees it; made by the composition, and by tests.
package struct CommandEnvironment: Sendable {
    /// The program's version.
    package var version: String
    /// The command line without the program's name.
    package var words: [String]
    /// Environment variables.
    package var variables: [String: String]
    /// Absolute path of the working folder.
    package var workingDirectory: String
    /// Columns of the terminal; 80 where there is none.
    package var width: Int
    /// Whether results go to a terminal.
    package var isOutputTerminal: Bool
    /// Writes text to standard output, as it is.
    package var output: @Sendable (String) -> Void
    /// Writes one line to standard error.
    package var errorLine: @Sendable (String) -> Void
    /// Asks a question that is answered by yes or no; `nil` where nobody can be asked.
    package var confirm: @Sendable (String) -> Bool?
    package var files: any LocalFiles
    package var time: any TimeSource
    package var random: any RandomSource
    package var log: @Sendable (Verbosity) -> any EventLog
    package var progress: @Sendable (Verbosity) -> any ProgressReporter
    package var factory: CommandFactory
    /// Why no command can run, such as handlers that contradict each other; `nil` where all is well.
    package var startFailure: SyncFailure?

    package init(
        version: String, words: [String], variables: [String: String], workingDirectory: String, width: Int,
        isOutputTerminal: Bool, output: @escaping @Sendable (String) -> Void,
        errorLine: @escaping @Sendable (String) -> Void, confirm: @escaping @Sendable (String) -> Bool?,
        files: any LocalFiles, time: any TimeSource, random: any RandomSource,
        log: @escaping @Sendable (Verbosity) -> any EventLog,
        progress: @escaping @Sendable (Verbosity) -> any ProgressReporter, factory: CommandFactory,
        startFailure: SyncFailure? = nil
    ) {
        self.version = version
        self.words = words
        self.variables = variables
        self.workingDirectory = workingDirectory
        self.width = width
        self.isOutputTerminal = isOutputTerminal
        self.output = output
        self.errorLine = errorLine
        self.confirm = confirm
        self.files = files
        self.time = time
        self.random = random
        self.log = log
        self.progress = progress
        self.factory = factory
        self.startFailure = startFailure
    }
}
