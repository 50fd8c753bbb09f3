import Foundation

/// The user's default browser.
package enum BrowserLaunch {
    /// Opens `address` in the browser without waiting; returns `false` if no opener is available.
    package static func open(_ address: String) -> Bool {
        #if os(macOS)
            let name = "open"
        #else
            let name = "xdg-open"
        #endif
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let paths = folders.map { "\($0)/\(name)" }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [address]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            return true
        } catch {
            return false
        }
    }
}
