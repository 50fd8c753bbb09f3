import Foundation

/// A file system in memory with as much room as a test wants.
enum SmallDisk {
    private static func command(_ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    static func mount(_ folder: String, size: String, isRemount: Bool = false, isWritable: Bool = false) -> Bool {
        let options = (isRemount ? "remount," : "") + (isWritable ? "rw," : "") + "size=\(size)"
        return command(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder])
    }

    static func makeReadOnly(_ folder: String) -> Bool { command(["mount", "-o", "remount,ro", folder]) }

    static let canMount: Bool = {
        let folder = NSTemporaryDirectory() + "healthsync-mount-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)) != nil,
            mount(folder, size: "64k")
        else { return false }
        return unmount(folder)
    }()

    static func unmount(_ folder: String) -> Bool { command(["umount", "-l", folder]) }
}
