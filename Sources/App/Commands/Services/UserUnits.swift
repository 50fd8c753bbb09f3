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
                    "run the command again in a login session of your user, or add to `crontab -e`: 15 6 * * * healthsync daily --quiet"
            )
        }
        return result.output
    }
}

extension SyncFailure.Code {
    /// The service manager failed or cannot be reached.
    static let serviceManager = Self(rawValue: "serviceManager")
}
