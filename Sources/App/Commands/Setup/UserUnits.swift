import HealthSyncDomain
import HealthSyncPorts

/// The folder of the user's units, and the service manager that reads it.
struct UserUnits {
    let folder: String
    let factory: ServiceFactory
    private let files: any UserFiles

    /// Creates the units in --unit-dir, else those that the user's service manager reads.
    init(_ context: CommandContext) throws(SyncFailure) {
        guard let factory = context.environment.factory.services else {
            throw .usage("service", "not available in this program", advice: "use healthsync itself")
        }
        self.factory = factory
        files = context.environment.files
        if let stated = context.parsed.text("unit-dir") {
            folder = PathResolver(home: context.environment.variables["HOME"])
                .absolute(stated, from: context.environment.workingDirectory)
        } else if let base = SettingsResolver.folder("XDG_CONFIG_HOME", below: "/.config", of: context.environment) {
            folder = base + "/systemd/user"
        } else {
            throw .configuration(
                "HOME", "not set, so there is no folder of units", advice: "set it to your home folder")
        }
    }

    /// The services that have a unit in the folder.
    func installed() async throws -> [UserService] {
        let names = try await BlockingWork.run("healthsync.services") { [files, folder] _ in try files.names(in: folder)
        }
        return UserService.allCases.filter { names.contains($0.serviceUnit) }
    }

    /// Writes the units of a service and returns the path of the one to enable.
    func write(_ text: UnitText) async throws -> String {
        let units = text.service.units.map { (path: "\(folder)/\($0)", bytes: Array(text.text($0).utf8)) }
        try await BlockingWork.run("healthsync.services") { [files, folder] _ in
            try files.makePrivateFolder(folder)
            for unit in units { try files.replacePrivateFile(unit.path, unit.bytes) }
        }
        return "\(folder)/\(text.service.enabledUnit)"
    }

    /// Deletes the units of a service.
    func delete(_ service: UserService) async throws {
        try await BlockingWork.run("healthsync.services") { [files, folder] _ in
            for unit in service.units { try files.deleteFile("\(folder)/\(unit)") }
        }
    }

    /// Runs `systemctl --user`. Throws if it fails.
    func control(_ words: [String]) async throws -> String {
        let result = try await factory.control(words)
        guard result.status == 0 else {
            let reason = result.errors.split(separator: "\n").first.map(String.init) ?? "exit status \(result.status)"
            throw SyncFailure(
                .serviceManager, subject: "systemctl --user \(words[0])", reason: reason,
                advice:
                    "run the command again in a login session of your user, or let cron run `healthsync daily --quiet`"
            )
        }
        return result.output
    }
}

extension SyncFailure.Code {
    /// The service manager failed or cannot be reached.
    fileprivate static let serviceManager = Self(rawValue: "serviceManager")
}

/// A service that systemd runs for the user.
enum UserService: String, CaseIterable {
    case daily
    case watch
    case backup

    static let argument = ArgumentDeclaration(
        "SERVICE", "daily, watch or backup", isOptional: true, repeats: true)

    /// Returns the services of the arguments, in the order of `allCases`; `usual` without arguments. Throws `.usage` for
    /// another name.
    static func named(_ names: [String], usual: [UserService]) throws(SyncFailure) -> [UserService] {
        for name in names where UserService(rawValue: name) == nil {
            throw .usage(
                name, "no such service", advice: "use \(allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return names.isEmpty ? usual : allCases.filter { names.contains($0.rawValue) }
    }

    /// The name of the unit that is enabled: a timer, or the service itself.
    var enabledUnit: String { time == nil ? serviceUnit : "healthsync-\(rawValue).timer" }

    /// The name of the unit that runs the program.
    var serviceUnit: String { "healthsync-\(rawValue).service" }

    /// The names of all its units.
    var units: [String] { time == nil ? [serviceUnit] : [serviceUnit, enabledUnit] }

    /// The time of day at which the timer starts it; `nil` for a service without timer.
    var time: String? {
        switch self {
        case .daily: "06:00:00"
        case .watch: nil
        case .backup: "03:30:00"
        }
    }

    /// What it does.
    var summary: String {
        switch self {
        case .daily: "Daily import of health data"
        case .watch: "Import of health data as it arrives"
        case .backup: "Backup of health data"
        }
    }
}

/// The texts of the units of a user's service.
struct UnitText {
    let service: UserService
    /// Absolute path of the program.
    let program: String
    /// The words of the command line after the program, as the user wrote them.
    let words: [String]
    /// Absolute path of a token file, which systemd passes as a credential; `nil` for none.
    let tokenFile: String?

    /// Returns the text of the unit `name`, one of `service.units`.
    func text(_ name: String) -> String { name == service.serviceUnit ? serviceText : timerText }

    private var serviceText: String {
        let unit = ["[Unit]", "Description=\(service.summary)", "Documentation=man:healthsync(1)", "", "[Service]"]
        let kind =
            service.time == nil
            // An invalid command line or configuration stays invalid.
            ? ["Restart=on-failure", "RestartSec=30", "RestartPreventExitStatus=64 78"] : ["Type=oneshot"]
        let command = "ExecStart=" + ([program] + words).map(Self.quoted).joined(separator: " ")
        let credential =
            tokenFile.map {
                ["LoadCredential=token:\(Self.specifiersEscaped($0))", "Environment=HEALTHSYNC_TOKEN_FILE=%d/token"]
            } ?? []
        let limits = [
            // Dispatch logs that it cannot raise the priority of its threads.
            "Environment=LIBDISPATCH_LOG=NO", "UMask=0077", "NoNewPrivileges=yes", "LockPersonality=yes",
            "MemoryDenyWriteExecute=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes",
            "SystemCallArchitectures=native",
        ]
        let installation = service.time == nil ? ["", "[Install]", "WantedBy=default.target"] : []
        return Self.lines(unit + kind + [command] + credential + limits + installation)
    }

    private var timerText: String {
        Self.lines([
            "[Unit]", "Description=\(service.summary)", "", "[Timer]", "OnCalendar=*-*-* \(service.time ?? "")",
            "RandomizedDelaySec=15min", "Persistent=true", "", "[Install]", "WantedBy=timers.target",
        ])
    }

    private static func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private static func specifiersEscaped(_ text: String) -> String { text.replacing("%", with: "%%") }

    /// Returns a word of a command line as systemd reads it. `%h` at the beginning is the home folder.
    private static func quoted(_ word: String) -> String {
        if word.hasPrefix("%h/"), word.dropFirst(3).utf8.allSatisfy(isPlain) { return word }
        guard !word.utf8.allSatisfy(isPlain) else { return word }
        let text = specifiersEscaped(
            word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("$", with: "$$"))
        return "\"\(text)\""
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "/.-_:,+=@[]".utf8.contains(byte)
        }
    }
}
