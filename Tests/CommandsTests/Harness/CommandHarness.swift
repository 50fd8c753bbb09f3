import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization

/// Runs command lines in memory.
struct CommandHarness {
    var files = InMemoryFiles()
    var variables = ["HOME": "/home/anna", "TZ": "Europe/Paris"]
    var factory = CommandFactory.empty
    var time: any TimeSource = FixedTime()
    var log: any EventLog = SilentLog()
    /// Width of the terminal in columns; `nil` if standard output is not a terminal.
    var terminalWidth: Int?
    /// The answer to every question; `nil` without a terminal.
    var confirmation: Bool?
    var programName = "healthsync"
    /// The answers to questions for a text, in order; `nil` without a terminal.
    var answers: [String]?
    /// Why no command can run.
    var startFailure: SyncFailure?
    /// Called with each question.
    var asked: @Sendable (String) -> Void = { _ in }

    /// The result of a command line.
    struct Outcome {
        let status: ExitStatus
        let output: String
        let errors: [String]
    }

    func run(_ line: String) async -> Outcome { await run(words: line.split(separator: " ").map(String.init)) }

    func run(words: [String]) async -> Outcome {
        let errors = Collected()
        let printed = Collected()
        let status = await CommandLineProgram(
            environment: environment(words, output: { printed.add($0) }, errorLine: { errors.add($0) })
        ).run()
        return Outcome(status: status, output: printed.all.joined(), errors: errors.all)
    }

    /// Returns the settings of a command line.
    func settings(_ line: String) throws(SyncFailure) -> Settings {
        let words = line.split(separator: " ").map(String.init)
        let parsed = try CommandLineParser(commands: CommandTable.declarations).parse(words)
        return try SettingsResolver(environment: environment(words), parsed: parsed).settings()
    }

    func environment(
        _ words: [String], output: @escaping @Sendable (String) -> Void = { _ in },
        errorLine: @escaping @Sendable (String) -> Void = { _ in }
    ) -> CommandEnvironment {
        var environment = CommandEnvironment(
            version: "1.2.3", words: words, variables: variables, workingDirectory: "/work", width: terminalWidth ?? 80,
            isOutputTerminal: terminalWidth != nil, output: output, errorLine: errorLine,
            confirm: { [confirmation, asked] question in
                asked(question)
                return confirmation
            }, files: files, time: time, random: CountingRandom(),
            log: { [log] _ in log }, progress: { _ in SilentProgress() }, factory: factory,
            startFailure: startFailure)
        environment.programName = programName
        let remaining = answers.map { Answers($0) }
        environment.ask = { [asked] question in
            asked(question)
            return remaining?.next()
        }
        return environment
    }
}

final class Collected: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Answers that are given in order; then none.
private final class Answers: Sendable {
    private let texts: Mutex<[String]>
    init(_ texts: [String]) { self.texts = Mutex(texts.reversed()) }
    func next() -> String? { texts.withLock { $0.popLast() } }
}

/// A clock at 2024-01-15T12:00:00Z, with a given system zone.
struct FixedTime: TimeSource {
    var zone = "Europe/Paris"
    func now() -> Instant { Instant(seconds: 1_705_320_000) }
    func wait(milliseconds: Int64) async throws {}
    func systemZoneName() -> String { zone }
    func zoneDatabase(of name: String) -> ZoneDatabase {
        ZoneDatabase(folder: "/usr/share/zoneinfo", version: "2024a")
    }
}

struct CountingRandom: RandomSource {
    func fraction() -> Double { 0.5 }
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0) } }
}

struct SilentLog: EventLog {
    func note(_ event: String, level: LogLevel) {}
}

struct SilentProgress: ProgressReporter {
    func report(phase: String, done: Int64, total: Int64?) {}
    func report(phase: String, done: Int64, total: Int64?, detail: String) {}
}
