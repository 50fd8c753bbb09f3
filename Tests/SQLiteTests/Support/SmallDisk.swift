import HealthSyncTestTools

/// A file system in memory with as much room as a test wants.
enum SmallDisk {
    private static func command(_ arguments: [String]) -> Bool {
        (try? Command(arguments, errors: .dropped).run())?.status == 0
    }

    static func mount(_ folder: String, size: String, isRemount: Bool = false) -> Bool {
        command(["mount", "-t", "tmpfs", "-o", (isRemount ? "remount," : "") + "size=\(size)", "tmpfs", folder])
    }

    static let canMount: Bool = {
        guard let folder = try? TemporaryFolder(), mount(folder.path, size: "64k") else { return false }
        return unmount(folder.path)
    }()

    static func unmount(_ folder: String) -> Bool { command(["umount", "-l", folder]) }
}
