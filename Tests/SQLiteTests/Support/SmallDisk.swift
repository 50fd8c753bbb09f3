import HealthSyncTestTools

/// An in-memory file system of a given size.
enum SmallDisk {
    private static func command(_ arguments: [String]) -> Bool {
        (try? Command(arguments, errors: .dropped).run())?.status == 0
    }

    static func mount(_ folder: String, size: String, isRemount: Bool = false, isWritable: Bool = false) -> Bool {
        let options = (isRemount ? "remount," : "") + (isWritable ? "rw," : "") + "size=\(size)"
        return command(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder])
    }

    static func makeReadOnly(_ folder: String) -> Bool { command(["mount", "-o", "remount,ro", folder]) }

    static let canMount: Bool = {
        guard let folder = try? TemporaryFolder(), mount(folder.path, size: "64k") else { return false }
        return unmount(folder.path)
    }()

    static func unmount(_ folder: String) -> Bool { command(["umount", "-l", folder]) }
}
