import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

/// The command line's view of the outside world, created by the composition root or by tests.
package struct CommandEnvironment: Sendable {
    /// The program's version.
    package var version: String
    /// The command line without the program's name.
    package var words: [String]
    /// Environment variables.
    package var variables: [String: String]
    /// Absolute path of the working directory.
    package var workingDirectory: String
    /// Width of the terminal in columns; 80 without a terminal.
    package var width: Int
    /// Whether standard output is a terminal.
    package var isOutputTerminal: Bool
    /// Writes text to standard output, unchanged.
    package var output: @Sendable (String) -> Void
    /// Writes one line to standard error.
    package var errorLine: @Sendable (String) -> Void
    /// Asks a yes-or-no question. Returns `nil` if standard input is not a terminal.
    package var confirm: @Sendable (String) -> Bool?
    /// Asks for a text. Returns `nil` if standard input is not a terminal, or ends.
    package var ask: @Sendable (String) -> String? = { _ in nil }
    package var files: any UserFiles
    package var time: any TimeSource
    package var random: any RandomSource
    /// Returns a log of a run, with its own id, of events of a level and above.
    package var log: @Sendable (LogLevel) -> any EventLog
    package var progress: @Sendable (Verbosity) -> any ProgressReporter
    package var factory: CommandFactory
    /// Why no command can run, such as conflicting handlers; `nil` if commands can run.
    package var startFailure: SyncFailure?
    /// The name of the program, which is another than `healthsync` in the program of a plug-in.
    package var programName = ProgramName.standard
    /// The commands of the program, which messages name.
    var commands: [CommandDeclaration] = []

    package init(
        version: String, words: [String], variables: [String: String], workingDirectory: String, width: Int,
        isOutputTerminal: Bool, output: @escaping @Sendable (String) -> Void,
        errorLine: @escaping @Sendable (String) -> Void, confirm: @escaping @Sendable (String) -> Bool?,
        files: any UserFiles, time: any TimeSource, random: any RandomSource,
        log: @escaping @Sendable (LogLevel) -> any EventLog,
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

extension CommandEnvironment {
    /// Returns the status of the file or folder at `path`, read on a thread that may block; `nil` if it does not exist.
    func status(of path: String) async throws -> LocalFileStatus? {
        try await BlockingWork.run { [files] _ in try files.status(of: path) }
    }
}

extension CommandEnvironment {
    /// The environment whose messages contain the name of the program.
    var withOwnName: CommandEnvironment {
        let program = ProgramName(name: programName)
        var environment = self
        let (output, errorLine, confirm) = (self.output, self.errorLine, self.confirm)
        environment.output = { output(program.applied(to: $0)) }
        environment.errorLine = { errorLine(program.applied(to: $0)) }
        environment.confirm = { confirm(program.applied(to: $0)) }
        return environment
    }
}

/// Files that commands replace and delete for the user, such as the configuration, units and old backups.
///
/// Contract: as that of `LocalFiles`.
package protocol UserFiles: LocalFiles {
    /// Writes a file (0600) atomically, in place of an existing one. Throws `.cannotCreate`.
    func replacePrivateFile(_ path: String, _ bytes: [UInt8]) throws(SyncFailure)
    /// Deletes a file; does nothing if it does not exist. Throws `.cannotCreate`.
    func deleteFile(_ path: String) throws(SyncFailure)
    /// Returns the names in a folder without hidden ones, in any order; none if it does not exist. Throws `.noInput` if it
    /// is unreadable.
    func names(in folder: String) throws(SyncFailure) -> [String]
}

/// How much a command prints to standard error besides its log.
package enum Verbosity: Sendable {
    /// Errors only.
    case quiet
    /// Errors, warnings and progress.
    case normal
    /// The same; the log contains details.
    case verbose
}

/// Makes paths absolute without accessing the file system.
struct PathResolver: Sendable {
    /// The user's home folder; `nil` if unknown.
    let home: String?

    /// Returns `path` resolved against `folder`; a leading `~` is the home folder.
    func absolute(_ path: String, from folder: String) -> String {
        if let home, path == "~" || path.hasPrefix("~/") { return Self.normalized(home + path.dropFirst(1)) }
        return Self.normalized(path.hasPrefix("/") ? path : "\(folder)/\(path)")
    }

    /// Removes `.` and empty components. Keeps `..`, because after a symbolic link it does not name the parent folder.
    private static func normalized(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
