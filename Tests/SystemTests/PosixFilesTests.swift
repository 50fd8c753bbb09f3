import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestTools
import Testing

@Suite("Files")
struct PosixFilesTests {
    private let files = PosixFiles()

    @Test("Folders and files are created for their owner only")
    func permissions() throws {
        try inFolder { folder in
            try files.makePrivateFolder(folder + "/a/b")
            try files.makePrivateFolder(folder + "/a/b")
            #expect(try files.status(of: folder + "/a")?.permissions == 0o700)
            #expect(try files.status(of: folder + "/a/b")?.isFolder == true)
            let path = folder + "/a/b/file"
            #expect(try files.makePrivateFile(path, [3]))
            #expect(try !files.makePrivateFile(path, [1, 2]))
            let status = try files.status(of: path)
            #expect(status == LocalFileStatus(isFolder: false, size: 1, permissions: 0o600))
            #expect(status?.isReadableByOthers == false)
            #expect(try files.read(path, limit: 1) == [3])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/a/b") == ["file"])
        }
    }

    @Test("A missing file, a large file and a folder are reported with their path")
    func failures() throws {
        try inFolder { folder in
            #expect(try files.status(of: folder + "/none") == nil)
            let missing = #expect(throws: SyncFailure.self) { try files.read(folder + "/none", limit: 9) }
            #expect(missing?.code == .noInput)
            #expect(missing?.subject == folder + "/none")
            _ = try files.makePrivateFile(folder + "/file", [1, 2, 3])
            #expect(throws: SyncFailure.self) { try files.read(folder + "/file", limit: 2) }
            #expect(throws: SyncFailure.self) { try files.read(folder, limit: 2) }
            let blocked = #expect(throws: SyncFailure.self) { try files.makePrivateFolder(folder + "/file/sub") }
            #expect(blocked?.code == .cannotCreate)
            let nowhere = #expect(throws: SyncFailure.self) { try files.makePrivateFile(folder + "/no/file", []) }
            #expect(nowhere?.code == .cannotCreate)
        }
    }

    @Test("Permissions for group or others are detected", arguments: [(0o600, false), (0o640, true), (0o604, true)])
    func readableByOthers(mode: Int, expected: Bool) throws {
        try inFolder { folder in
            _ = try files.makePrivateFile(folder + "/token", [])
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder + "/token")
            #expect(try files.status(of: folder + "/token")?.isReadableByOthers == expected)
        }
    }

    @Test("A folder has free space and is writable; a missing one is not")
    func room() throws {
        try inFolder { folder in
            let free = try #require(files.freeBytes(at: folder))
            #expect(free > 0)
            #expect(files.isWritable(folder))
            #expect(files.freeBytes(at: folder + "/none") == nil)
            #expect(!files.isWritable(folder + "/none"))
        }
    }

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder.path)
    }
}
