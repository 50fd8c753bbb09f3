import Foundation

/// The person's browser.
package enum BrowserLaunch {
    /// Asks the desktop to show `address`, and does not wait until it does; `false` where nothing here can be asked.
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
