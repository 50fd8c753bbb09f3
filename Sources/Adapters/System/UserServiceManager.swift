import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The service manager of the user: systemd.
package enum UserServiceManager {
    /// Absolute path of the running program, without links.
    package static var program: String {
        let file = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        return file.hasPrefix("/proc/") ? URL(fileURLWithPath: CommandLine.arguments[0]).standardized.path : file
    }

    /// Runs `systemctl --user` with `words`, in English. Throws `SyncFailure` if the program does not exist.
    package static func control(_ words: [String]) async throws -> (status: Int32, output: String, errors: String) {
        try await BlockingWork.run("healthsync.services") { _ in
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            let paths = folders.map { "\($0)/systemctl" }
            guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
                throw SyncFailure(
                    .noInput, subject: "systemctl", reason: "command not found",
                    advice: "run `healthsync daily` by cron instead; see docs/running-every-day.md")
            }
            let (process, output, errors) = (Process(), Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = ["--user", "--no-pager"] + words
            process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            // The output of `systemctl` fits into the buffer of a pipe.
            let written = try output.fileHandleForReading.readToEnd() ?? Data()
            let problems = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return (
                process.terminationStatus, String(decoding: written, as: UTF8.self),
                String(decoding: problems, as: UTF8.self)
            )
        }
    }
}
